package dev.leakline.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of an out-of-memory error as it stands in a log, taken apart.
 *
 * @param form which of PyTorch's texts it is, or whose else
 * @param device the kind of device it speaks of
 * @param ordinal the number of the device within the process, -1 where it is not printed
 * @param exception the class of the exception before the text, or empty
 * @param text the message, wraps and colours taken out, cut where it is longer than messages are
 * @param figures the sizes in it, in their order, each with its meaning
 * @param hints what the message itself proposes
 * @param program who wrote it, such as {@code vLLM}
 * @param cause what its text says by itself; null where its sizes decide
 */
public record OutOfMemoryMessage(
        Form form,
        Device device,
        int ordinal,
        String exception,
        String text,
        List<Figure> figures,
        List<Hint> hints,
        String program,
        @Nullable Cause cause) {
    /** The cause that a text states by itself: the kind, and the name under which advice for it is known. */
    public record Cause(OutOfMemoryExplanation.Kind kind, String advice) {}

    /** Forms of messages, by who wrote them. */
    public enum Form {
        /** The error of the caching allocator, of whichever version. */
        ALLOCATOR,
        /** The same, where a request is larger than 2 to the 60th bytes. */
        IMPOSSIBLE_REQUEST,
        /** The allocator refused without asking the driver, because a limit would be exceeded (torch 2.13 and later). */
        PREEMPTIVE,
        /** The error of the cudaMallocAsync backend. */
        ASYNC_BACKEND,
        /** A warning that the driver had too little; the allocator then frees its cache and asks again (torch 2.13 and later). */
        WARNING,
        /** A text that is not the caching allocator's: CUDA itself, cuBLAS, NCCL, another program. */
        FOREIGN,
        /** A piece of the allocator's text without its beginning. */
        FRAGMENT
    }

    /** Kinds of devices. */
    public enum Device {
        /** NVIDIA's. */
        CUDA,
        /** AMD's. */
        HIP,
        /** Intel's. */
        XPU,
        /** Huawei's. */
        NPU,
        /** Apple's. */
        MPS,
        /** None: it speaks of the host's memory. */
        HOST,
        /** One that this version has no name for, or none is named. */
        OTHER
    }

    /** Meanings of a size in a message. */
    public enum Meaning {
        /** The size requested from the driver: a segment, not the tensor. */
        REQUESTED,
        /** The memory of the device. */
        TOTAL,
        /** Memory that the driver had free, after the allocator gave back what it could. */
        FREE,
        /** The most that this process may take, where a limit is set. */
        ALLOWED,
        /** Memory that this process uses on the device, other libraries included. */
        PROCESS,
        /** Memory that another process uses. */
        OTHER_PROCESS,
        /** Memory that the allocator has given out; since torch 2.4 with the cache of private pools. */
        ALLOCATED,
        /** The cache of private pools, such as those of CUDA graphs. */
        PRIVATE_POOLS,
        /** Memory that the allocator has from the driver and has not given out. */
        UNALLOCATED,
        /** The same as torch up to 1.3 prints it. */
        CACHED,
        /** All that the allocator has from the driver. */
        RESERVED,
        /** Memory that Metal holds beside the allocator (MPS). */
        OTHER_ALLOCATIONS,
        /** Used memory, where nothing says by whom. */
        USED,
        /** A size in words that this version does not know. */
        UNKNOWN
    }

    /** Suggestions in a message. */
    public enum Hint {
        /** {@code max_split_size_mb}. */
        MAX_SPLIT_SIZE,
        /** {@code expandable_segments:True}. */
        EXPANDABLE_SEGMENTS,
        /** {@code empty_cache}. */
        EMPTY_CACHE,
        /** {@code PYTORCH_MPS_HIGH_WATERMARK_RATIO}. */
        HIGH_WATERMARK
    }

    /**
     * A size in a message.
     *
     * @param pid the process that it belongs to, for {@link Meaning#OTHER_PROCESS}; 0 else
     * @param words the words around a size of unknown meaning; empty else
     */
    public record Figure(Meaning meaning, PrintedSize size, long pid, String words) {}

    /** The size of a meaning, the first where there are several; null where none is printed. */
    public @Nullable PrintedSize size(Meaning meaning) {
        return figures.stream()
                .filter(figure -> figure.meaning() == meaning)
                .map(Figure::size)
                .findFirst()
                .orElse(null);
    }
}
