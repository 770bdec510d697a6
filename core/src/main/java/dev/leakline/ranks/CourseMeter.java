package dev.leakline.ranks;

import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.result.ProcessSummary.Course;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Follows a sum of bytes through the steps: when it was higher than ever before, and how much the peaks of the steps differ. */
final class CourseMeter {
    /** Highs that are kept: those of steady work are all in its first steps, those of what grows lie on a line that a few points show. */
    private static final int MOST_HIGHS = 16;

    private final List<Integer> steps = new ArrayList<>();
    private final List<Long> highs = new ArrayList<>();
    /** The peaks of the steps in which anything came, but for set-up and the first step, which is not like the others. */
    private final LongArrayList peaks = new LongArrayList();

    private int step = -1;
    private long now;
    private long most;
    private long peakOfStep;
    private boolean isActive;
    private int active;

    /** Adds bytes, or takes them away where negative; steps never go back. */
    void add(int inStep, long bytes) {
        if (inStep != step) {
            endStep();
            step = inStep;
            peakOfStep = now;
        }
        now += bytes;
        peakOfStep = Math.max(peakOfStep, now);
        isActive |= bytes > 0;
        if (now > most) {
            rise();
        }
    }

    private void rise() {
        most = now;
        if (steps.isEmpty() || steps.getLast() != step) {
            steps.add(step);
            highs.add(most);
        } else {
            highs.set(highs.size() - 1, most);
        }
    }

    private void endStep() {
        active += isActive && step >= 0 ? 1 : 0;
        if (isActive && step > 0) {
            peaks.add(peakOfStep);
        }
        isActive = false;
    }

    long now() {
        return now;
    }

    long most() {
        return most;
    }

    /** Steps in which anything came. */
    int activeSteps() {
        return active + (isActive && step >= 0 ? 1 : 0);
    }

    /** The course, thinned. */
    Course course() {
        int count = Math.min(highs.size(), MOST_HIGHS);
        List<Integer> at = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = count == 1 ? 0 : (int) ((long) i * (highs.size() - 1) / (count - 1));
            at.add(steps.get(index));
            bytes.add(highs.get(index));
        }
        long[] sorted = peaks.toArray();
        Arrays.sort(sorted);
        if (sorted.length == 0) {
            return new Course(at, bytes, 0, 0, 0);
        }
        long upper = sorted[sorted.length * 3 / 4];
        return new Course(
                at,
                bytes,
                sorted[sorted.length / 2],
                upper - sorted[sorted.length / 4],
                sorted[sorted.length - 1] - upper);
    }
}
