package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.result.StepSummary.Kind;

/**
 * The steps of a recording: events [{@code start(i)}, {@code start(i + 1)}) are step {@code i}. What comes before the first step is set-up;
 * what comes after the end of the last is the tail, which may be a step cut short.
 *
 * <p>Made by {@link StepFinder}; read-only.
 */
public final class Steps {
    private final Kind kind;
    private final String meaning;
    private final int[] starts;

    /** Steps that begin at the given events, in order; the last entry is the end of the last step. */
    Steps(Kind kind, String meaning, IntArrayList starts) {
        this.kind = kind;
        this.meaning = meaning;
        this.starts = starts.toArray();
    }

    /** The source of the steps. */
    public Kind kind() {
        return kind;
    }

    /** Says what one step is, in a few words. */
    public String meaning() {
        return meaning;
    }

    /** Steps. */
    public int count() {
        return Math.max(starts.length - 1, 0);
    }

    /** The event that begins a step; that of {@link #count()} is the event after the last step. */
    public int start(int step) {
        return starts[step];
    }

    /** The step that an event belongs to: -1 for set-up, {@link #count()} for the tail. */
    public int of(int event) {
        int low = 0;
        int high = starts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts[middle] <= event) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
