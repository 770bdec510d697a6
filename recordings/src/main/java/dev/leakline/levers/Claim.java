package dev.leakline.levers;

import dev.leakline.levers.Timeline.Edit;
import dev.leakline.result.Lever;
import dev.leakline.result.Site;
import org.jspecify.annotations.Nullable;

/** What a change would save: three edits of the recorded lives, with the least, the likely and the most of it. */
final class Claim {
    final Edit least;
    final Edit likely;
    final Edit most;

    Claim(PeakScene scene) {
        least = scene.timeline.edit();
        likely = scene.timeline.edit();
        most = scene.timeline.edit();
    }

    /** Takes bytes that surely go from one event until before another. */
    void take(int first, int end, long bytes) {
        take(first, end, bytes, bytes, bytes);
    }

    /** Takes bytes of which so many go, at the least, likely, and at most. */
    void take(int first, int end, long atLeast, long probably, long atMost) {
        least.take(first, end, atLeast);
        likely.take(first, end, probably);
        most.take(first, end, atMost);
    }

    /** The change; {@code width} says why less or more than the likely may be saved. */
    Lever lever(Lever.Kind kind, @Nullable Site site, String explanation, String width) {
        return Lever.of(kind, site, likely.peak(), least.saved(), likely.saved(), most.saved(), explanation, width);
    }
}
