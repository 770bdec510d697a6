package dev.leakline.functions;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.functions.Balance.Kept;
import dev.leakline.functions.CallTimeline.Part;
import dev.leakline.functions.Rounds.LowestValues;
import dev.leakline.result.Growth;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.series.CurveShape;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Slope;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what grows, round after round, in the calls on one device, and who keeps it.
 *
 * <p>That a call ends with more than it began with says nothing: {@code forward} keeps what {@code backward} frees. So nothing is judged by
 * what calls add, but the floors of rounds ({@link Rounds}) by whether they grow without a ceiling ({@link CurveShape}), as any figure is that is
 * a sum of what nobody sees. Any function may be the one that a loop calls; of all whose floors grow over the same time, the one counts in
 * whose rounds they rise most often. Only then is asked who keeps what grows ({@link Balance}): calls, or code between them.
 *
 * <p>Three to seven rounds are too few for the test. What grows in each of them, about evenly and by much, is named all the same, and said
 * to be uncertain; unless a loop within those rounds can be judged, which then is.
 */
final class LeakFinder {
    /** Rounds that hold as many rises as a test needs, and a warm-up of two. */
    private static final int FEWEST_ROUNDS = Thresholds.FEWEST_STEPS;
    /** Two points make a line whatever they are; three need not. */
    private static final int FEWEST_SHORT_RISES = 3;
    /** The most by which rounds that all leak alike differ, as a factor: a warm-up takes most in its first round. */
    private static final double EVEN = 2;
    /** Least share of the memory allocated before: caches and workspaces, which come within a few rounds and stay, are smaller. */
    private static final double STEEP = 0.1;
    /** Less in all is less than a single large block of the allocator, which no job will miss. */
    private static final long LEAST = ByteSize.MIB;
    /** The least share of a growth that makes a function responsible for it. */
    private static final double SHARE = 0.01;
    /** The same for who is given back most of what he takes, and not quite the same each time: a quarter. */
    private static final double SHARE_OF_SWAP = 0.25;

    private final CallTimeline timeline;
    private final ThresholdSet thresholds;
    private final List<Leak> leaks = new ArrayList<>();
    private final List<Rounds> buildUps = new ArrayList<>();
    /** The first and the last sample of what has been explained. */
    private final TreeMap<Integer, Integer> explained = new TreeMap<>();

    private int judged;
    private boolean open;
    private @Nullable Rounds longest;

    LeakFinder(CallTimeline timeline, ThresholdSet thresholds) {
        this.timeline = timeline;
        this.thresholds = thresholds;
        find();
    }

    /** The leaks, the most certain first. */
    List<Leak> leaks() {
        return leaks;
    }

    /** The loops that only build something up. */
    List<Rounds> buildUps() {
        return buildUps;
    }

    /** The longest loop, which is the best to judge by; null where no function was called often enough. */
    @Nullable
    Rounds longest() {
        return longest;
    }

    /** Returns whether a loop's floor varies too much to say whether it grows. */
    boolean isOpen() {
        return open;
    }

    /** How many rounds the longest loop that could be judged has; 0 where none could. */
    int judged() {
        return judged;
    }

    /** A loop whose floor was tested: from when on it grows, if it does, in how many of its rounds it rises, and the evidence that it goes on. */
    private record Tested(Rounds rounds, int first, int last, int rises, double evidence) {
        /** Where a floor clicks to the end its growth is known to the round, else since it is warm. */
        static Tested of(Rounds rounds, CurveShape shape) {
            long[] floor = rounds.floor();
            Ratchet test = new Ratchet(floor);
            double evidence = shape.level().evidence();
            if (test.shape() == Ratchet.Shape.GROWS) {
                return new Tested(
                        rounds, test.firstStep(), test.lastStep(), test.clicks().size(), evidence);
            }
            int rises = (int) IntStream.range(1, floor.length)
                    .filter(round -> floor[round] > floor[round - 1])
                    .count();
            return new Tested(rounds, (int) shape.from(), floor.length - 1, rises, evidence);
        }

        double growth() {
            return new Slope(rounds.floor(), first, last).value() * (last - first);
        }
    }

    private void find() {
        LowestValues lows = new LowestValues(timeline.size(), timeline::level);
        List<Tested> growing = new ArrayList<>();
        List<Rounds> few = new ArrayList<>();
        for (String function : timeline.starts().keySet()) {
            Rounds rounds = new Rounds(timeline, lows, function);
            if (rounds.count() >= FEWEST_ROUNDS) {
                test(rounds, growing);
            } else if (rounds.count() >= thresholds.fewestCalls()) {
                few.add(rounds);
            }
        }
        growing.stream()
                .sorted(Comparator.comparingInt(tested -> -tested.rises))
                .forEach(tested -> explain(tested, false));
        int[] ends = endsOfLoops();
        few.stream().filter(rounds -> isSteep(rounds, ends)).forEach(rounds -> {
            int last = rounds.floor().length - 1;
            explain(new Tested(rounds, 0, last, last, 0), true);
        });
    }

    private void test(Rounds rounds, List<Tested> growing) {
        if (rounds.count() > judged) {
            judged = rounds.count();
            longest = rounds;
        }
        CurveShape shape = CurveShape.of(rounds.floor());
        open |= shape.shape() == Shape.SWINGS;
        Tested tested = Tested.of(rounds, shape);
        if (shape.isGrowing()
                && tested.growth() >= LEAST
                && tested.rises() >= thresholds.value(Threshold.MEMORY_LEAK_RATIO) * rounds.count()) {
            if (rounds.isBuildUp()) {
                buildUps.add(rounds);
            } else {
                growing.add(tested);
            }
        }
    }

    /** Returns whether so few rounds are enough; see the class. */
    private boolean isSteep(Rounds rounds, int[] ends) {
        long[] floor = rounds.floor();
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 1; i < floor.length; i++) {
            least = Math.min(least, floor[i] - floor[i - 1]);
            most = Math.max(most, floor[i] - floor[i - 1]);
        }
        boolean isLooped = ends[rounds.sample(0)] <= rounds.sample(rounds.count() - 1);
        if (isLooped || floor.length <= FEWEST_SHORT_RISES || least <= 0 || most > EVEN * least) {
            return false;
        }
        long growth = floor[floor.length - 1] - floor[0];
        boolean isMuch = growth >= LEAST && growth >= STEEP * floor[0];
        if (isMuch && rounds.isBuildUp()) {
            buildUps.add(rounds);
        }
        return isMuch && !rounds.isBuildUp();
    }

    /** For each sample, the first at which a loop that began there or later had enough rounds to be judged. */
    private int[] endsOfLoops() {
        int[] ends = new int[timeline.size()];
        Arrays.fill(ends, Integer.MAX_VALUE);
        for (IntArrayList starts : timeline.starts().values()) {
            for (int i = 0; i + FEWEST_ROUNDS <= starts.size(); i++) {
                ends[starts.get(i)] = starts.get(i + FEWEST_ROUNDS - 1);
            }
        }
        for (int sample = ends.length - 2; sample >= 0; sample--) {
            ends[sample] = Math.min(ends[sample], ends[sample + 1]);
        }
        return ends;
    }

    /** Names who keeps what grows in a loop, unless others have been named for that time. */
    private void explain(Tested tested, boolean isShort) {
        Rounds rounds = tested.rounds;
        int from = rounds.sample(tested.first);
        int to = rounds.sample(tested.last);
        var before = explained.floorEntry(to - 1);
        if (before != null && before.getValue() > from) {
            return;
        }
        explained.put(from, to);
        Stretch stretch = new Stretch(timeline, rounds, tested.first, tested.last);
        Slope slope = stretch.slope();
        List<Kept> kept = Balance.of(stretch.moved());
        double sum = kept.stream().mapToLong(Kept::kept).sum();
        for (Kept one : kept) {
            double share = one.kept() / sum;
            boolean isMost = one.kept() == kept.getFirst().kept();
            if (one.kept() > 0 && (isMost || share >= (one.giver() == null ? SHARE : SHARE_OF_SWAP))) {
                leaks.add(new Leak(
                        one.part(),
                        rounds.function(),
                        rounds.count(),
                        tested.rises,
                        tested.evidence,
                        isShort,
                        one.kept(),
                        one.taken(),
                        one.giver(),
                        timeline.level(to),
                        slope.value() * share,
                        stretch.perSecond(slope.value() * share),
                        stretch.growth(slope, share, tested.rises)));
            }
        }
    }

    /**
     * Memory that is kept, round after round.
     *
     * @param part who keeps it
     * @param loop the function whose calls are the rounds
     * @param rounds how many there are
     * @param rises in how many of them the floor rose
     * @param evidence the logarithm of how much better growth that goes on explains it than a bound, 0 where there are too few
     * @param isShort whether there are too few rounds to tell growth from a beginning, were it not so steep and even
     * @param bytes kept
     * @param taken bytes that were taken for it, of which the rest was given back
     * @param giver who gave most of the rest back; null where all was kept
     * @param level what was allocated on the device by the last round, by all
     * @param perRound the rate at which it grows, in bytes
     * @param perSecond the same over time; NaN where that is not known
     * @param growth how it grows
     */
    record Leak(
            Part part,
            String loop,
            int rounds,
            int rises,
            double evidence,
            boolean isShort,
            long bytes,
            long taken,
            @Nullable Part giver,
            long level,
            double perRound,
            double perSecond,
            Growth growth) {}

    /**
     * The rounds over which a floor grows, but for those in which it only jumps: an optimizer's first step takes its state, a longer input a larger
     * workspace. What they add is no growth, and whoever adds it is not responsible for what grows.
     */
    private static final class Stretch {
        /** A rise of this many times the usual has another cause. */
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

        /** The bytes that each part added in these rounds. */
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

        /** The slope of the growth, without the rounds in which it only jumps; if what is kept comes in late ones, too, its interval holds that. */
        Slope slope() {
            return slope(0).or(slope(SpikeRule.WARM_UP));
        }

        /** The slope without the jumps of all rounds, or only those before some. */
        private Slope slope(int kept) {
            long[] levelled = floor.clone();
            long jumped = 0;
            for (int round = first; round < last; round++) {
                jumped += jumps.contains(round) && (kept == 0 || round < kept) ? rise(round) : 0;
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
                    Double.NaN,
                    first,
                    last,
                    rises,
                    floor.length,
                    "one round of calls",
                    FloorPoint.of(floor));
        }
    }
}
