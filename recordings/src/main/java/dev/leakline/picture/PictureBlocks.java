package dev.leakline.picture;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.PoolTable.PoolId;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.SegmentLives;
import dev.leakline.lifetime.SegmentLives.Life;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The blocks and segments of a picture: all that lived at any of its moments, from birth to death, so that a page can lay out each of these
 * moments.
 */
final class PictureBlocks {
    private final Evidence evidence;
    private final Lifetimes lifetimes;
    private final Moments moments;
    private final int[] allocations;
    private final MomentSums live;
    private final MomentSums reserved;
    private final List<Life> segments = new ArrayList<>();
    private final int omittedSegments;
    private final boolean isDetailed;
    private boolean isWhole;

    PictureBlocks(Evidence evidence, Moments moments, PictureLimits limits) {
        this.evidence = evidence;
        this.lifetimes = evidence.lifetimes();
        this.moments = moments;
        this.live = new MomentSums(moments);
        this.reserved = new MomentSums(moments);
        this.isDetailed = limits.isDetailed();
        this.allocations = allocations(limits);
        SegmentLives.forEach(evidence.columns(), lifetimes, this::take);
        this.omittedSegments = Math.max(segments.size() - limits.segments(), 0);
        leaveLargest(limits.segments());
    }

    private void take(Life segment) {
        reserved.add(segment.born(), segment.died(), segment.size());
        if (isDetailed || moments.sees(segment.born(), segment.died())) {
            segments.add(segment);
        }
    }

    private void leaveLargest(int most) {
        segments.sort(
                Comparator.comparingLong(Life::size).reversed().thenComparing(Life::address, Long::compareUnsigned));
        segments.subList(Math.min(most, segments.size()), segments.size()).clear();
        segments.sort((a, b) -> Long.compareUnsigned(a.address(), b.address()));
    }

    /** The allocations that live at any moment, the largest where they are too many; by birth. */
    private int[] allocations(PictureLimits limits) {
        IntArrayList seen = new IntArrayList();
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            int died = lifetimes.died(allocation);
            if (moments.sees(born, died)) {
                live.add(born, died, lifetimes.held(allocation));
                seen.add(allocation);
            }
        }
        isWhole = seen.size() <= limits.blocks();
        return largest(seen, limits.blocks())
                .boxed()
                .sorted(Comparator.comparingInt(lifetimes::born).thenComparing(allocation -> allocation))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private IntStream largest(IntArrayList seen, int most) {
        if (seen.size() <= most) {
            return Arrays.stream(seen.toArray());
        }
        return Arrays.stream(seen.toArray())
                .boxed()
                .sorted(Comparator.comparingLong((Integer allocation) -> -lifetimes.held(allocation)))
                .limit(most)
                .mapToInt(Integer::intValue);
    }

    /** The numbers of the allocations, by birth. */
    int[] allocations() {
        return allocations.clone();
    }

    /** Returns whether all that lived at any of the moments is among them. */
    boolean isWhole() {
        return isWhole;
    }

    /** The moments; where every event is one and segments say what was reserved, nothing needs to be said of them. */
    Picture.Moments moments() {
        if (!evidence.columns().reserved.isEmpty()) {
            return new Picture.Moments(Ints.of(moments.events()), live.sums(), stated());
        }
        return moments.isEvery()
                ? new Picture.Moments(Ints.NONE, Longs.NONE, Longs.NONE)
                : new Picture.Moments(Ints.of(moments.events()), live.sums(), reserved.sums());
    }

    /** The reserved bytes that the recording itself states, where it has no segments to add up. */
    private Longs stated() {
        return Longs.of(Arrays.stream(moments.events())
                .mapToLong(event ->
                        evidence.columns().reserved.after(lifetimes.events().row(Math.max(event, 0))))
                .toArray());
    }

    /** The segments, by address. */
    List<Segment> segments() {
        return segments.stream().map(this::segment).toList();
    }

    private Segment segment(Life life) {
        PoolId pool = evidence.columns().pools.get(life.pool());
        return new Segment(
                life.address(),
                life.size(),
                life.born(),
                life.died(),
                life.isLarge(),
                life.isExpandable(),
                life.pool() == 0 ? null : pool.first() + "," + pool.second(),
                life.stream());
    }

    /** Allocations. */
    int count() {
        return allocations.length;
    }

    /** Segments that were left out, the smallest ones. */
    int omittedSegments() {
        return omittedSegments;
    }

    /** Sums of bytes at moments. What lives from one event until another is added once, whatever it lives through. */
    private static final class MomentSums {
        private final Moments moments;
        /** By how much the sum at each moment differs from that at the one before. */
        private final long[] changes;

        MomentSums(Moments moments) {
            this.moments = moments;
            this.changes = new long[moments.count() + 1];
        }

        void add(int born, int died, long bytes) {
            changes[moments.firstFrom(born)] += bytes;
            changes[died == Integer.MAX_VALUE ? moments.count() : moments.firstFrom(died)] -= bytes;
        }

        /** The sum at each moment. */
        Longs sums() {
            long[] sums = new long[moments.count()];
            long sum = 0;
            for (int moment = 0; moment < sums.length; moment++) {
                sum += changes[moment];
                sums[moment] = sum;
            }
            return Longs.of(sums);
        }
    }
}
