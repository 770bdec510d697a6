package dev.leakline.oom;

import dev.leakline.known.SizeRules;
import dev.leakline.result.OutOfMemoryExplanation.Derived;
import dev.leakline.result.OutOfMemoryExplanation.Derived.Name;
import dev.leakline.result.OutOfMemoryExplanation.SizeCheck;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of a message, the sizes derived from them, and whether they agree.
 *
 * <p>What is what: {@code allocated} is what tensors hold; since torch 2.4 it includes what private pools cache, which is printed once more as
 * "allocated in private pools". {@code unallocated} (up to torch 1.3: "cached") is what the allocator has and has not given out; both
 * together are {@code reserved}. What the process uses beyond that is the context and other libraries. What the device lacks beyond
 * the process is other processes'. Source: {@code CUDACachingAllocator.cpp} of 0.4 to 2.14.
 */
final class MessageSizes {
    /** A CUDA context with its kernels and handles takes less. */
    private static final long MOST_CONTEXT = ByteSize.GIB;

    private final OutOfMemoryMessage message;
    /** The size that the driver had to have in one piece. */
    final @Nullable Bounds requested;
    /** True if the message has the tensor's size, from which that follows. */
    final boolean isTensorSize;

    final @Nullable Bounds total;
    final @Nullable Bounds free;
    final @Nullable Bounds allowed;
    final @Nullable Bounds allocated;
    final @Nullable Bounds pools;
    /** Printed, or reserved less allocated. */
    final @Nullable Bounds unallocated;
    /** Printed, or the sum of allocated and unallocated. */
    final @Nullable Bounds reserved;
    /** This process: printed, or the one listed process that must be it. */
    final @Nullable Bounds process;
    /** The one listed process that must be this one, under the number it has outside of its container; 0 where there is none such. */
    final long ownPid;
    /** Memory of the process beside the allocator's; null where it is not known or makes no sense. */
    final @Nullable Bounds nonPyTorch;
    /** Memory of others: neither free nor this process's. */
    final @Nullable Bounds others;
    /** Memory neither free nor this allocator's, where nothing says how much this process has. */
    final @Nullable Bounds outside;

    MessageSizes(OutOfMemoryMessage message) {
        this.message = message;
        isTensorSize = message.size(Meaning.CACHED) != null;
        requested = needed(range(Meaning.REQUESTED));
        total = range(Meaning.TOTAL);
        free = range(Meaning.FREE);
        allowed = range(Meaning.ALLOWED);
        allocated = range(Meaning.ALLOCATED);
        pools = range(Meaning.PRIVATE_POOLS);
        Bounds rest = firstOf(range(Meaning.UNALLOCATED), range(Meaning.CACHED));
        Bounds all = range(Meaning.RESERVED);
        unallocated = rest != null
                ? rest
                : all == null || allocated == null ? null : all.minus(allocated).positive();
        reserved = all != null ? all : rest == null || allocated == null ? null : rest.plus(allocated);
        Figure own = own();
        ownPid = own == null ? 0 : own.pid();
        process = own == null ? believable(range(Meaning.PROCESS)) : Bounds.of(own.size());
        nonPyTorch = process == null || reserved == null
                ? null
                : process.minus(reserved).positive();
        others = others();
        outside = outside();
    }

    private @Nullable Bounds range(Meaning meaning) {
        return Bounds.of(message.size(meaning));
    }

    /** Up to torch 1.3, which says "cached", messages have the request of the tensor; later ones that of the driver. */
    private @Nullable Bounds needed(@Nullable Bounds printed) {
        return printed == null || !isTensorSize
                ? printed
                : new Bounds(
                        SizeRules.segmentSize(printed.least()),
                        Math.max(SizeRules.segmentSize(printed.most()), printed.most()));
    }

    /** The size requested from the driver, for people; only where there is {@link #requested}. */
    String askedText() {
        PrintedSize printed = message.size(Meaning.REQUESTED);
        return printed == null
                ? ""
                : isTensorSize ? ByteSize.format(SizeRules.segmentSize(printed.bytes())) : printed.text();
    }

    /** Memory of the allocator as a limit counts it: on MPS with Metal's other memory. */
    @Nullable
    Bounds heldWithinLimit() {
        Bounds held = firstOf(reserved, allocated);
        Bounds metal = range(Meaning.OTHER_ALLOCATIONS);
        return held == null || metal == null ? held : held.plus(metal);
    }

    private static @Nullable Bounds firstOf(@Nullable Bounds first, @Nullable Bounds second) {
        return first != null ? first : second;
    }

    /** A process that uses less than its allocator has was not measured: where NVML cannot see into a container it prints 0. */
    private @Nullable Bounds believable(@Nullable Bounds printed) {
        return printed == null || reserved == null || printed.mayBeAtLeast(reserved) ? printed : null;
    }

    /**
     * The listed process that must be this one. In a container, NVML numbers processes as the host does, so the allocator takes its own for
     * another. Where those that are listed, what is free and what this allocator has are more than the device, one of them is this one: the only one
     * that is listed, or the only one that holds what the allocator has and no more than a context beside it.
     */
    private @Nullable Figure own() {
        List<Figure> listed = listed();
        if (range(Meaning.PROCESS) != null || listed.isEmpty() || total == null || free == null || reserved == null) {
            return null;
        }
        Bounds sum = free.plus(reserved);
        for (Figure figure : listed) {
            sum = sum.plus(bounds(figure));
        }
        List<Figure> able = listed.stream()
                .filter(figure -> bounds(figure).mayBeAtLeast(reserved))
                .filter(figure ->
                        listed.size() == 1 || bounds(figure).minus(reserved).least() <= MOST_CONTEXT)
                .toList();
        return sum.least() > total.most() && able.size() == 1 ? able.getFirst() : null;
    }

    private static Bounds bounds(Figure figure) {
        return new Bounds(figure.size().least(), figure.size().most());
    }

    /** The processes that the message calls others. */
    List<Figure> listed() {
        return message.figures().stream()
                .filter(figure -> figure.meaning() == Meaning.OTHER_PROCESS)
                .toList();
    }

    /** The processes that are others. */
    List<Figure> strangers() {
        return listed().stream()
                .filter(figure -> ownPid == 0 || figure.pid() != ownPid)
                .toList();
    }

    private @Nullable Bounds others() {
        return total == null || free == null || process == null
                ? null
                : total.minus(free).minus(process).positive();
    }

    /** On XPU, what is free may be what the allocator has not taken. */
    private @Nullable Bounds outside() {
        boolean isPrinted = process != null && ownPid == 0;
        Bounds own = message.form() == Form.FOREIGN && reserved == null ? new Bounds(0, 0) : reserved;
        return total == null || free == null || own == null || isPrinted || message.device() == Device.XPU
                ? null
                : total.minus(free).minus(own).positive();
    }

    /** The sizes that follow. */
    List<Derived> derived() {
        List<Derived> derived = new ArrayList<>();
        add(derived, Name.RESERVED, range(Meaning.RESERVED) == null ? reserved : null);
        add(derived, Name.UNALLOCATED, range(Meaning.RESERVED) == null ? null : unallocated);
        add(
                derived,
                Name.LIVE,
                allocated == null || pools == null
                        ? null
                        : allocated.minus(pools).positive());
        add(derived, Name.NON_PYTORCH, nonPyTorch);
        add(derived, Name.OTHER_PROCESSES, others);
        add(derived, Name.OUTSIDE, outside);
        return derived;
    }

    private static void add(List<Derived> derived, Name name, @Nullable Bounds range) {
        if (range != null) {
            derived.add(new Derived(name, range.least(), range.most()));
        }
    }

    /** Comparisons of the sizes that can be compared. */
    List<SizeCheck> checks() {
        List<SizeCheck> checks = new ArrayList<>();
        atMost(checks, free, total, "free", "the device has");
        atMost(checks, reserved, total, "reserved by PyTorch", "the device has");
        atMost(checks, allocated, range(Meaning.RESERVED), "allocated by PyTorch", "it has reserved");
        atMost(checks, pools, allocated, "cached in private pools", "is allocated by PyTorch");
        atMost(checks, reserved, range(Meaning.PROCESS), "reserved by PyTorch", "this process uses");
        Bounds used = free;
        for (Figure figure : message.figures()) {
            boolean isProcess = figure.meaning() == Meaning.OTHER_PROCESS || figure.meaning() == Meaning.PROCESS;
            Bounds size = Bounds.of(figure.size());
            used = isProcess && used != null && size != null ? used.plus(size) : used;
        }
        if (used != null && !used.equals(free)) {
            atMost(checks, used, total, "free and used by the listed processes", "the device has");
        }
        return checks;
    }

    private static void atMost(
            List<SizeCheck> checks, @Nullable Bounds small, @Nullable Bounds large, String what, String most) {
        if (small != null && large != null) {
            boolean holds = large.mayBeAtLeast(small);
            String sizes = what + " (" + ByteSize.format(middle(small)) + ") is ";
            checks.add(new SizeCheck(
                    holds,
                    sizes + (holds ? "no more than " : "more than ") + most + " (" + ByteSize.format(middle(large))
                            + ")"));
        }
    }

    static long middle(Bounds range) {
        return range.least() + (range.most() - range.least()) / 2;
    }
}
