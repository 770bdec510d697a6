package dev.leakline.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How often the test of growth errs: of a thousand seeds each, floors without a leak that it takes for one, and leaks that it misses. Runs have 100 to
 * 500 steps; what each kind allows is a little above what was measured.
 */
class GrowthErrorRatesTest {
    private static final long KB = 1 << 10;

    /** Floors that do not leak, and how many of a thousand are taken for leaks at most. */
    enum Clean {
        /** A cache that fills at every so many steps and is full after a fifth to four fifths of the run: 3. */
        REGULAR_ARRIVALS_THAT_STOP(10),
        /** Steps at random, up to seven tenths of the run: 1. */
        RANDOM_ARRIVALS_THAT_STOP(10),
        /** Several steps in a row at the beginning of each epoch, up to seven tenths of the run: 10. */
        BURSTS_THAT_STOP(20),
        /** Keys of equal chance, half as many as steps: the latest come late, 28. */
        SLOWING_ARRIVALS_OF_MANY_KEYS(50),
        /** A third as many: none. */
        SLOWING_ARRIVALS(5),
        /** Keys that are the rarer the larger their entries: 4. */
        RARE_KEYS_ARE_LARGE(10),
        /** A queue whose length is a random walk, so that the interval of its slope mostly contains zero: 16. */
        A_QUEUE_THAT_WANDERS(20),
        /** Entries of random size, of which the oldest go: 9. */
        A_RING(15),
        /** A pool of pieces, as many as users of chance length ever needed at once: 75. */
        A_POOL(90),
        /** A cache that is asked in bursts at random, three times for each of its keys: 221. */
        SLOWING_ARRIVALS_IN_BURSTS(240);

        final int most;

        Clean(int most) {
            this.most = most;
        }

        long[] floor(Random random) {
            int steps = 100 + random.nextInt(400);
            return switch (this) {
                case REGULAR_ARRIVALS_THAT_STOP -> {
                    int end = (int) (steps * (0.2 + 0.6 * random.nextDouble()));
                    int gap = Math.max(1, Math.min(1 + random.nextInt(20), end / (8 + random.nextInt(20))));
                    yield rises(random, steps, step -> step < end && step % gap == 0);
                }
                case RANDOM_ARRIVALS_THAT_STOP -> {
                    int end = (int) (steps * (0.2 + 0.5 * random.nextDouble()));
                    double often = 0.05 + 0.5 * random.nextDouble();
                    yield rises(random, steps, step -> step < end && random.nextDouble() < often);
                }
                case BURSTS_THAT_STOP -> {
                    int end = (int) (steps * (0.3 + 0.4 * random.nextDouble()));
                    IntPredicate bursts = bursts(random, steps);
                    yield rises(random, steps, step -> step < end && bursts.test(step));
                }
                case SLOWING_ARRIVALS_OF_MANY_KEYS -> cache(random, steps, steps / 2);
                case SLOWING_ARRIVALS -> cache(random, steps, steps / 3);
                case RARE_KEYS_ARE_LARGE -> rareAndLarge(random, 2 * steps, 20 + random.nextInt(60));
                case A_QUEUE_THAT_WANDERS -> queue(random, steps, 0.5);
                case A_RING -> ring(random, steps, 8 + random.nextInt(56));
                case A_POOL -> pool(random, steps, 0);
                case SLOWING_ARRIVALS_IN_BURSTS -> {
                    IntPredicate bursts = randomBursts(random);
                    IntPredicate isNew = newKeys(random, steps / 14);
                    yield rises(random, steps, step -> bursts.test(step) && isNew.test(step));
                }
            };
        }
    }

    /** Floors that leak, and how many of a thousand are found at least. */
    enum Leaking {
        /** At every so many steps: all. */
        REGULAR(1_000),
        /** At steps at random, a dozen times or more: 994. */
        RANDOM(975),
        /** In bursts: all. */
        IN_BURSTS(995),
        /** A queue that is filled twice as often as it is emptied: 857. */
        A_QUEUE_THAT_GROWS(840),
        /** A pool of which a fifth of the users do not give back what they took: 867. */
        A_POOL_THAT_LOSES(850),
        /** In bursts at random times and of random length: 845. */
        IN_RANDOM_BURSTS(820);

        final int fewest;

        Leaking(int fewest) {
            this.fewest = fewest;
        }

        long[] floor(Random random) {
            int steps = 100 + random.nextInt(400);
            return switch (this) {
                case REGULAR -> {
                    int gap = 1 + random.nextInt(Math.min(25, steps / 9));
                    yield rises(random, steps, step -> step % gap == 0);
                }
                case RANDOM -> {
                    double often = Math.max(12.0 / steps, 0.5 * random.nextDouble());
                    yield rises(random, steps, _ -> random.nextDouble() < often);
                }
                case IN_BURSTS -> rises(random, steps, bursts(random, steps));
                case A_QUEUE_THAT_GROWS -> queue(random, steps, 2.0 / 3);
                case A_POOL_THAT_LOSES -> pool(random, steps, 0.2);
                case IN_RANDOM_BURSTS -> rises(random, steps, randomBursts(random));
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void cleanFloorsAreRarelyTakenForLeaks(Clean clean) {
        assertThat(grow(seed -> new Ratchet(clean.floor(new Random(seed)))))
                .as("taken for leaks")
                .isLessThanOrEqualTo(Seeds.most(clean.most));
    }

    @ParameterizedTest
    @EnumSource
    void leaksAreRarelyMissed(Leaking leaking) {
        assertThat(grow(seed -> new Ratchet(leaking.floor(new Random(seed)))))
                .as("found")
                .isGreaterThanOrEqualTo(Seeds.fewest(leaking.fewest));
    }

    private interface Test {
        Ratchet of(long seed);
    }

    private static int grow(Test test) {
        return Seeds.count(seed -> test.of(seed * 7919).shape() == Shape.GROWS);
    }

    private static long[] rises(Random random, int steps, IntPredicate rises) {
        long[] floor = new long[steps];
        for (int step = 0; step < steps; step++) {
            long more = rises.test(step) ? 4 * KB * (1 + random.nextInt(20)) : 0;
            floor[step] = (step > 0 ? floor[step - 1] : 0) + more;
        }
        return floor;
    }

    private static IntPredicate bursts(Random random, int steps) {
        int epoch = steps / (8 + random.nextInt(8));
        int length = 1 + random.nextInt(Math.max(1, epoch / 2));
        return step -> step % epoch < length;
    }

    private static long[] cache(Random random, int steps, int keys) {
        return rises(random, steps, newKeys(random, keys));
    }

    private static IntPredicate newKeys(Random random, int keys) {
        boolean[] seen = new boolean[keys];
        return _ -> {
            int key = random.nextInt(keys);
            boolean isNew = !seen[key];
            seen[key] = true;
            return isNew;
        };
    }

    private static IntPredicate randomBursts(Random random) {
        double begins = 1 - random.nextDouble() / 6;
        double goesOn = 0.5 + 0.4 * random.nextDouble();
        boolean[] isWithin = {false};
        return _ -> {
            isWithin[0] = random.nextDouble() < (isWithin[0] ? goesOn : 1 - begins);
            return isWithin[0];
        };
    }

    private static long[] rareAndLarge(Random random, int steps, int keys) {
        double[] chances = new double[keys];
        Arrays.setAll(chances, key -> 1.0 / (key + 1));
        double all = Arrays.stream(chances).sum();
        boolean[] seen = new boolean[keys];
        long[] floor = new long[steps];
        for (int step = 0; step < steps; step++) {
            double place = random.nextDouble() * all;
            int key = 0;
            while (key < keys - 1 && place > chances[key]) {
                place -= chances[key++];
            }
            floor[step] = (step > 0 ? floor[step - 1] : 0) + (seen[key] ? 0 : KB * (key + 1));
            seen[key] = true;
        }
        return floor;
    }

    private static long[] queue(Random random, int steps, double fills) {
        long[] floor = new long[steps];
        int length = 0;
        for (int step = 0; step < steps; step++) {
            length = Math.max(0, length + (random.nextDouble() < fills ? 1 : -1));
            floor[step] = 4 * KB * length;
        }
        return floor;
    }

    private static long[] pool(Random random, int steps, double lost) {
        Deque<int[]> users = new ArrayDeque<>();
        long[] floor = new long[steps];
        int free = 0;
        int pieces = 0;
        for (int step = 0; step < steps; step++) {
            if (users.size() < 10 && random.nextDouble() < 0.4) {
                users.add(new int[] {1 + random.nextInt(12), 0});
            }
            for (int[] user : List.copyOf(users)) {
                if (user[0]-- == 0) {
                    users.remove(user);
                    free += random.nextDouble() < lost ? 0 : user[1];
                } else if (user[0] % 4 == 0) {
                    user[1]++;
                    pieces += free == 0 ? 1 : 0;
                    free = Math.max(free - 1, 0);
                }
            }
            floor[step] = 16 * KB * pieces;
        }
        return floor;
    }

    private static long[] ring(Random random, int steps, int entries) {
        Deque<Long> sizes = new ArrayDeque<>();
        long[] floor = new long[steps];
        long sum = 0;
        for (int step = 0; step < steps; step++) {
            long size = KB * (1 + random.nextInt(150));
            sizes.add(size);
            sum += size - (sizes.size() > entries ? sizes.removeFirst() : 0);
            floor[step] = sum;
        }
        return floor;
    }
}
