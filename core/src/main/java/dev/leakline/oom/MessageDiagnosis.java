package dev.leakline.oom;

import dev.leakline.allocator.SizeRules;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.PrintedSize;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Diagnoses from the sizes of a message why the request failed.
 *
 * <p>The questions are asked in an order in which each makes the next one meaningful. Is it the allocator's message at all? Could any
 * device have met the request? Did a limit forbid it? Had the driver enough, so that the numbers do not explain the failure? Do others hold
 * more of the device than PyTorch? Would what the allocator had cached have been enough, in private pools or elsewhere? If nothing of that,
 * memory was really short, and whoever holds most of it is named: this process's tensors, something else in this process, or other
 * processes. An answer is given only where it holds for all that the rounded sizes may stand for; where sizes are missing, it is that the
 * message does not say.
 */
final class MessageDiagnosis {
    private final OutOfMemoryMessage message;
    private final MessageSizes sizes;
    private final List<String> reasons = new ArrayList<>();
    private final Kind kind;
    private String title = "";

    MessageDiagnosis(OutOfMemoryMessage message, MessageSizes sizes) {
        this.message = message;
        this.sizes = sizes;
        this.kind = judge();
        addTraps();
    }

    Kind kind() {
        return kind;
    }

    String title() {
        return title;
    }

    List<String> reasons() {
        return List.copyOf(reasons);
    }

    private Kind judge() {
        return switch (message.form()) {
            case FOREIGN -> say(Kind.NOT_THE_ALLOCATOR, foreign());
            case IMPOSSIBLE_REQUEST ->
                say(
                        Kind.IMPOSSIBLE_SIZE,
                        "more than 1 EiB was requested: the size is negative or overflowed; this is not a shortage");
            case PREEMPTIVE ->
                say(
                        Kind.LIMIT,
                        "the allocator refused without asking the driver: the request would exceed this process's limit");
            case WARNING ->
                say(
                        Kind.RECOVERED,
                        "the driver had too little memory; the allocator freed its cache and tried again; this log has no error about it");
            case ALLOCATOR, ASYNC_BACKEND, FRAGMENT -> judgeSizes();
        };
    }

    private String foreign() {
        return "the error is not from the caching allocator: " + source()
                + " requested memory from the driver directly and got none";
    }

    private String source() {
        String text = message.text().toLowerCase(java.util.Locale.ROOT);
        if (text.contains("blas_")) {
            return "cuBLAS";
        }
        if (text.contains("cudnn") || text.contains("miopen")) {
            return "cuDNN";
        }
        return text.contains("failure") ? "NCCL" : "CUDA or a kernel";
    }

    private Kind judgeSizes() {
        Bounds asked = sizes.requested;
        if (asked == null) {
            return say(Kind.UNKNOWN, "the message is cut off: it does not say what was requested");
        }
        if (sizes.total != null && asked.least() > sizes.total.most()) {
            return say(
                    Kind.IMPOSSIBLE_SIZE,
                    sizes.askedText() + " were requested at once, but the whole device has " + size(sizes.total));
        }
        if (sizes.allowed != null && isLimited(asked, sizes.allowed)) {
            return say(Kind.LIMIT, limit(sizes.allowed));
        }
        if (sizes.free == null) {
            return say(Kind.UNKNOWN, "the message does not say what was free" + ending());
        }
        if (sizes.free.isSurelyAtLeast(asked)) {
            return say(
                    Kind.UNKNOWN,
                    "the sizes do not explain it: " + sizes.askedText() + " were requested and the driver had "
                            + size(sizes.free) + " free");
        }
        if (sizes.others != null && sizes.reserved != null && sizes.others.isSurelyAtLeast(sizes.reserved)) {
            return say(
                    Kind.OTHER_PROCESSES,
                    shortage(sizes.free) + "; other processes hold " + size(sizes.others) + ", PyTorch in this one "
                            + size(sizes.reserved));
        }
        Kind cached = judgeCache(asked, sizes.free);
        return cached == null ? judgeHolders(sizes.free) : cached;
    }

    private String ending() {
        return message.device() == Device.XPU ? " (on XPU this is normal)" : ": it is cut off";
    }

    private boolean isLimited(Bounds asked, Bounds allowed) {
        boolean hasRoom = sizes.free != null && sizes.free.isSurelyAtLeast(asked);
        Bounds held = sizes.heldWithinLimit();
        return hasRoom || (held != null && held.plus(asked).mayBeAtLeast(allowed));
    }

    private String limit(Bounds allowed) {
        String free = sizes.free == null ? "" : ", although the driver had " + size(sizes.free) + " free";
        return sizes.askedText() + " more would exceed the limit of " + size(allowed) + " that this process may use"
                + free;
    }

    private @Nullable Kind judgeCache(Bounds asked, Bounds free) {
        Bounds cached = sizes.unallocated;
        Bounds pools = sizes.pools;
        boolean isPoolLarger = pools != null && (cached == null || pools.most() >= cached.most());
        if (pools != null && isPoolLarger && pools.plus(free).isSurelyAtLeast(asked)) {
            return say(
                    Kind.GRAPH_POOLS,
                    sizes.askedText() + " were requested; private pools, such as those of CUDA graphs, cache "
                            + size(pools) + " that nothing else may use");
        }
        if (cached != null && cached.plus(free).isSurelyAtLeast(asked)) {
            reasons.add(
                    "completely free segments were returned to the driver before the error; the remaining free memory"
                            + " is in segments with live blocks, or blocks that another stream still uses");
            return say(
                    Kind.FRAGMENTATION,
                    sizes.askedText() + " were requested; " + size(cached) + " are cached and " + size(free)
                            + " free: enough in total, but fragmented");
        }
        return null;
    }

    private String shortage(Bounds free) {
        return sizes.askedText() + " were requested and " + size(free) + " were free";
    }

    private Kind judgeHolders(Bounds free) {
        String shortage = shortage(free);
        if (sizes.reserved == null || sizes.total == null) {
            return say(Kind.UNKNOWN, shortage + "; the message does not say who holds the rest");
        }
        Bounds reserved = sizes.reserved;
        Bounds outside = sizes.total.minus(free).minus(reserved).positive();
        if (sizes.nonPyTorch != null && sizes.nonPyTorch.isSurelyAtLeast(reserved)) {
            return say(
                    Kind.NON_PYTORCH,
                    shortage + "; " + size(sizes.nonPyTorch) + " of this process are outside of PyTorch");
        }
        if (sizes.process == null && outside.isSurelyAtLeast(reserved)) {
            return say(
                    Kind.OTHER_PROCESSES,
                    shortage + "; " + size(outside)
                            + " are held by other processes, or by other libraries in this process");
        }
        return say(Kind.REAL_SHORTAGE, shortage + "; PyTorch itself holds " + size(reserved));
    }

    private Kind say(Kind judged, String why) {
        title = why;
        return judged;
    }

    /** What readers of such messages are misled by. */
    private void addTraps() {
        PrintedSize asked = message.size(OutOfMemoryMessage.Meaning.REQUESTED);
        boolean isCaching = message.form() == Form.ALLOCATOR || message.form() == Form.WARNING;
        if (asked != null && sizes.isTensorSize) {
            reasons.add("torch up to 1.3 prints the tensor's size, " + asked.text()
                    + "; 20 MiB are requested from the driver for tensors below 10"
                    + " MiB, and for multiples of 2 MiB above");
        } else if (asked != null && isCaching && message.device() != Device.MPS) {
            addSegment(asked);
        }
        if (sizes.pools != null && sizes.pools.most() > 0) {
            reasons.add("\"allocated in private pools\" is the memory that these pools cache, not live memory;"
                    + " \"allocated by PyTorch\" includes it");
        }
        if (sizes.ownPid > 0) {
            reasons.add("process " + sizes.ownPid
                    + " is this process itself, with its PID outside the container: the device has no room for both");
        }
        addShares();
    }

    private void addSegment(PrintedSize asked) {
        if (asked.covers(SizeRules.SMALL_SEGMENT)) {
            reasons.add(
                    "PyTorch requests 2 MiB from the driver for any tensor of at most 1 MiB that does not fit: the tensor may be tiny");
        } else if (asked.covers(SizeRules.LARGE_SEGMENT)) {
            reasons.add("PyTorch requests 20 MiB from the driver for any tensor between 1 and 10 MiB that does not fit:"
                    + " the tensor may be smaller");
        }
    }

    private void addShares() {
        if (sizes.unallocated != null && kind == Kind.FRAGMENTATION && sizes.reserved != null) {
            double share =
                    (double) MessageSizes.middle(sizes.unallocated) / Math.max(MessageSizes.middle(sizes.reserved), 1);
            reasons.add(Numbers.percent(share)
                    + " of PyTorch's memory is cached: fixing the fragmentation frees no more than that");
        }
        if (sizes.unallocated != null && kind == Kind.REAL_SHORTAGE && sizes.allocated != null) {
            reasons.add(size(sizes.allocated) + " are allocated to tensors and only " + size(sizes.unallocated)
                    + " cached: no allocator setting frees enough");
        }
        if (sizes.nonPyTorch != null && sizes.nonPyTorch.least() > 0) {
            reasons.add("this process holds " + size(sizes.nonPyTorch)
                    + " outside of PyTorch's allocator: the CUDA context, NCCL, other libraries");
        }
        for (Figure stranger : sizes.strangers()) {
            reasons.add(
                    "process " + stranger.pid() + " holds " + stranger.size().text());
        }
    }

    private static String size(Bounds range) {
        return ByteSize.format(MessageSizes.middle(range));
    }
}
