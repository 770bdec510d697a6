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

    /** A forecast from the blocks since growth began; null where it cannot be told. */
    static @Nullable FullAt of(FigureTrack track, double since, double limit) {
        for (int number = track.blocks().top(); number >= 0; number--) {
            Ring level = track.blocks().level(number);
            int from = 0;
            while (from < level.size() && level.clock(from) < since) {
                from++;
            }
            if (level.size() - from >= (number == 0 ? FEWEST_OF_SMALLEST : FEWEST)) {
                return of(track, level, from, limit);
            }
        }
        return null;
    }

    private static @Nullable FullAt of(FigureTrack track, Ring level, int from, double limit) {
        int end = level.size() - 1;
        int steps = end - from;
        double mean = (level.middle(end) - level.middle(from)) / steps;
        double seconds = (level.clock(end) - level.clock(from)) / steps;
        if (!(mean > 0) || !(seconds > 0)) {
            return null;
        }
        double squares = 0;
        for (int i = from + REACH; i <= end; i++) {
            double off = level.middle(i) - level.middle(i - REACH) - REACH * mean;
            squares += off * off;
        }
        double variance = squares / (steps - REACH + 1) / REACH / (1 - (double) REACH / steps);
        // A request fails at a peak: as much above the middle of its block as those of the newest, less what that grew
        // by.
        double peak = level.high(end) - level.middle(end) - mean / 2;
        double room = limit - (level.middle(end) - track.series().shift()) - peak;
        double ahead = Math.max(LEAST_BLOCKS, room / mean);
        double off = NINE_TENTHS * Math.sqrt(variance * (ahead + ahead * ahead / steps)) / mean;
        double last = track.series().lastT();
        double now = last - (track.clock() - level.clock(end));
        return new FullAt(
                Math.max(last, now + ahead * seconds),
                Math.max(last, now + (ahead - off) * seconds),
                Math.max(last, now + (ahead + off) * seconds));
    }
}
