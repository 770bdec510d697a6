package dev.leakline.objects;

import dev.leakline.result.Frame;
import java.util.List;
import java.util.Map;

/**
 * The header of a holder dump.
 *
 * @param python the version of Python, empty where it is not said
 * @param torch the version of torch, empty where there is none
 * @param program the name of the program
 * @param reason why the dump was made: request, interval, exit or oom
 * @param pid the process, 0 where it is not said
 * @param startedMicros when the process began, in Unix microseconds; with {@code pid} it tells processes apart
 * @param timeMicros when the dump was made, in Unix microseconds
 * @param pauseMillis how long the process was paused
 * @param rank the process's number among those of the job, -1 where it has none
 * @param step the step that the job was in, -1 where nobody counts
 * @param isInherited whether it was made in a forked child, which holds copies of its parent's objects
 * @param objects objects that were looked at
 * @param frozen objects that {@code gc.freeze} hides from the collector
 * @param threads threads that ran
 * @param collectedBytes device memory that Python's collector gave back so far
 * @param collectingRuns the collector's runs that did
 * @param collectCalls lines that called the collector when it gave back device memory
 * @param graph whether the autograd graph was walked: walked, cut or skipped
 * @param graphReason why it was not
 * @param bounds by object, how many items a container keeps at most, where it says so itself
 * @param notes what could not be looked at, in sentences
 */
public record DumpHeader(
        String python,
        String torch,
        String program,
        String reason,
        long pid,
        long startedMicros,
        long timeMicros,
        long pauseMillis,
        long rank,
        long step,
        boolean isInherited,
        long objects,
        long frozen,
        long threads,
        long collectedBytes,
        long collectingRuns,
        List<Frame> collectCalls,
        String graph,
        String graphReason,
        Map<Integer, Long> bounds,
        List<String> notes) {
    /** Returns whether the autograd graph was walked, at least in part: what it keeps has an owner then. */
    public boolean isGraphRead() {
        return !graph.equals("skipped");
    }
}
