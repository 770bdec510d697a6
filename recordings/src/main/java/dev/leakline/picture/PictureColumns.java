package dev.leakline.picture;

import dev.leakline.columns.BlockState;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.Picture.Allocations;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Allocations as the columns of a picture, with the site and the call of each. */
final class PictureColumns {
    private final Evidence evidence;
    private final Lifetimes lifetimes;
    private final PictureSites sites;
    private final PictureCalls calls;

    PictureColumns(Evidence evidence, PictureSites sites, PictureCalls calls) {
        this.evidence = evidence;
        this.lifetimes = evidence.lifetimes();
        this.sites = sites;
        this.calls = calls;
    }

    /** The columns of some allocations, in their order. */
    Allocations of(int[] allocations) {
        return new Allocations(
                ints(allocations, lifetimes::born),
                ints(allocations, lifetimes::died),
                ints(allocations, this::released),
                Longs.of(Arrays.stream(allocations).mapToLong(lifetimes::held).toArray()),
                Longs.of(
                        Arrays.stream(allocations).mapToLong(lifetimes::address).toArray()),
                ints(allocations, sites::of),
                ints(allocations, calls::of));
    }

    private static Ints ints(int[] allocations, IntUnaryOperator column) {
        return Ints.of(Arrays.stream(allocations).map(column).toArray());
    }

    /** The event from which on a block only waits for other streams; the last one where the final state alone says that it does. */
    private int released(int allocation) {
        int requested = lifetimes.freeRequested(allocation);
        int block = lifetimes.block(allocation);
        boolean isWaiting = block >= 0 && evidence.columns().blocks.state(block) == BlockState.PENDING_FREE;
        if (requested == Lifetimes.NEVER && isWaiting) {
            return lifetimes.events().count() - 1;
        }
        return requested < lifetimes.died(allocation) ? requested : Lifetimes.NEVER;
    }
}
