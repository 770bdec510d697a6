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
        /** Somebody set a limit of so much. */
        LIMIT,
        /** A process was killed and nobody says why. */
        KILLED,
        /** Nearly all of it is in use. */
        FULL,
        /** So much of the host's memory caches files. */
        PAGE_CACHE,
        /** A sentence is about this memory. */
        NAMED,
        /** One version of a program is compared with another. */
        COMPARES_VERSIONS,
        /** One rank, device or node differs from the others. */
        RANKS_DIFFER,
        /** What was deleted or ended is not given back. */
        NOT_GIVEN_BACK,
        /** No process is listed on a device. */
        NOBODY_LISTED,
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
        RMM
    }
}
