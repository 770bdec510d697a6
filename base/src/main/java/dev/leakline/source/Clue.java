package dev.leakline.source;

import dev.leakline.result.Conclusion.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Something that a program printed about memory outside of messages and figures: a limit, a row of a table, a mark of what it does.
 *
 * @param kind what it is
 * @param resource which memory it is about; null where it does not say
 * @param bytes the size in it, 0 where it has none
 * @param line the line, from 1
 * @param text what stands there
 * @param name how a fact of this size is called; empty where its kind says it
 * @param device the ordinal of the device, -1 where nobody says
 * @param owner whose it is: a process by its number and name, or the program or monitor that prints it; may be empty
 */
public record Clue(
        Kind kind,
        @Nullable Resource resource,
        long bytes,
        long line,
        String text,
        String name,
        int device,
        String owner) {
    /** Something of no device in particular, called by its kind. */
    public Clue(Kind kind, @Nullable Resource resource, long bytes, long line, String text) {
        this(kind, resource, bytes, line, text, "", -1, "");
    }

    /** Kinds of clues. */
    public enum Kind {
        /** Words that tell what a program does, or what went wrong: a row of marks.txt by its name. */
        MARK,
        /** The text is source code in Python, of which nothing was printed. */
        PYTHON_SOURCE,
        /** The Python that the text shows, each line at its place. */
        PYTHON_CODE,
        /** A number of tokens or layers, by its name, in place of bytes. */
        COUNT,
        /** A frame of a traceback in the user's own code. */
        TRACEBACK,
        /** Memory in use. */
        USED,
        /** Memory that PyTorch has allocated. */
        ALLOCATED,
        /** Memory that PyTorch has from the driver. */
        RESERVED,
        /** Free memory. */
        FREE,
        /** All memory. */
        TOTAL,
        /** Memory of a process. */
        PROCESS,
        /** The share in use, in hundredths of a per cent, in place of bytes. */
        SHARE,
        /** A size that has a name of its own, beside what is in use at one moment. */
        PART,
        /** A size that a program prints of what it allocates when it starts. */
        START,
        /** A limit. */
        LIMIT,
        /** Memory in a heap profile. */
        HEAP,
        /** Memory of a heap profile that was allocated at the place that leads it. */
        HEAP_SITE
    }

    /** Returns whether it is about memory by itself: it names which, or has a size. */
    public boolean isAboutMemory() {
        return resource != null || bytes > 0;
    }
}
