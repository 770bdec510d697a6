package dev.leakline.live;

import dev.leakline.live.BlockLevels.Ring;
import dev.leakline.result.WatchEvent.FullAt;
import org.jspecify.annotations.Nullable;

/**
 * When a growing figure reaches its limit. The steps from block to block ahead vary as those behind did, and their mean is known from those alone:
 * both make the interval wide, which so holds the truth for steady growth as for growth by leaps.
 */
final class Forecast {
    /** Blocks that tell how steps vary. */
    private static final int FEWEST = 16;
    /** Where even the smallest blocks are fewer. */
    private static final int FEWEST_OF_SMALLEST = 8;
    /** Standard deviations within which nine tenths of a normal distribution lie. */
    private static final double NINE_TENTHS = 1.645;
    /** The least time until memory is full, in blocks. */
    private static final double LEAST_BLOCKS = 0.1;

    /** Steps that are taken together: noise about a level takes back what it gave, growth by leaps does not. */
    private static final int REACH = 3;

    private Forecast() {}

    /**
     * A forecast from the blocks since growth began, which holds that since it may have begun as well: what leaps seems to begin with its last leaps. Null
     * where it cannot be told.
     */
    static @Nullable FullAt of(FigureTrack track, double since, double earliest, double limit) {
        FullAt now = of(track, since, limit);
        FullAt all = earliest < since ? of(track, earliest, limit) : now;
        return now == null || all == null
                ? now
                : new FullAt(now.estimate(), Math.min(now.low(), all.low()), Math.max(now.high(), all.high()));
    }

    /** A forecast from the blocks since a time; null where it cannot be told. */
    private static @Nullable FullAt of(FigureTrack track, double since, double limit) {
        for (int number = track.blocks().top(); number >= 0; number--) {
            Ring ring = track.blocks().ring(number);
            int from = 0;
            while (from < ring.size() && ring.clock(from) < since) {
                from++;
            }
            if (ring.size() - from >= (number == 0 ? FEWEST_OF_SMALLEST : FEWEST)) {
                return of(track, ring, from, limit);
            }
        }
        return null;
    }

    private static @Nullable FullAt of(FigureTrack track, Ring ring, int from, double limit) {
        int end = ring.size() - 1;
        int steps = end - from;
        double mean = (ring.middle(end) - ring.middle(from)) / steps;
        double seconds = (ring.clock(end) - ring.clock(from)) / steps;
        if (!(mean > 0) || !(seconds > 0)) {
            return null;
        }
        double squares = 0;
        for (int i = from + REACH; i <= end; i++) {
            double off = ring.middle(i) - ring.middle(i - REACH) - REACH * mean;
            squares += off * off;
        }
        double variance = squares / (steps - REACH + 1) / REACH / (1 - (double) REACH / steps);
        // A request fails at a peak: as much above the middle of its block as those of the newest, less what that grew
        // by.
        double peak = ring.high(end) - ring.middle(end) - mean / 2;
        double room = limit - (ring.middle(end) - track.series().shift()) - peak;
        double ahead = Math.max(LEAST_BLOCKS, room / mean);
        double off = NINE_TENTHS * Math.sqrt(variance * (ahead + ahead * ahead / steps)) / mean;
        double last = track.series().lastT();
        double now = last - (track.clock() - ring.clock(end));
        return new FullAt(
                Math.max(last, now + ahead * seconds),
                Math.max(last, now + (ahead - off) * seconds),
                Math.max(last, now + (ahead + off) * seconds));
    }
}
