package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.result.Lever;
import dev.leakline.result.Site;
import org.jspecify.annotations.Nullable;

/** The saving of a change: three edits of the recorded lives, for the least, the likely and the most, and the line of its largest block. */
final class Claim {
    final Edit least;
    final Edit likely;
    final Edit most;

    private final PeakScene scene;
    private long largest;
    private @Nullable Site site;

    Claim(PeakScene scene) {
        this.scene = scene;
        least = scene.timeline.edit();
        likely = scene.timeline.edit();
        most = scene.timeline.edit();
    }

    /** Takes bytes of which so many go, at the least, likely, and at most. */
    void take(int first, int end, long atLeast, long probably, long atMost) {
        least.take(first, end, atLeast);
        likely.take(first, end, probably);
        most.take(first, end, atMost);
    }

    /** Takes so much of a block for as long as it lives. */
    void takeOf(int allocation, long atLeast, long probably, long atMost) {
        least.takeOf(allocation, atLeast);
        likely.takeOf(allocation, probably);
        most.takeOf(allocation, atMost);
    }

    /** Takes a block from an event until it dies, at the least, likely, and at most. */
    void free(int allocation, int atLeast, int probably, int atMost) {
        int died = scene.lifetimes.died(allocation);
        least.take(atLeast, died, scene.size(allocation));
        likely.take(probably, died, scene.size(allocation));
        most.take(atMost, died, scene.size(allocation));
    }

    /** Takes a block for as long as it lives, and its line. */
    void remove(int allocation) {
        takeOf(allocation, scene.size(allocation), scene.size(allocation), scene.size(allocation));
        isAt(allocation, scene.site(allocation));
    }

    /** Frees each of what a pass keeps, in order of births, when so many that come after it are there. */
    void shorten(IntArrayList kept) {
        shorten(kept, PeakScene.MOST_AT_ONCE, least);
        shorten(kept, PeakScene.AT_ONCE, likely);
        shorten(kept, 1, most);
    }

    private void shorten(IntArrayList kept, int atOnce, Edit edit) {
        for (int i = 0; i + atOnce < kept.size(); i++) {
            int next = scene.lifetimes.born(kept.get(i + atOnce));
            edit.take(next, scene.lifetimes.died(kept.get(i)), scene.size(kept.get(i)));
        }
    }

    /** Names a line if no larger block has named one. */
    void isAt(int allocation, @Nullable Site line) {
        if (scene.size(allocation) > largest) {
            largest = scene.size(allocation);
            site = line;
        }
    }

    /** The size of the block that names the line. */
    long largest() {
        return largest;
    }

    @Nullable
    Site site() {
        return site;
    }

    /** The change at the line of the largest block; null where there is none. */
    @Nullable
    Lever lever(Lever.Kind kind, String explanation, String width) {
        return largest == 0 ? null : lever(kind, site, explanation, width);
    }

    /** The change; {@code width} says why less or more than the likely may be saved. */
    Lever lever(Lever.Kind kind, @Nullable Site line, String explanation, String width) {
        return Lever.of(kind, line, likely.peak(), least.saved(), likely.saved(), most.saved(), explanation, width);
    }
}
