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

/** Makes the advice for an out-of-memory message, the best first. */
final class MessageAdvice {
    private static final String RECORD =
            "Record the job: torch.cuda.memory._record_memory_history() at its start, torch.cuda.memory._dump_snapshot() when the error"
                    + " is caught; run leakline oom with this log and the snapshot";

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
                        "Check what else this process loads: NCCL buffers, several CUDA contexts, libraries that"
                                + " allocate GPU memory themselves",
                        "PyTorch's allocator holds the smaller part, and a snapshot shows only that part.",
                        0);
            case GRAPH_POOLS ->
                add(
                        "Capture fewer CUDA graphs, or let them share a pool (torch.cuda.graph_pool_handle)",
                        "A pool keeps the most memory its graphs ever needed, even while none of them runs.",
                        sizes.pools == null ? 0 : MessageSizes.middle(sizes.pools));
            case IMPOSSIBLE_SIZE -> impossible();
            case NOT_THE_ALLOCATOR ->
                add(
                        "Leave some memory to the driver: use smaller batches, or torch.cuda.set_per_process_memory_fraction(0.95)",
                        "The allocator's cache is free for PyTorch, but used for everyone else. If the error's line"
                                + " seems wrong, set CUDA_LAUNCH_BLOCKING=1 to get the right one.",
                        0);
            case RECOVERED ->
                add(
                        "Nothing, if the job continues; it is slower if this happens often",
                        "Each such warning means that the cache was emptied and has to be refilled.",
                        0);
            case UNKNOWN -> unknown();
        }
    }

    private void shortage() {
        record("It shows which lines hold " + held() + ", and whether they leak.");
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
                        "Check whether process " + figure.pid() + " needs the device",
                        "Without it, the request would have succeeded.",
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
                    "Try PYTORCH_HIP_ALLOC_CONF=expandable_segments:True, or garbage_collection_threshold:0.8 if that is not supported",
                    "Segments then grow and shrink by pages, or are returned before the device is full.",
                    cached());
        }
        record("It shows which lines allocated the blocks that pin segments.");
    }

    private long cached() {
        return sizes.unallocated == null ? 0 : MessageSizes.middle(sizes.unallocated);
    }

    private void limit() {
        if (message.device() == Device.MPS) {
            add(
                    "Free unused memory with torch.mps.empty_cache(), or use a smaller batch",
                    "GPU and CPU share the machine's memory here; PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 removes the"
                            + " limit, but may stall the machine.",
                    0);
        } else if (message.form() == Form.PREEMPTIVE || sizes.allowed != null) {
            add(
                    "Raise torch.cuda.set_per_process_memory_fraction(), or per_process_memory_fraction in the allocator's settings",
                    "The device may have free memory that the allocator is not allowed to use.",
                    0);
        }
    }

    private void others() {
        strangers();
        add(
                "Check who else uses the device: nvidia-smi shows the processes of all containers on the machine",
                "A killed job may have left processes behind; data loaders or services may also hold memory.",
                0);
    }

    private void impossible() {
        add(
                "Check the requested shape: print it before the line of the error",
                "No device has that much memory; broadcasting, a wrong dimension or an overflow causes such sizes.",
                0);
    }

    private void unknown() {
        if (sizes.free != null && sizes.requested != null && sizes.free.isSurelyAtLeast(sizes.requested)) {
            add(
                    "Check whether another process freed memory at that moment, whether a limit is set, and on"
                            + " Windows or WSL how much memory the machine itself has free",
                    "The driver refused although it reports enough free memory; PyTorch queries it only after the failure.",
                    0);
        }
        record("It contains what the message leaves out.");
    }

    private void record(String why) {
        add(hasSnapshot ? "See what the snapshot shows about this failure" : RECORD, why, 0);
    }

    private void add(String action, String why, long bytes) {
        advice.add(Advice.of(action, why, bytes));
    }
}
