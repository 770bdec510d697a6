/* Samples what C and C++ code of a process allocates, so that its calls can be named: loaded where `--native` asks for it, and nowhere else.
 *
 * leakline_begin() replaces the addresses of malloc and its kin in the tables through which loaded libraries call them; leakline_again() does so for
 * libraries that came since, leakline_end() puts back what was there. About one block in `rate` bytes is noted, by chance, with the stack of C and the
 * frames of Python on top, until it is freed; where that would be more than a thousand in a second, `rate` rises. The table is memory of its own, with a limit. Nothing waits and no lock is taken, so a process may fork, and
 * a thread may end, at any moment. Python's frames are read at the offsets that the probe found (natives.py): a thread that stands in C
 * does not move its own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { SLOT = R_X86_64_JUMP_SLOT, DATA = R_X86_64_GLOB_DAT, ABSOLUTE = R_X86_64_64 };
#elif defined(__aarch64__)
enum { SLOT = R_AARCH64_JUMP_SLOT, DATA = R_AARCH64_GLOB_DAT, ABSOLUTE = R_AARCH64_ABS64 };
#else
#error "no stack walk and no table of calls is known for this machine"
#endif

/* As libraries of before glibc 2.34 name them, so that what is built with a later one loads there. */
#if defined(__x86_64__) && defined(__GLIBC__)
__asm__(".symver dlsym, dlsym@GLIBC_2.2.5\n.symver dladdr, dladdr@GLIBC_2.2.5");
#elif defined(__aarch64__) && defined(__GLIBC__)
__asm__(".symver dlsym, dlsym@GLIBC_2.17\n.symver dladdr, dladdr@GLIBC_2.17");
#endif

enum { BLOCKS = 1 << 16, LOOKED_AT = 64, DEPTH = 24, FRAMES = 6, COUNTS = 1 << 16, CHANGES = 1 << 14 };
enum { TOGETHER = 64, MOST_RATE = 64 << 20 }; /* blocks after which the rate is looked at */
static const long A_BLOCK = 1000000; /* nanoseconds for each block: walking a stack takes some 20 us, so that this is a fiftieth of the time */
enum { FREE = 0, DROPPED = 1, BUSY = 2 }; /* of a slot; anything else is the address of a block */

typedef struct { uintptr_t code, at; } python_frame;
typedef struct { uintptr_t address; size_t size, rate, depth, frames; void *stack[DEPTH]; python_frame python[FRAMES]; } block;

/* Where Python keeps the frame that runs: in the state of the thread, or behind a pointer in it; and what of a frame stands where. state is 0 where that is not known. */
struct python_layout { uintptr_t (*state)(void); size_t in_state, behind, is_behind, code, previous, at; } leakline_python;

static block *table;
enum { TABLE = BLOCKS * sizeof(block) + COUNTS * sizeof(uint16_t) };
static uint16_t *counts; /* how many noted blocks have a hash: what was never noted is freed by one look */
static long least_rate, rate, last_time; /* bytes; nanoseconds */
static unsigned noted;
static enum { OFF, ON, READ } is_on; /* read: in a copy, where what is freed is still forgotten, such as torch's history */
static __thread long left __attribute__((tls_model("initial-exec")));
static __thread uint64_t seed __attribute__((tls_model("initial-exec")));
static __thread int is_inside __attribute__((tls_model("initial-exec")));

static inline uint64_t hash_of(void *p) {
    uint64_t h = (uintptr_t) p >> 4;
    h = (h ^ h >> 31) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 29;
}

/* The bytes to the next block that is noted: -ln(u) * rate, with the logarithm by its first terms, to a hundredth. */
static long gap(void) {
    if (!seed) seed = (uintptr_t) &seed ^ (uint64_t) getpid() << 32 ^ 0x2545F4914F6CDD1Dull;
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    uint64_t bits = seed | 1;
    int zeros = __builtin_clzll(bits);
    double m = (double) (bits << zeros) / 18446744073709551616.0, x = 2 * m - 1; /* m in [0.5, 1) */
    double ln = zeros * 0.6931472 + 0.6931472 - x * (0.9974443 - x * (0.4712804 - x * 0.1668654));
    return (long) (ln * rate) + 1;
}

/* Doubles the rate where blocks are noted too often, and halves it again. Threads that do so at once do it twice, which the next turn mends. */
static void keep_pace(void) {
    struct timespec now;
    if (__atomic_add_fetch(&noted, 1, __ATOMIC_RELAXED) % TOGETHER) return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long time = now.tv_sec * 1000000000 + now.tv_nsec, took = time - __atomic_exchange_n(&last_time, time, __ATOMIC_RELAXED), is = rate;
    if (took < TOGETHER * A_BLOCK && is < MOST_RATE) __atomic_store_n(&rate, is * 2, __ATOMIC_RELAXED);
    else if (took > 4 * TOGETHER * A_BLOCK && is > least_rate) __atomic_store_n(&rate, is / 2, __ATOMIC_RELAXED);
}

static size_t frames_of_python(python_frame *out) {
    struct python_layout *of = &leakline_python;
    uintptr_t state = of->state ? of->state() : 0, frame = state ? *(uintptr_t *) (state + of->in_state) : 0;
    if (of->is_behind && frame) frame = *(uintptr_t *) (frame + of->behind);
    size_t n = 0;
    for (; frame && n < FRAMES; frame = *(uintptr_t *) (frame + of->previous)) {
        out[n].code = *(uintptr_t *) (frame + of->code) & ~(uintptr_t) 7;
        out[n++].at = *(uintptr_t *) (frame + of->at);
    }
    return n;
}

static void drop(void *p, uint64_t h) {
    for (size_t i = 0; i < LOOKED_AT; i++) {
        block *b = &table[(h + i) % BLOCKS];
        uintptr_t there = __atomic_load_n(&b->address, __ATOMIC_ACQUIRE);
        if (there == (uintptr_t) p && __atomic_compare_exchange_n(&b->address, &there, DROPPED, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            __atomic_fetch_sub(&counts[h % COUNTS], 1, __ATOMIC_RELAXED);
            return;
        }
        if (there == FREE) return;
    }
}

static inline void lost(void *p) {
    if (p && is_on) {
        uint64_t h = hash_of(p);
        if (__builtin_expect(__atomic_load_n(&counts[h % COUNTS], __ATOMIC_RELAXED) != 0, 0)) drop(p, h);
    }
}

static __attribute__((noinline)) void note(void *p, size_t size) {
    int is_first = !seed; /* of a thread, which has no gap yet */
    left = gap();
    if (is_first) return;
    is_inside = 1;
    lost(p); /* a block at this place that the C library itself has freed */
    keep_pace();
    uint64_t h = hash_of(p);
    for (size_t i = 0; i < LOOKED_AT; i++) {
        block *b = &table[(h + i) % BLOCKS];
        uintptr_t there = __atomic_load_n(&b->address, __ATOMIC_ACQUIRE);
        if (there > DROPPED || !__atomic_compare_exchange_n(&b->address, &there, BUSY, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
        b->size = size, b->rate = (size_t) rate;
        b->depth = (size_t) backtrace(b->stack, DEPTH);
        b->frames = frames_of_python(b->python);
        __atomic_fetch_add(&counts[h % COUNTS], 1, __ATOMIC_RELAXED);
        __atomic_store_n(&b->address, (uintptr_t) p, __ATOMIC_RELEASE);
        break;
    }
    is_inside = 0;
}

static inline void *got(void *p, size_t size) {
    if (__builtin_expect((left -= (long) size) <= 0, 0) && is_on == ON && !is_inside && p) note(p, size);
    return p;
}

static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t), *(*real_realloc)(void *, size_t), *(*real_memalign)(size_t, size_t),
    *(*real_aligned_alloc)(size_t, size_t), *(*real_mmap)(void *, size_t, int, int, int, off_t), *(*real_mmap64)(void *, size_t, int, int, int, off_t);
static int (*real_posix_memalign)(void **, size_t, size_t), (*real_munmap)(void *, size_t);
static void (*real_free)(void *);

static void *our_malloc(size_t n) { return got(real_malloc(n), n); }
static void *our_calloc(size_t a, size_t b) { return got(real_calloc(a, b), a * b); }
static void *our_memalign(size_t a, size_t n) { return got(real_memalign(a, n), n); }
static void *our_aligned_alloc(size_t a, size_t n) { return got(real_aligned_alloc(a, n), n); }
static void our_free(void *p) { lost(p), real_free(p); }
static void *our_realloc(void *old, size_t n) {
    lost(old); /* of one that fails the block stays, unnoted */
    return got(real_realloc(old, n), n);
}
static int our_posix_memalign(void **out, size_t a, size_t n) {
    int failed = real_posix_memalign(out, a, n);
    if (!failed) got(*out, n);
    return failed;
}
static void *mapped(void *p, size_t n, int may, int flags) { return (flags & MAP_ANONYMOUS) && (may & PROT_WRITE) && p != MAP_FAILED ? got(p, n) : p; }
static void *our_mmap(void *a, size_t n, int may, int flags, int file, off_t o) { return mapped(real_mmap(a, n, may, flags, file, o), n, may, flags); }
static void *our_mmap64(void *a, size_t n, int may, int flags, int file, off_t o) { return mapped(real_mmap64(a, n, may, flags, file, o), n, may, flags); }
static int our_munmap(void *p, size_t n) { return lost(p), real_munmap(p, n); }
static void *our_dlsym(void *library, const char *name);
static void *(*real_dlsym)(void *, const char *);

static struct { const char *name; void *ours, **real; } calls[] = {
    {"malloc", our_malloc, (void **) &real_malloc}, {"calloc", our_calloc, (void **) &real_calloc}, {"realloc", our_realloc, (void **) &real_realloc},
    {"free", our_free, (void **) &real_free}, {"memalign", our_memalign, (void **) &real_memalign}, {"aligned_alloc", our_aligned_alloc, (void **) &real_aligned_alloc},
    {"posix_memalign", our_posix_memalign, (void **) &real_posix_memalign}, {"mmap", our_mmap, (void **) &real_mmap}, {"mmap64", our_mmap64, (void **) &real_mmap64},
    {"munmap", our_munmap, (void **) &real_munmap}, {"dlsym", our_dlsym, (void **) &real_dlsym}};
enum { CALLS = sizeof calls / sizeof *calls };

/* Who looks functions up by their names, as ctypes and cffi do with libraries that they have opened, gets ours. */
static void *our_dlsym(void *library, const char *name) {
    void *found = real_dlsym(library, name);
    for (size_t i = 0; found && is_on == ON && i < CALLS - 1; i++)
        if (found == *calls[i].real) return calls[i].ours;
    return found;
}

static struct { void **place, *before, *ours; int is_sealed; } changes[CHANGES];
static size_t changed, page;
static unsigned long long libraries; /* that were there when they were last looked at */
static void *own;

static int put(void **place, void *value, int is_sealed) {
    void *from = (void *) ((uintptr_t) place & ~(page - 1));
    if (is_sealed && mprotect(from, page, PROT_READ | PROT_WRITE)) return 0;
    __atomic_store_n(place, value, __ATOMIC_RELEASE);
    if (is_sealed) mprotect(from, page, PROT_READ);
    return 1;
}

/* One entry of a table: replaced where it leads to the call that the process uses, or is not bound yet, which leads into the library itself. */
static void entry(struct dl_phdr_info *info, ElfW(Rela) *r, ElfW(Sym) *symbols, const char *names, int is_sealed, int looks_up) {
    unsigned type = (unsigned) ELF64_R_TYPE(r->r_info);
    if (type != SLOT && type != DATA && type != ABSOLUTE) return;
    const char *name = names + symbols[ELF64_R_SYM(r->r_info)].st_name;
    for (size_t i = 0; i < CALLS; i++) {
        if (strcmp(name, calls[i].name) || (i == CALLS - 1 && !looks_up)) continue;
        void **place = (void **) (info->dlpi_addr + r->r_offset), *there = *place;
        int is_unbound = 0;
        for (int s = 0; type == SLOT && s < info->dlpi_phnum; s++) {
            const ElfW(Phdr) *part = &info->dlpi_phdr[s];
            is_unbound |= part->p_type == PT_LOAD && part->p_flags & PF_X && (uintptr_t) there - info->dlpi_addr - part->p_vaddr < part->p_memsz;
        }
        if (changed < CHANGES && *calls[i].real && (there == *calls[i].real || is_unbound) && put(place, calls[i].ours, is_sealed)) {
            changes[changed].place = place, changes[changed].before = there, changes[changed].ours = calls[i].ours;
            changes[changed++].is_sealed = is_sealed;
        }
    }
}

static int library(struct dl_phdr_info *info, size_t size, void *unused) {
    (void) size, (void) unused;
    libraries = info->dlpi_adds;
    const char *name = strrchr(info->dlpi_name, '/') ? strrchr(info->dlpi_name, '/') + 1 : info->dlpi_name;
    int looks_up = !strncmp(name, "_ctypes.", 8) || !strncmp(name, "_cffi_backend", 13);
    if ((void *) info->dlpi_addr == own || !strncmp(name, "ld-", 3) || strstr(name, "vdso") || !strncmp(name, "libgcc_s", 8)
        || strstr(name, "malloc")) return 0; /* whoever allocates for others; what libc's own functions return, such as strdup, is its caller's */
    ElfW(Rela) *calls_of = 0, *data_of = 0;
    ElfW(Sym) *symbols = 0;
    const char *names = 0;
    size_t call_bytes = 0, data_bytes = 0;
    uintptr_t sealed = 0, sealed_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_GNU_RELRO) sealed = info->dlpi_addr + part->p_vaddr, sealed_end = sealed + part->p_memsz;
        if (part->p_type != PT_DYNAMIC) continue;
        for (ElfW(Dyn) *d = (ElfW(Dyn) *) (info->dlpi_addr + part->p_vaddr); d->d_tag; d++) {
            if (d->d_tag == DT_JMPREL) calls_of = (void *) d->d_un.d_ptr;
            if (d->d_tag == DT_PLTRELSZ) call_bytes = d->d_un.d_val;
            if (d->d_tag == DT_RELA) data_of = (void *) d->d_un.d_ptr;
            if (d->d_tag == DT_RELASZ) data_bytes = d->d_un.d_val;
            if (d->d_tag == DT_SYMTAB) symbols = (void *) d->d_un.d_ptr;
            if (d->d_tag == DT_STRTAB) names = (void *) d->d_un.d_ptr;
        }
    }
    if (!symbols || !names) return 0;
    for (int pass = 0; pass < 2; pass++) {
        ElfW(Rela) *r = pass ? data_of : calls_of;
        for (size_t n = r ? (pass ? data_bytes : call_bytes) / sizeof *r : 0; n > 0; n--, r++) {
            uintptr_t place = info->dlpi_addr + r->r_offset;
            entry(info, r, symbols, names, place >= sealed && place < (sealed_end & ~(page - 1)), looks_up);
        }
    }
    return 0;
}

static int count(struct dl_phdr_info *info, size_t size, void *unused) {
    (void) size, (void) unused;
    return info->dlpi_adds == libraries;
}

/* Replaces the calls of libraries that are new. */
void leakline_again(void) {
    if (is_on == ON && !dl_iterate_phdr(count, NULL)) dl_iterate_phdr(library, NULL);
}

/* Begins; returns how many calls are replaced, 0 where there is no memory for the table. */
size_t leakline_begin(long bytes) {
    void *warm[2];
    Dl_info info;
    if (is_on) return changed;
    backtrace(warm, 2); /* which loads what it needs, and not below a call of malloc */
    dladdr((void *) leakline_begin, &info);
    own = info.dli_fbase, page = (size_t) sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < CALLS; i++) *calls[i].real = dlsym(RTLD_DEFAULT, calls[i].name);
    void *memory = table ? (void *) table : real_mmap(NULL, TABLE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 0;
    table = memory, counts = (void *) (table + BLOCKS), rate = least_rate = bytes;
    madvise(memory, TABLE, MADV_DONTNEED); /* of an earlier visit, since when blocks were freed */
    is_on = ON;
    dl_iterate_phdr(library, NULL);
    return changed;
}

/* Puts back what was replaced, where nobody else has replaced it since, and forgets what was noted. The library stays: a call may be under way. A copy of the
 * process, which reads what is noted, only notes no more. */
void leakline_end(int is_copy) {
    is_on = is_copy && is_on ? READ : OFF;
    if (is_copy) return;
    while (changed > 0) {
        changed--;
        if (*changes[changed].place == changes[changed].ours) put(changes[changed].place, changes[changed].before, changes[changed].is_sealed);
    }
    if (table) madvise(table, TABLE, MADV_DONTNEED);
}

/* Copies what is noted and not freed; returns how many blocks that are. Only for a copy of the process, in which nothing allocates meanwhile. */
size_t leakline_noted(block *out, size_t most) {
    size_t n = 0;
    for (size_t i = 0; table && i < BLOCKS && n < most; i++)
        if (table[i].address > BUSY) out[n++] = table[i];
    return n;
}
