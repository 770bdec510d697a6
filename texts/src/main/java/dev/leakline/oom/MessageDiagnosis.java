package dev.leakline.oom;

import dev.leakline.known.SizeRules;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Cause;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Diagnoses from the sizes of a message of PyTorch's allocator why the request failed; {@link ProgramTitle} has the texts of others.
 *
 * <p>The questions are asked in an order in which each makes the next one meaningful. Could any device have met the request? Did a limit
 * forbid it? Had the driver enough, so that the numbers do not explain the failure? Would what the allocator had cached have been enough, in
 * private pools or elsewhere? Do others hold what was missing? If nothing of that, memory was really short, and whoever holds most of it is
 * named.
 */
final class MessageDiagnosis {
    /** More of the driver's free memory than this beyond the request is not the driver's own rounding. */
    private static final long CLEARLY_FREE = 64L << 20;
    /** The most of a device that a process's context takes beside its allocator; a message without the free memory has it nowhere. */
    private static final long CONTEXT = 512L << 20;

    /** A smaller share of the reserved memory than this is what rounding to segments always leaves; the next batch would take it. */
    private static final double LEAST_CACHED = 0.1;
    /** A context alone takes a few hundred MiB; what others hold counts from here on, and from a share of the device that matters. */
    private static final long LEAST_OTHERS = 512L << 20;

    private static final double LEAST_SHARE_OF_OTHERS = 0.05;
    /** Where this process's own context and libraries are in it too: up to 1 GiB of that is theirs. */
    private static final long LEAST_OUTSIDE = 1536L << 20;
    /** A piece of a message whose reserved memory is so near to its limit is about the limit. */
    private static final double NEAR_LIMIT = 0.95;

    private final OutOfMemoryMessage message;
    private final MessageSizes sizes;
    private final List<String> reasons = new ArrayList<>();
    private final Kind kind;
    private String title = "";
    private String advice = "";

    MessageDiagnosis(OutOfMemoryMessage message, MessageSizes sizes) {
        this.message = message;
        this.sizes = sizes;
        this.kind = judge();
        addTraps();
    }

    Kind kind() {
        return kind;
    }

    /** The name under which advice is known. */
    String advice() {
        return advice;
    }

    String title() {
        return title;
    }

    List<String> reasons() {
        return List.copyOf(reasons);
    }

    private Kind judge() {
        Cause cause = message.cause();
        return switch (message.form()) {
            case FOREIGN ->
                cause == null
                        ? judgeSizes()
                        : say(cause.kind(), cause.advice(), ProgramTitle.of(message, cause.kind(), sizes));
            case IMPOSSIBLE_REQUEST ->
                say(
                        Kind.BAD_SIZE,
                        "torch.bad-size",
                        "more than 1 EiB was requested: the size is negative or overflowed; this is not a shortage");
            case PREEMPTIVE ->
                say(
                        Kind.DEVICE_OOM_LIMIT,
                        "torch.limit",
                        "the allocator refused without asking the driver: the request would exceed this process's limit");
            case WARNING ->
                say(
                        Kind.RECOVERED,
                        "torch.recovered",
                        "the driver had too little memory; the allocator freed its cache and tried again; this log has no error about it");
            case ALLOCATOR, ASYNC_BACKEND, FRAGMENT -> judgeSizes();
        };
    }

    private Kind judgeSizes() {
        Bounds asked = sizes.requested;
        if (asked == null) {
            return judgeFragment();
        }
        Kind refused = judgeLimits(asked);
        if (refused != null) {
            return refused;
        }
        if (sizes.free == null) {
            Kind cached = judgeCache(asked, null);
            return cached == null ? judgeRest(asked) : cached;
        }
        if (MessageSizes.middle(sizes.free) - MessageSizes.middle(asked) >= CLEARLY_FREE) {
            return say(
                    Kind.DEVICE_OOM_BUT_FREE,
                    "torch.but-free",
                    "the sizes do not explain it: " + sizes.askedText() + " were requested and the driver had "
                            + size(sizes.free) + " free");
        }
        Kind cached = judgeCache(asked, sizes.free);
        Kind others = cached == null ? judgeOthers(asked, sizes.free) : cached;
        return others == null ? judgeHolders(sizes.free) : others;
    }

    /** Judges without the free memory: whether this process left enough of the device for the request. */
    private Kind judgeRest(Bounds asked) {
        String unknown = "the message does not say what was free" + ending();
        Bounds held = sizes.reserved == null ? sizes.allocated : sizes.reserved;
        boolean isLeft = message.device() == Device.XPU
                && held != null
                && sizes.total != null
                && MessageSizes.middle(sizes.total) - MessageSizes.middle(held) >= MessageSizes.middle(asked) + CONTEXT;
        return isLeft && held != null && sizes.total != null
                ? say(
                        Kind.DEVICE_OOM_BUT_FREE,
                        "torch.but-free",
                        "the sizes do not explain it: " + sizes.askedText() + " were requested, and PyTorch holds "
                                + size(held) + " of " + size(sizes.total) + "; " + unknown)
                : say(Kind.DEVICE_OOM, shortage(), unknown);
    }

    /** A message without its beginning says little. */
    private Kind judgeFragment() {
        boolean isNearLimit = sizes.allowed != null
                && sizes.reserved != null
                && sizes.reserved.most() >= NEAR_LIMIT * sizes.allowed.least();
        return isNearLimit && sizes.allowed != null && sizes.reserved != null
                ? say(
                        Kind.DEVICE_OOM_LIMIT,
                        "torch.limit",
                        "a piece of a message: PyTorch holds " + size(sizes.reserved) + " of the " + size(sizes.allowed)
                                + " that this process may use")
                : say(Kind.DEVICE_OOM, shortage(), "the message does not say what was requested");
    }

    private @Nullable Kind judgeLimits(Bounds asked) {
        if (sizes.allowed != null && isLimited(asked, sizes.allowed)) {
            return say(
                    Kind.DEVICE_OOM_LIMIT,
                    message.device() == Device.MPS ? "torch.limit.mps" : "torch.limit",
                    limit(sizes.allowed));
        }
        return sizes.total != null && asked.least() > sizes.total.most()
                ? say(
                        Kind.DEVICE_OOM_REQUEST_TOO_BIG,
                        "torch.too-big",
                        sizes.askedText() + " were requested at once, but the whole device has " + size(sizes.total))
                : null;
    }

    private String ending() {
        return message.device() == Device.XPU ? " (on XPU this is normal)" : ": it is cut off";
    }

    /** A limit as large as the device is none. */
    private boolean isLimited(Bounds asked, Bounds allowed) {
        boolean isBelowTotal = sizes.total == null || allowed.least() < sizes.total.least();
        boolean hasRoom = sizes.free != null && sizes.free.isSurelyAtLeast(asked);
        Bounds held = sizes.heldWithinLimit();
        return isBelowTotal && (hasRoom || (held != null && held.plus(asked).mayBeAtLeast(allowed)));
    }

    private String limit(Bounds allowed) {
        String free = sizes.free == null ? "" : ", although the driver had " + size(sizes.free) + " free";
        return sizes.askedText() + " more would exceed the limit of " + size(allowed) + " that this process may use"
                + free;
    }

    private @Nullable Kind judgeCache(Bounds asked, @Nullable Bounds free) {
        Bounds cached = sizes.unallocated;
        Bounds pools = sizes.pools;
        boolean isPoolLarger = pools != null && (cached == null || pools.most() >= cached.most());
        if (pools != null && isPoolLarger && pools.isSurelyAtLeast(asked)) {
            return say(
                    Kind.DEVICE_OOM_FRAGMENTATION,
                    "torch.pools",
                    sizes.askedText() + " were requested; private pools, such as those of CUDA graphs, cache "
                            + size(pools) + " that nothing else may use");
        }
        boolean isMuch = cached != null
                && sizes.reserved != null
                && MessageSizes.middle(cached) >= LEAST_CACHED * MessageSizes.middle(sizes.reserved);
        if (cached != null && isMuch && cached.isSurelyAtLeast(asked)) {
            reasons.add(
                    "completely free segments were returned to the driver before the error; the remaining free memory"
                            + " is in segments with live blocks, or blocks that another stream still uses");
            return say(
                    Kind.DEVICE_OOM_FRAGMENTATION,
                    "torch.fragmentation",
                    sizes.askedText() + " were requested; " + size(cached) + " are cached"
                            + (free == null ? "" : " and " + size(free) + " free")
                            + ": enough in total, but fragmented");
        }
        return null;
    }

    private @Nullable Kind judgeOthers(Bounds asked, Bounds free) {
        Bounds total = sizes.total;
        if (total == null || message.device() == Device.XPU) {
            return null;
        }
        Bounds others = sizes.others;
        if (others != null && sizes.ownPid == 0) {
            long held = MessageSizes.middle(others);
            boolean isMuch = held >= LEAST_OTHERS && held >= LEAST_SHARE_OF_OTHERS * MessageSizes.middle(total);
            return isMuch && others.plus(free).isSurelyAtLeast(asked)
                    ? others(free, "other processes hold " + size(others))
                    : null;
        }
        Bounds outside = sizes.outside;
        boolean isMuch = outside != null
                && MessageSizes.middle(outside) >= LEAST_OUTSIDE
                && MessageSizes.middle(outside) >= LEAST_SHARE_OF_OTHERS * MessageSizes.middle(total);
        return isMuch && outside != null && outside.plus(free).isSurelyAtLeast(asked)
                ? others(free, size(outside) + " are held by other processes, or by other libraries in this process")
                : null;
    }

    private Kind others(Bounds free, String who) {
        String own = sizes.reserved == null ? "" : ", PyTorch in this one " + size(sizes.reserved);
        return say(Kind.DEVICE_OOM_OTHER_PROCESSES, "torch.others", shortage(free) + "; " + who + own);
    }

    private String shortage(Bounds free) {
        return sizes.askedText() + " were requested and " + size(free) + " were free";
    }

    private String shortage() {
        return message.form() == Form.ASYNC_BACKEND ? "torch.shortage.async" : "torch.shortage";
    }

    private Kind judgeHolders(Bounds free) {
        String shortage = shortage(free);
        Bounds reserved = sizes.reserved;
        if (reserved == null) {
            String held = sizes.allocated == null
                    ? "; the message does not say who holds the rest"
                    : "; PyTorch itself holds " + size(sizes.allocated);
            return say(Kind.DEVICE_OOM, shortage(), shortage + held);
        }
        if (sizes.nonPyTorch != null && sizes.nonPyTorch.isSurelyAtLeast(reserved)) {
            return say(
                    Kind.DEVICE_OOM,
                    "torch.outside",
                    shortage + "; " + size(sizes.nonPyTorch) + " of this process are outside of PyTorch");
        }
        return say(Kind.DEVICE_OOM, shortage(), shortage + "; PyTorch itself holds " + size(reserved));
    }

    private Kind say(Kind judged, String name, String why) {
        advice = name;
        title = why;
        return judged;
    }

    /** Adds warnings about what misleads readers of such messages. */
    private void addTraps() {
        PrintedSize asked = message.size(Meaning.REQUESTED);
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
        addShared();
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

    /** On Windows the driver lends memory of the host, so that more is allocated than the card has. */
    private void addShared() {
        Bounds held = sizes.reserved == null ? sizes.allocated : sizes.reserved;
        if (held != null
                && sizes.total != null
                && message.device() == Device.CUDA
                && held.least() > sizes.total.most()) {
            reasons.add("PyTorch holds " + size(held) + ", more than the device has: on Windows the driver lends the"
                    + " host's memory (\"shared GPU memory\"), which is many times slower");
        }
    }

    private void addShares() {
        boolean isCache = kind == Kind.DEVICE_OOM_FRAGMENTATION && advice.equals("torch.fragmentation");
        if (sizes.unallocated != null && isCache && sizes.reserved != null) {
            double share =
                    (double) MessageSizes.middle(sizes.unallocated) / Math.max(MessageSizes.middle(sizes.reserved), 1);
            reasons.add(Numbers.percent(share)
                    + " of PyTorch's memory is cached: fixing the fragmentation frees no more than that");
        }
        boolean isSmall = sizes.unallocated != null
                && sizes.requested != null
                && sizes.requested.isSurelyAtLeast(sizes.unallocated);
        if (sizes.unallocated != null && kind == Kind.DEVICE_OOM && sizes.allocated != null && isSmall) {
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
