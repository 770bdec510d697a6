package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Mapping;
import dev.leakline.attach.linux.Ptrace;
import dev.leakline.attach.linux.RemoteMemory;
import dev.leakline.attach.linux.StoppedThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A page of memory that another process maps at our request, and gives back. */
final class RemotePage {
    private static final int MMAP = 9;
    private static final int MUNMAP = 11;
    private static final int PAGE = 4096;
    private static final int READ_WRITE = 3;
    private static final int EXECUTE = 4;
    private static final int PRIVATE_ANONYMOUS = 0x22;

    /** Bytes of code to look through at once for an instruction. */
    private static final int CHUNK = 1 << 16;
    /** A megabyte of any library's code has the instruction; the C library and the kernel's own page have it early. */
    private static final int MOST_CODE = 8 << 20;

    private final RemoteMemory memory;
    private final long instruction;
    private long address;

    private RemotePage(RemoteMemory memory, long instruction) {
        this.memory = memory;
        this.instruction = instruction;
    }

    /** A page that is not mapped yet. */
    static RemotePage of(int pid, RemoteMemory memory) throws IOException {
        return new RemotePage(memory, instruction(pid, memory));
    }

    /** Maps it by a thread that stands still; throws where so many bytes have no room in it. */
    void map(StoppedThread thread, int bytes, boolean isCode) throws IOException {
        if (bytes > PAGE) {
            throw new IOException("the path of the folder that leakline and the process share is too long");
        }
        int protection = isCode ? READ_WRITE | EXECUTE : READ_WRITE;
        try {
            address = thread.systemCall(instruction, MMAP, 0, PAGE, protection, PRIVATE_ANONYMOUS, -1, 0);
        } catch (Ptrace.SystemError e) {
            throw new LiveException(
                    "the process could not map memory (error " + e.number + "; seccomp or a memory limit)",
                    "start the job with leakline run instead");
        }
    }

    boolean isMapped() {
        return address != 0;
    }

    long address() {
        return address;
    }

    void write(int offset, ByteBuffer bytes) throws IOException {
        memory.write(address + offset, bytes);
    }

    int integer(int offset) throws IOException {
        return memory.integer(address + offset);
    }

    void free(StoppedThread thread) throws IOException {
        thread.systemCall(instruction, MUNMAP, address, PAGE);
        address = 0;
    }

    /** Where in the process an instruction {@code syscall} is: the C library has it, and the kernel's own page, in every process. */
    private static long instruction(int pid, RemoteMemory memory) throws IOException {
        List<Mapping> code =
                Mapping.of(pid).stream().filter(Mapping::isExecutable).toList();
        for (String part : List.of("[vdso]", "libc.", "libc-", "ld-", "")) {
            for (Mapping mapping : code) {
                long found =
                        mapping.fileName().startsWith(part) && !mapping.path().equals("[vsyscall]")
                                ? search(mapping, memory)
                                : 0;
                if (found != 0) {
                    return found;
                }
            }
        }
        throw new IOException("process " + pid + " contains no system call instruction");
    }

    private static long search(Mapping mapping, RemoteMemory memory) throws IOException {
        long end = Math.min(mapping.end(), mapping.start() + MOST_CODE);
        for (long at = mapping.start(); at < end; at += CHUNK) {
            ByteBuffer code = memory.read(at, (int) Math.min(CHUNK, end - at));
            for (int i = 0; i + 1 < code.limit(); i++) {
                if (code.get(i) == 0x0f && code.get(i + 1) == 0x05) {
                    return at + i;
                }
            }
        }
        return 0;
    }
}
