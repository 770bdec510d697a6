package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The host's memory of a process: a sum that closes, and what of it grows.
 *
 * @param bytes the resident set at the last look, and, where that has risen, what processes below have alone
 * @param parts what that is used for, largest first; {@link #unexplained} is the rest
 * @param unexplained bytes less the parts; below 0 where the parts overlap
 * @param looks how many looks the growth rests on
 * @param seconds from the first of them to the last
 * @param verdict what grows means
 * @param kind the part that grows, null where none does
 * @param growthPerSecond bytes by which that part grows; where none is named, those by which all that is in use does, 0 where that is level
 * @param state whether that part is in use, or, where none grows, most of the memory
 * @param sentence the verdict in a sentence
 * @param owner the collection that keeps what grows, as the code names it; null where none was found
 * @param site the line that adds to it; null where that was not found
 * @param allocator the call of C or C++ code that allocates what grows; null where it was not sampled ({@code --native})
 * @param experiments what was tried in the process and gave memory back; empty where nothing was requested
 * @param advice what to do, the best first
 */
public record HostMemory(
        long bytes,
        List<Part> parts,
        long unexplained,
        int looks,
        double seconds,
        Verdict verdict,
        @Nullable Kind kind,
        double growthPerSecond,
        State state,
        String sentence,
        @Nullable String owner,
        @Nullable Frame site,
        @Json.Property("native") @Nullable NativeCall allocator,
        List<Experiment> experiments,
        List<String> advice) {

    /** The memory of a process of which only figures of its whole are known, and that grows as a finding says. */
    public static HostMemory grown(Finding finding) {
        return new HostMemory(
                finding.bytes(),
                List.of(),
                finding.bytes(),
                0,
                0,
                Verdict.UNDETERMINED,
                null,
                finding.bytesPerSecond() > 0 ? finding.bytesPerSecond() : 0,
                State.LIVE,
                finding.summary(),
                null,
                null,
                null,
                List.of(),
                finding.advice().stream().map(Finding.Advice::action).toList());
    }

    /** Verdicts on the growth of a process's host memory. */
    public enum Verdict {
        /** Memory in use grows without a bound that was seen. */
        LEAK,
        /** Free memory grows, which an allocator or the system keeps. */
        CACHED,
        /** Nothing grows, or up to a bound. */
        NO_LEAK,
        /** The looks are too few or too uneven to say. */
        UNDETERMINED
    }

    /**
     * A call of C or C++ code that allocates what grows, sampled by chance.
     *
     * @param library the file of the library
     * @param function the function; null where no table of symbols names it
     * @param pythonSite the line of Python that called it, the user's where one is on the stack; null where Python's frames could not be read
     * @param bytes estimated, that came from the first look to the last
     */
    public record NativeCall(
            String library,
            @Nullable String function,
            @Nullable Frame pythonSite,
            long bytes) {
        /** The same call with so many bytes. */
        public NativeCall with(long grown) {
            return new NativeCall(library, function, pythonSite, grown);
        }

        /** It in a sentence. */
        public String words() {
            return (function == null ? library : function + " of " + library)
                    + (pythonSite == null ? "" : ", called at " + pythonSite.fileAndLine());
        }
    }

    /**
     * A call in the process that gives memory back.
     *
     * @param name the function
     * @param returned bytes by which the resident set fell
     */
    public record Experiment(String name, long returned) {}

    /** States of memory. */
    public enum State {
        /** In use. */
        LIVE,
        /** Kept for later use. */
        CACHED
    }

    /** Uses of memory. */
    public enum Kind {
        /** Objects of Python, with their tables and buffers. */
        PYTHON_OBJECTS("Python objects", State.LIVE),
        /** Free memory of Python's allocator, in arenas in which something lives. */
        PYTHON_FREE("free memory that Python keeps", State.CACHED),
        /** Storages of PyTorch tensors on the CPU. */
        HOST_TENSORS("CPU tensors", State.LIVE),
        /** Arrays of numpy that own their memory. */
        NUMPY("numpy arrays", State.LIVE),
        /** In use by malloc, and no object of Python shows it. */
        NATIVE_LIVE("memory of C and C++ code", State.LIVE),
        /** The allocations that PyTorch has recorded, as under {@code leakline run}; they are bounded. */
        HISTORY("PyTorch's history of allocations", State.LIVE),
        /** Free, but kept by malloc. */
        MALLOC_FREE("free memory that malloc keeps", State.CACHED),
        /** Tensors in pinned memory. */
        PINNED_LIVE("pinned tensors", State.LIVE),
        /** Bytes of pinned blocks beyond the size that was requested. */
        PINNED_ROUNDING("rounding of pinned blocks", State.CACHED),
        /** Pinned blocks that PyTorch keeps for reuse. */
        PINNED_CACHED("pinned blocks that PyTorch keeps", State.CACHED),
        /** Memory shared with other processes. */
        SHARED_MEMORY("shared memory", State.LIVE),
        /** Pages of files, which the system drops when it needs memory. */
        FILE("pages of files", State.CACHED),
        /** Pages of libraries that were written to. */
        LIBRARY_DATA("data of libraries", State.LIVE),
        /** Stacks of threads. */
        STACKS("stacks of threads", State.LIVE),
        /** Memory that was mapped without malloc. */
        ANONYMOUS_MAPS("anonymous mappings", State.LIVE),
        /** Memory that processes below this one have alone. */
        CHILDREN("child processes", State.LIVE),
        /** Pages that forked processes have copied, as they wrote to them. */
        COPY_ON_WRITE("pages copied by forked workers", State.LIVE);

        private final String words;
        private final State state;

        Kind(String words, State state) {
            this.words = words;
            this.state = state;
        }

        /** The name of the part in a sentence. */
        public String words() {
            return words;
        }

        /** The state of such memory. */
        public State state() {
            return state;
        }
    }

    /**
     * A part of the memory.
     *
     * @param kind what it is used for
     * @param bytes at the last look
     * @param growthPerSecond the median rate between looks, in bytes; 0 where there was one look
     * @param growthPerStep the same per step of the job; null where it counts none
     */
    public record Part(
            Kind kind,
            long bytes,
            double growthPerSecond,
            @Nullable Double growthPerStep) {}
}
