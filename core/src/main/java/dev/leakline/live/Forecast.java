package dev.leakline.live;

import dev.leakline.result.WatchEvent.FullAt;
import org.jspecify.annotations.Nullable;

/** When a growing figure reaches its limit. */
final class Forecast {
    static double Q = 1.645;
    static int FEWEST = 10;

    /** Null where it cannot be told. */
    static @Nullable FullAt of(FigureTrack track, double since, double limit) {
        BlockLevels blocks = track.blocks();
        int best = -1;
        int from = 0;
        for (int l = blocks.top(); l >= 0; l--) {
            BlockLevels.Level level = blocks.level(l);
            int first = 0;
            while (first < level.size() && level.clock(first) < since) {
                first++;
            }
            if (level.size() - first >= 16 || (l == 0 && level.size() - first >= 8)) {
                best = l;
                from = first;
                break;
            }
        }
        if (best < 0) {
            return null;
        }
        BlockLevels.Level level = blocks.level(best);
        int n = level.size() - from;
        double end = level.middle(level.size() - 1);
        double mean = (end - level.middle(from)) / (n - 1);
        double var = 0;
        for (int i = from + 1; i < level.size(); i++) {
            double d = level.middle(i) - level.middle(i - 1) - mean;
            var += d * d;
        }
        double sd = Math.sqrt(var / (n - 1));
        double spans = (level.clock(level.size() - 1) - level.clock(from)) / (n - 1);
        if (!(mean > 0) || !(spans > 0)) {
            return null;
        }
        double high = level.high(level.size() - 1) - end - mean / 2;
        double room = limit - (end - track.shift()) - high;
        double ahead = Math.max(0.1, room / mean);
        double dev = Math.sqrt(ahead * sd * sd + ahead * ahead * sd * sd / (n - 1)) / mean;
        double now = track.lastT() - (track.clock() - level.clock(level.size() - 1));
        double e = now + ahead * spans;
        return new FullAt(e, Math.max(track.lastT(), now + (ahead - Q * dev) * spans), now + (ahead + Q * dev) * spans);
    }
}
