package dev.leakline;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * A training loop on one device, recorded step by step, and in it a habit that keeps memory, or none.
 *
 * <p>Sizes differ from seed to seed; each line has its own. Blocks that live for less than a step, and only those, have odd sizes.
 */
final class TrainingRun {
    /** What the loop does besides training, and what is to be said of it. */
    enum Habit {
        /** Nothing. */
        NONE(Verdict.NO_LEAK, "-"),
        /** Appends a result to a list, each step. */
        KEEPS_RESULTS(Verdict.LEAK, "train.py:25"),
        /** The same, but not in the first {@value #LATE} steps. */
        KEEPS_RESULTS_LATE(Verdict.LEAK, "train.py:25"),
        /** Looks things up in a cache that drops the oldest of its {@value #ENTRIES} entries. */
        CACHES(Verdict.NO_LEAK, "-"),
        /** Makes a reference cycle, each step; every fifty steps or so the collector strikes in the middle of the model. */
        MAKES_CYCLES(Verdict.REFERENCE_CYCLE, "request.py:31"),
        /** Appends outputs to a list, and clears it every {@value #PERIOD} steps. */
        ACCUMULATES(Verdict.NO_LEAK, "-");

        final Verdict verdict;
        final String site;

        Habit(Verdict verdict, String site) {
            this.verdict = verdict;
            this.site = site;
        }

        /** Of the first {@link #STEPS} steps those with the habit. */
        int steps() {
            return this == KEEPS_RESULTS_LATE ? STEPS - LATE : STEPS;
        }
    }

    /** Steps after which every habit has shown what it is. */
    static final int STEPS = 300;

    private static final int LATE = 180;
    private static final int ENTRIES = 24;
    private static final int KEYS = 60;
    private static final int PERIOD = 25;

    private static final String MAIN = "main.py:5 main";
    private static final String CALL = "/x/site-packages/torch/nn/modules/module.py:1794 _call_impl";
    private static final String BACKWARD = "/x/site-packages/torch/autograd/graph.py:829 _engine_run_backward";
    private static final String[] LAYER_1 = {"model.py:11 forward", CALL, "train.py:21 train", MAIN};
    private static final String[] LAYER_2 = {"model.py:12 forward", CALL, "train.py:21 train", MAIN};
    private static final String[] GRADIENT = {BACKWARD, "train.py:29 train", MAIN};

    private final SnapshotBuilder recording;
    private final int device;
    private final Habit habit;
    private final Random random;
    private final long unit;
    private final Deque<String> kept = new ArrayDeque<>();
    private int steps;
    private int practised;
    private int patience;

    /** A run of which nothing is recorded yet; sizes are multiplied by {@code scale}, as those of another batch size are. */
    TrainingRun(SnapshotBuilder recording, int device, Habit habit, long scale, long seed) {
        this.recording = recording;
        this.device = device;
        this.habit = habit;
        this.random = new Random(seed);
        this.unit = (1024 + 8 * random.nextInt(64)) * scale;
        this.patience = random.nextInt(40, 60);
    }

    /** Runs steps. */
    TrainingRun steps(int count) {
        for (int i = 0; i < count; i++) {
            step(true);
        }
        return this;
    }

    /** Runs steps that do nothing but train. */
    TrainingRun cleanSteps(int count) {
        for (int i = 0; i < count; i++) {
            step(false);
        }
        return this;
    }

    private void step(boolean hasHabit) {
        recording.device(device);
        alloc("batch" + steps, 3000 * unit, "train.py:20 train", MAIN);
        if (steps > 0) {
            free("batch" + (steps - 1), "train.py:20 train", MAIN);
        }
        alloc("first", 3500 * unit - 1, LAYER_1);
        collect();
        alloc("second", 5000 * unit - 1, LAYER_2);
        if (hasHabit) {
            practise();
            practised++;
        }
        alloc("gradient", 4000 * unit - 1, GRADIENT);
        free("second", GRADIENT);
        free("first", GRADIENT);
        free("gradient", "train.py:31 train", MAIN);
        steps++;
    }

    private void practise() {
        switch (habit) {
            case NONE -> {}
            case KEEPS_RESULTS -> keep(2100 * unit, "train.py:25 train", MAIN);
            case KEEPS_RESULTS_LATE -> keepLate();
            case CACHES -> lookUp("entry" + random.nextInt(KEYS), random.nextInt(1200, 3000) * unit);
            case MAKES_CYCLES -> keep(1900 * unit, "request.py:31 handle", "train.py:26 train", MAIN);
            case ACCUMULATES -> accumulate();
        }
    }

    private void keep(long size, String... stack) {
        alloc("kept" + steps, size, stack);
        kept.add("kept" + steps);
    }

    private void keepLate() {
        if (practised >= LATE) {
            keep(2100 * unit, "train.py:25 train", MAIN);
        }
    }

    private void lookUp(String entry, long size) {
        if (!kept.contains(entry)) {
            alloc(entry, size, "cache.py:14 look_up", "train.py:24 train", MAIN);
            kept.add(entry);
        }
        if (kept.size() > ENTRIES) {
            free(kept.removeFirst(), "cache.py:16 look_up", "train.py:24 train", MAIN);
        }
    }

    private void collect() {
        if (habit == Habit.MAKES_CYCLES && kept.size() >= patience) {
            freeKept(LAYER_1);
            patience = random.nextInt(40, 60);
        }
    }

    private void accumulate() {
        keep(1700 * unit, "train.py:27 train", MAIN);
        if (kept.size() == PERIOD) {
            freeKept("train.py:35 train", MAIN);
        }
    }

    private void freeKept(String... stack) {
        kept.forEach(key -> free(key, stack));
        kept.clear();
    }

    private void alloc(String key, long size, String... stack) {
        recording.alloc(key + " on " + device, size, stack);
    }

    private void free(String key, String... stack) {
        recording.free(key + " on " + device, stack);
    }
}
