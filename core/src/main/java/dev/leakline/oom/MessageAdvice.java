package dev.leakline.oom;

import dev.leakline.known.AllocatorAdvice;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Hint;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;

/** What to do about a message, the best first. */
final class MessageAdvice {
    private static final String RECORD =
            "Record the job: torch.cuda.memory._record_memory_history() at its start, torch.cuda.memory._dump_snapshot() when the error"
                    + " is caught; give the snapshot to leakline with this log";

    private final OutOfMemoryMessage message;
    private final MessageSizes sizes;
    private final boolean hasSnapshot;
    private final List<Advice> advice = new ArrayList<>();

    private MessageAdvice(OutOfMemoryMessage message, MessageSizes sizes, boolean hasSnapshot) {
        this.message = message;
        this.sizes = sizes;
        this.hasSnapshot = hasSnapshot;
    }

    /** Advice for a message whose kind is known, and whether a snapshot has the same failure. */
    static List<Advice> of(OutOfMemoryMessage message, MessageSizes sizes, Kind kind, boolean hasSnapshot) {
        MessageAdvice advice = new MessageAdvice(message, sizes, hasSnapshot);
        advice.add(kind);
        return List.copyOf(advice.advice);
    }

    private void add(Kind kind) {
        switch (kind) {
            case REAL_SHORTAGE -> shortage();
            case FRAGMENTATION -> fragmentation();
            case LIMIT -> limit();
            case OTHER_PROCESSES -> others();
            case NON_PYTORCH ->
                add(
                        "Look at what else this process loads: NCCL's buffers, several CUDA contexts, libraries with their own memory",
                        "PyTorch's allocator holds the smaller part, and a snapshot of it shows no more than that.",
                        0);
            case GRAPH_POOLS ->
                add(
                        "Capture fewer CUDA graphs, or let them share a pool (torch.cuda.graph_pool_handle)",
                        "A pool keeps what its graphs needed at most, also while none of them runs.",
                        sizes.pools == null ? 0 : MessageSizes.middle(sizes.pools));
            case IMPOSSIBLE_SIZE -> impossible();
            case NOT_THE_ALLOCATOR ->
                add(
                        "Leave the driver some memory: smaller batches, or torch.cuda.set_per_process_memory_fraction(0.95)",
                        "The allocator's cache looks free to PyTorch and is taken for everyone else. Where the line of the error says"
                                + " little, CUDA_LAUNCH_BLOCKING=1 makes it the right one.",
                        0);
            case RECOVERED ->
                add(
                        "Nothing, if the job goes on; it is slower where this happens often",
                        "Each such warning is a cache that was emptied and has to be filled again.",
                        0);
            case UNKNOWN -> unknown();
        }
    }

    private void shortage() {
        record("It names the lines that hold " + held() + ", and says whether they leak.");
        strangers();
    }

    private String held() {
        return sizes.allocated == null ? "the memory" : "the " + ByteSize.format(MessageSizes.middle(sizes.allocated));
    }

    private void strangers() {
        for (Figure figure : sizes.strangers()) {
            boolean isEnough = sizes.free != null
                    && sizes.requested != null
                    && new Bounds(figure.size().least(), figure.size().most())
                            .plus(sizes.free)
                            .isSurelyAtLeast(sizes.requested);
            if (isEnough) {
                add(
                        "See whether process " + figure.pid() + " needs the device",
                        "Without it the request would have been met.",
                        figure.size().bytes());
            }
        }
    }

    private void fragmentation() {
        boolean isDefault = message.hints().contains(Hint.EXPANDABLE_SEGMENTS)
                || message.hints().contains(Hint.MAX_SPLIT_SIZE);
        if (message.device() == Device.CUDA && (isDefault || sizes.pools == null)) {
            advice.add(AllocatorAdvice.expandable(cached()));
        } else if (message.device() == Device.HIP) {
            add(
                    "Try PYTORCH_HIP_ALLOC_CONF=expandable_segments:True, or garbage_collection_threshold:0.8 where it is not supported",
                    "Segments then grow and shrink by pages, or are returned before they fill the device.",
                    cached());
        }
        record("It shows which lines' blocks lie in the segments that could not be returned to the driver.");
    }

    private long cached() {
        return sizes.unallocated == null ? 0 : MessageSizes.middle(sizes.unallocated);
    }

    private void limit() {
        if (message.device() == Device.MPS) {
            add(
                    "Free what is not needed with torch.mps.empty_cache(), or use a smaller batch",
                    "Memory is the machine's own here; PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 lifts the limit and may stall the machine.",
                    0);
        } else if (message.form() == Form.PREEMPTIVE || sizes.allowed != null) {
            add(
                    "Raise torch.cuda.set_per_process_memory_fraction(), or per_process_memory_fraction in the allocator's settings",
                    "The device may have room; the allocator may not take it.",
                    0);
        }
    }

    private void others() {
        strangers();
        add(
                "See who else uses the device: nvidia-smi shows processes of all containers of the machine",
                "A job that was killed may have left processes behind, and loaders or services may hold the device.",
                0);
    }

    private void impossible() {
        add(
                "Look at the shape that was requested: print it before the line of the error",
                "No device has that much; broadcasting of two shapes, a wrong dimension or an overflow makes such sizes.",
                0);
    }

    private void unknown() {
        if (sizes.free != null && sizes.requested != null && sizes.free.isSurelyAtLeast(sizes.requested)) {
            add(
                    "See whether another process freed memory at that moment, whether a limit is set, and on Windows or in WSL what the machine"
                            + " itself has free",
                    "The driver refused although it says it had room; it is asked for its numbers only after the failure.",
                    0);
        }
        record("It holds what the message leaves out.");
    }

    private void record(String why) {
        add(hasSnapshot ? "Read on in what the snapshot says about this failure" : RECORD, why, 0);
    }

    private void add(String action, String why, long bytes) {
        advice.add(Advice.of(action, why, bytes));
    }
}
