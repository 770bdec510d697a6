package dev.leakline.functions;

import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.functions.CallTimeline.Part;
import dev.leakline.result.Growth;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.statistics.Slope;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rounds over which a floor grows, but for those in which it only jumps: an optimizer's first step takes its state, a longer input a larger
 * workspace. What they add is no growth, and whoever adds it is not to blame for what grows.
 */
final class Stretch {
    /** What is so many times the usual rise is another matter. */
    private static final double JUMP = 10;
    /** More than one round in twenty is no exception but a kind of round; but those of the warm-up always are. */
    private static final double FEW = 0.05;

    private final CallTimeline timeline;
    private final Rounds rounds;
    private final int first;
    private final int last;
    private final long[] floor;
    private final IntHashSet jumps = new IntHashSet();

    /** The rounds between two points of the floor. */
    Stretch(CallTimeline timeline, Rounds rounds, int first, int last) {
        this.timeline = timeline;
        this.rounds = rounds;
        this.first = first;
        this.last = last;
        this.floor = rounds.floor();
        findJumps();
    }

    private long rise(int round) {
        return floor[round + 1] - floor[round];
    }

    private void findJumps() {
        long[] rises = new long[last - first];
        int count = 0;
        for (int round = first; round < last; round++) {
            if (rise(round) > 0) {
                rises[count++] = rise(round);
            }
        }
        Arrays.sort(rises, 0, count);
        double usual = count == 0 ? 0 : rises[count / 2];
        IntHashSet late = new IntHashSet();
        for (int round = first; round < last; round++) {
            if (rise(round) > JUMP * usual) {
                (round < SpikeRule.WARM_UP ? jumps : late).add(round);
            }
        }
        if (late.size() <= FEW * (last - first)) {
            jumps.addAll(late);
        }
    }

    /** What each added in these rounds. */
    Map<Part, Long> moved() {
        Map<Part, Long> moved = new LinkedHashMap<>(timeline.moved(rounds.sample(first), rounds.sample(last)));
        for (int round = first; round < last; round++) {
            if (jumps.contains(round)) {
                timeline.moved(rounds.sample(round), rounds.sample(round + 1))
                        .forEach((part, bytes) -> moved.merge(part, -bytes, Long::sum));
            }
        }
        return moved;
    }

    /** The slope of the growth, without the rounds in which it only jumps. */
    Slope slope() {
        long[] levelled = floor.clone();
        long jumped = 0;
        for (int round = first; round < last; round++) {
            jumped += jumps.contains(round) ? rise(round) : 0;
            levelled[round + 1] -= jumped;
        }
        return new Slope(levelled, first, last);
    }

    /** A rate of bytes per round as one per second; NaN where the rounds took no time. */
    double perSecond(double perRound) {
        double seconds = rounds.time(last) - rounds.time(first);
        return seconds > 0 ? perRound * (last - first) / seconds : Double.NaN;
    }

    /** How a share of the growth grows. */
    Growth growth(Slope slope, double share, int rises) {
        return new Growth(
                slope.low() * share,
                slope.high() * share,
                share,
                first,
                last,
                rises,
                floor.length,
                "one round of calls",
                0,
                FloorPoint.of(floor));
    }
}
