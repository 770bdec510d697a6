package dev.leakline.known;

/** How to record what a snapshot lacks. */
public final class Recording {
    /** The call that records enough: a million events are some thousand steps, Python's frames are cheap. */
    public static final String CALL =
            "torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks=\"python\")";

    private Recording() {}

    /** What a recording lacks that has fewer steps than are needed. */
    public static String needsSteps(int needed, int found) {
        return "needs at least " + needed + " steps, and found " + found + ": record more of the run, with " + CALL;
    }
}
