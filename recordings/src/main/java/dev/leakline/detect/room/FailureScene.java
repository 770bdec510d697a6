package dev.leakline.detect.room;

import dev.leakline.detect.room.FailureFinder.RepeatedFailure;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.SizeRules;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryMap;
import dev.leakline.statistics.Ratchet;
import dev.leakline.steps.StepPeaks;
import java.util.BitSet;

/**
 * The state of a device when a request failed, and the most that it had been able to hold before.
 *
 * @param held bytes live when the request failed
 * @param reserved bytes that the allocator had from the driver then
 * @param map what lay where then
 * @param earlierPeak the most bytes that were live before the step in which it failed
 * @param largestBefore the largest request of the same site before that step, in bytes, 0 where there is none
 * @param growth bytes by which a step leaves more behind than the one before, 0 where that is not so in step after step
 */
record FailureScene(long held, long reserved, MemoryMap map, long earlierPeak, long largestBefore, double growth) {
    /** The scene of a failure. */
    static FailureScene of(Evidence evidence, RepeatedFailure failure) {
        MemoryMap map = MemoryMap.after(evidence.columns(), evidence.lifetimes(), failure.event());
        StepPeaks.Failure then = evidence.stepPeaks().failure(failure.event());
        return new FailureScene(
                then.held() + map.rests(),
                then.reserved(),
                map,
                then.earlierPeak(),
                largestBefore(evidence, failure),
                growth(evidence));
    }

    private static double growth(Evidence evidence) {
        if (!evidence.canJudgeGrowth()) {
            return 0;
        }
        Ratchet test = new Ratchet(evidence.groups().floorOfAll());
        return test.shape() == Ratchet.Shape.GROWS ? test.slope().value() : 0;
    }

    /** The first event of the step in which a request failed; the request itself where that is in no step. */
    static int stepStart(Evidence evidence, int failed) {
        int step = evidence.steps().of(failed);
        return step < 0 ? failed : evidence.steps().start(step);
    }

    private static long largestBefore(Evidence evidence, RepeatedFailure failure) {
        int start = stepStart(evidence, failure.event());
        Lifetimes lifetimes = evidence.lifetimes();
        BitSet isSame = stacks(evidence, failure);
        long largest = 0;
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            if (born != Lifetimes.BEFORE && born < start && isSame.get(lifetimes.stack(allocation))) {
                largest = Math.max(largest, lifetimes.requested(allocation));
            }
        }
        return largest;
    }

    /** The stacks whose site is the failure's. */
    private static BitSet stacks(Evidence evidence, RepeatedFailure failure) {
        BitSet same = new BitSet();
        for (int stack = 0; stack < evidence.columns().stacks.size(); stack++) {
            same.set(stack, evidence.stacks().of(stack).site().equals(failure.site()));
        }
        return same;
    }

    /** Bytes that the allocator had and no allocation held. */
    long cached() {
        return Math.max(reserved - held, 0);
    }

    /**
     * Returns whether the device had room and yet gave nothing: the process may not take all of it, or somebody else was quicker.
     */
    static boolean isLimited(RepeatedFailure failure) {
        return failure.deviceFree() >= SizeRules.segmentSize(failure.size());
    }

    /** Bytes that were known to be free for this process, in whatever pieces. */
    long available(RepeatedFailure failure) {
        return cached() + (isLimited(failure) ? 0 : Math.max(failure.deviceFree(), 0));
    }

    /** Returns whether enough was free, but in pieces, and steps do not leave so much behind that it would not last for one. */
    boolean isFragmented(RepeatedFailure failure) {
        return cached() > 0 && available(failure) >= SizeRules.segmentSize(failure.size()) && !isOutgrown(failure);
    }

    /** Returns whether a single step more would have left behind what was free. */
    boolean isOutgrown(RepeatedFailure failure) {
        return growth > available(failure);
    }
}
