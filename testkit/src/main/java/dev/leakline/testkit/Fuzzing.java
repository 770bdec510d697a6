package dev.leakline.testkit;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Runs of a fuzzer, each made by its number alone. {@code LEAKLINE_CI=full} has a million, and more until an hour is over; {@code LEAKLINE_FUZZ=FROM-TO}
 * has those, to look at a failure or to do a million in pieces.
 */
public final class Fuzzing {
    private static final long MILLION = 1_000_000;
    /** Seconds of the processor that a run of some hundred bytes may take: the first compiles what it runs. */
    private static final long LONGEST = 10;

    private Fuzzing() {}

    /** A run. */
    public interface Run {
        /** Makes an input of random choices and tries it. */
        void of(RandomGenerator random) throws Exception;
    }

    /** Tries so many on a push; throws what the first that fails threw, with its number. */
    public static void runs(int onPush, Run run) {
        String chosen = System.getenv("LEAKLINE_FUZZ");
        String[] bounds = chosen == null ? new String[0] : chosen.split("-", -1);
        long first = chosen == null ? 0 : Long.parseLong(bounds[0]);
        long last = chosen == null ? Thoroughness.of(onPush, (int) MILLION) : Long.parseLong(bounds[1]);
        long hour = chosen == null ? TimeUnit.MINUTES.toNanos(Thoroughness.of(0, 60)) : 0;
        long begun = System.nanoTime();
        for (long i = first; i < last || System.nanoTime() - begun < hour; i++) {
            try {
                long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                run.of(new SplittableRandom(i));
                long seconds = TimeUnit.NANOSECONDS.toSeconds(
                        ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
                if (seconds > LONGEST) {
                    throw new AssertionError("it took " + seconds + " s");
                }
            } catch (Exception | Error e) {
                throw new AssertionError("run " + i + " (LEAKLINE_FUZZ=" + i + "-" + (i + 1) + ")", e);
            }
        }
    }

    /** A text with some places deleted, doubled, put elsewhere or replaced by pieces. */
    public static String changed(String text, List<String> pieces, RandomGenerator random) {
        StringBuilder changed = new StringBuilder(text);
        for (int changes = random.nextInt(1, 6); changes > 0; changes--) {
            int at = random.nextInt(changed.length() + 1);
            int to = Math.min(changed.length(), at + random.nextInt(12));
            switch (random.nextInt(5)) {
                case 0 -> changed.delete(at, to);
                case 1 -> changed.insert(at, changed.substring(at, to));
                case 2 -> changed.insert(random.nextInt(changed.length() + 1), changed.substring(at, to));
                case 3 -> changed.insert(at, (char) random.nextInt(random.nextBoolean() ? 128 : 65536));
                default -> changed.replace(at, to, pieces.get(random.nextInt(pieces.size())));
            }
        }
        return changed.toString();
    }
}
