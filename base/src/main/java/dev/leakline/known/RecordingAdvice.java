package dev.leakline.known;

import dev.leakline.columns.Recorder;
import dev.leakline.result.Finding.Advice;

/** Advice on how to record what a recording lacks. */
public final class RecordingAdvice {
    /** The call that records enough: a million events are some thousand steps, Python's frames are cheap. */
    public static final String CALL =
            "torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks=\"python\")";

    /** The call that puts memory and its stacks into a profiler's trace, and marks steps. */
    public static final String PROFILER_CALL =
            "torch.profiler.profile(profile_memory=True, with_stack=True), its step() called after each";

    /** Advice on host memory that grows. */
    public static final Advice HOST = Advice.of(
            "Attach while it grows: leakline attach PID; and compare two tracemalloc snapshots for Python objects",
            "The dump lists CPU tensors and what keeps them; native memory outside of both points to a library, or to malloc"
                    + " arenas (MALLOC_ARENA_MAX=2).",
            0);

    private RecordingAdvice() {}

    /** The advice for a recording with fewer steps than needed. */
    public static String needsSteps(Recorder recorder, int needed, int found) {
        return "needs at least " + needed + " steps, and found " + found + ": record more of the run"
                + (recorder == Recorder.PROFILER ? ", with " + PROFILER_CALL : "");
    }
}
