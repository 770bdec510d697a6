package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a process, as the device that allocates most shows them. They hold for its other devices and for its pinned host memory, whose
 * own events may show only what is suspected: where each request keeps a buffer, nothing else says that requests are served.
 *
 * @param steps as events of the device that showed them
 * @param events of that device
 */
public record ProcessSteps(Steps steps, DeviceEvents events) {
    /** The same steps as events of another device of the process; null where nothing repeats, no times tell, or most of it lies outside. */
    public @Nullable Steps on(Lifetimes other) {
        if (!steps.kind().repeats() || steps.count() == 0 || events.timeMicros(0) == 0) {
            return null;
        }
        IntArrayList starts = new IntArrayList();
        for (int step = 0; step <= steps.count(); step++) {
            starts.add(other.events().firstFrom(time(step)));
        }
        return StepFinder.isCovered(starts, other) ? new Steps(steps.kind(), steps.meaning(), starts) : null;
    }

    /** When a step begins; the last ends with its last event. */
    private long time(int step) {
        int start = steps.start(step);
        return start < events.count() ? events.timeMicros(start) : Long.MAX_VALUE;
    }

    /** Returns whether steps of a device are rather its own: those of a loop that turns more often than that of the process. */
    public static boolean isRicher(Steps own, Steps shared) {
        return own.kind() == Kind.ANNOTATION
                || (own.kind().repeats() && own.count() >= StepFinder.RICHER * shared.count());
    }
}
