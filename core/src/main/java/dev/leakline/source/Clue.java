package dev.leakline.source;

import dev.leakline.result.Conclusion.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Something that a text says about memory outside of messages and figures: a sentence with sizes, a setting, a mark of what the program does.
 *
 * @param kind what it is
 * @param resource which memory it is about; null where it does not say
 * @param bytes the size in it, 0 where it has none
 * @param line the line, from 1
 * @param text what stands there
 */
public record Clue(Kind kind, @Nullable Resource resource, long bytes, long line, String text) {
    /** Kinds of clues. */
    public enum Kind {
        /** Memory rose by so much in all. */
        GROWTH_TOTAL,
        /** The later of two readings is higher by so much. */
        ROSE,
        /** Memory rises by so much with each step, request, epoch. */
        GROWTH_RATE,
        /** What a rate is per, in a word: {@code step}. */
        TURN,
        /** So many readings stand below lines of this word and a number, one each: {@code hour 3}. */
        READ_EACH,
        /** A phase of a program's start is named, before or after it. */
        PHASE,
        /** Somebody says that the problem is solved. */
        SOLVED,
        /** Somebody says that memory grows and does not come back. */
        SAYS_NEVER_FREED,
        /** Somebody says that memory stays at so much. */
        STAYS_AT,
        /** All readings that somebody noted down are of so much. */
        SAME_LEVEL,
        /** Inputs differ in size. */
        VARYING_SHAPES,
        /** So much is a server's pool for keys and values, allocated at its start. */
        KV_POOL,
        /** A part of a model is on the CPU, since it does not fit the device; the size is what all of it needs. */
        PARTLY_OFFLOADED,
        /** A process of a list, by its number and its command. */
        PROCESS_NAMED,
        /** An optimizer makes its state. */
        MAKES_STATE,
        /** Images are decoded from latents. */
        DECODES_LATENTS,
        /** ComfyUI is told to keep all models on the device. */
        HIGH_VRAM,
        TENSORRT_LLM,
        /** TensorRT has built an engine. */
        ENGINE_BUILT,
        SGLANG,
        /** Sizes whose unit nobody says. */
        NO_UNIT,
        /** Somebody says that memory grows. */
        SAYS_GROWS,
        /** Somebody says that memory stays where it is. */
        SAYS_STEADY,
        /** So much is in use. */
        USED,
        /** So much is given out by PyTorch. */
        ALLOCATED,
        /** PyTorch has so much from the driver. */
        RESERVED,
        /** So much is free. */
        FREE,
        /** There is so much in all. */
        TOTAL,
        /** The device has so much, by its name. */
        CARD,
        /** Somebody set a limit of so much. */
        LIMIT,
        /** A process was killed and nobody says why. */
        KILLED,
        /** A container is killed since its health check fails. */
        PROBE_FAILED,
        /** A scheduler ended a job at its time limit. */
        TIME_OVER,
        /** A scheduler ended a job: its time was over, or another job or somebody took its place. */
        ENDED_BY_SCHEDULER,
        /** The state of a container that ended tells of an error, and of no memory limit. */
        ENDED_BY_ERROR,
        /** A job reached its end. */
        FINISHED,
        /** A program says that it tries again with less on the device. */
        RETRIES_WITH_LESS,
        /** A server has started, or answered a request. */
        SERVES,
        /** Somebody names a setting that is set or was tried already. */
        TRIED,
        /** So many tokens fit, by what a server says. */
        FITTING_LENGTH,
        /** Nearly all of it is in use. */
        FULL,
        /** A node ran out of disk space, file names or process numbers, and the kubelet ended what was on it. */
        EVICTED,
        /** So much of what a control group holds is shared memory: /dev/shm, tmpfs. */
        GROUP_SHARED,
        /** An allocator may take so much of the device. */
        POOL_LIMIT,
        /** So much of what an allocator may take is in use. */
        POOL_USED,
        /** The device is a slice of one. */
        MIG,
        /** So much of the host's memory caches files. */
        PAGE_CACHE,
        /** A sentence is about this memory. */
        NAMED,
        /** One version of a program is compared with another. */
        COMPARES_VERSIONS,
        /** The newer of two versions holds so much more. */
        VERSION_HOLDS_MORE,
        /** One rank, device or node differs from the others. */
        RANKS_DIFFER,
        /** Some ranks, devices or nodes hold so much more than the others. */
        PEERS_HOLD_MORE,
        /** The last of several readings that rise. */
        ROSE_TO,
        /** So much is in a heap profile. */
        HEAP,
        /** So much of a heap profile was allocated at the place that leads it. */
        HEAP_SITE,
        /** A model has so many parameters. */
        PARAMETERS,
        /** A batch is of so many sequences. */
        BATCH,
        /** Sequences have so many tokens at most. */
        LENGTH,
        /** A model knows so many tokens. */
        VOCABULARY,
        /** A model is trained. */
        TRAINS,
        /** Only few parameters are trained, or weights are quantized. */
        ADAPTERS,
        /** Somebody asks whether memory leaks. */
        ASKS_LEAK,
        /** Somebody asks which memory it was. */
        ASKS_WHICH,
        /** A name is deleted. */
        DELETES,
        /** The collector is called. */
        COLLECTS,
        /** The cache is given back. */
        EMPTIES,
        /** Images, videos or sound are sent to a model. */
        MEDIA,
        VLLM,
        COMFYUI,
        /** Native libraries in Java, by JavaCPP. */
        JAVACPP,
        /** What was deleted or ended is not given back. */
        NOT_GIVEN_BACK,
        /** A container uses so much of its limit, nearly all of it. */
        AT_LIMIT,
        /** So much of a device's memory lies in the host's, since the device is full. */
        SPILLED,
        /** The swap space is full. */
        SWAP_FULL,
        /** It happens while a model is evaluated. */
        EVALUATES,
        /** Outputs of all batches of an evaluation are kept for its end. */
        KEEPS_OUTPUTS,
        /** No process is listed on a device. */
        NOBODY_LISTED,
        /** From here on a text quotes somebody else. */
        QUOTE_BEGINS,
        /** Here a text no longer quotes. */
        QUOTE_ENDS,
        /** A frame of a traceback in the user's own code. */
        TRACEBACK,
        /** Code that keeps results with their graphs. */
        KEEPS_RESULTS,
        /** A checkpoint is loaded. */
        LOADS_CHECKPOINT,
        /** Workers of a DataLoader. */
        WORKERS,
        /** A data set of Python objects. */
        PYTHON_OBJECTS,
        /** Parameters or optimizer states are kept on the host. */
        OFFLOADS,
        /** Deep Java Library. */
        DJL,
        /** TensorFlow. */
        TENSORFLOW,
        JAX,
        CUPY,
        /** RAPIDS' memory manager. */
        RMM,
        /** A GPU no longer answers on its bus. */
        OFF_THE_BUS,
        /** The driver's module and its libraries differ in version. */
        DRIVER_MISMATCH,
        /** A library or a kernel for the device cannot be loaded. */
        MISSING_LIBRARY,
        /** bitsandbytes runs without its build for GPUs. */
        WITHOUT_GPU_BUILD,
        /** Native code used an address that is not mapped. */
        SEGFAULT,
        /** A disk is full. */
        DISK_FULL,
        /** A process has as many files open as it may. */
        TOO_MANY_FILES,
        /** A kernel found an index or a value out of its range. */
        DEVICE_ASSERT,
        /** A kernel used addresses that it does not own. */
        ILLEGAL_ACCESS,
        /** A collective operation did not end in time. */
        COLLECTIVE_TIMEOUT,
        /** A loss or a gradient is no number any more. */
        DIVERGES
    }

    /** Whether it is about memory by itself: it names which, has a size, or says that it grows. */
    public boolean isAboutMemory() {
        return resource != null || bytes > 0 || kind == Kind.SAYS_GROWS;
    }
}
