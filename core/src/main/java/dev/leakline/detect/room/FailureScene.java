package dev.leakline.detect.room;

import dev.leakline.allocator.SizeRules;
import dev.leakline.columns.Action;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.lifetime.MemoryMap;
import dev.leakline.steps.Steps;
import java.util.BitSet;

/**
 * What a device held when a request failed, and what it had been able to hold until then.
 *
 * @param held bytes live when the request failed
 * @param reserved bytes that the allocator had from the driver then
 * @param map what lay where then
 * @param earlierPeak the most bytes that were live before the step in which it failed
 * @param largestBefore the largest earlier request of the same site, in bytes, 0 where it is the first
 */
record FailureScene(long held, long reserved, MemoryMap map, long earlierPeak, long largestBefore) {
    /** Follows the memory of a device up to a failure. */
    static FailureScene of(Evidence evidence, RepeatedFailure failure) {
        DeviceEvents events = evidence.lifetimes().events();
        MemoryCurve curve = new MemoryCurve(evidence.columns(), evidence.lifetimes());
        BitSet isSame = stacks(evidence, failure);
        int stepStart = stepStart(evidence.steps(), failure.event());
        long peak = curve.held();
        long largest = 0;
        while (curve.event() < failure.event() && curve.next()) {
            int event = curve.event();
            peak = event < stepStart ? Math.max(peak, curve.held()) : peak;
            if (events.action(event) == Action.ALLOC && isSame.get(events.stack(event))) {
                largest = Math.max(largest, events.size(event));
            }
        }
        MemoryMap map = MemoryMap.after(evidence.columns(), evidence.lifetimes(), failure.event());
        return new FailureScene(curve.held() + map.rests(), curve.reserved(), map, peak, largest);
    }

    /** The stacks whose site is the failure's. */
    private static BitSet stacks(Evidence evidence, RepeatedFailure failure) {
        BitSet same = new BitSet();
        for (int stack = 0; stack < evidence.columns().stacks.size(); stack++) {
            same.set(stack, evidence.stacks().of(stack).site().equals(failure.site()));
        }
        return same;
    }

    /** The event that began the step of another; the other itself where it is in no step. */
    private static int stepStart(Steps steps, int event) {
        int step = steps.count() == 0 ? -1 : steps.of(event);
        return step < 0 ? event : steps.start(step);
    }

    /** Bytes that the allocator had and no allocation held. */
    long cached() {
        return Math.max(reserved - held, 0);
    }

    /**
     * Whether the device had room and yet gave nothing: the process may not take all of it, or somebody else was quicker.
     */
    static boolean isLimited(RepeatedFailure failure) {
        return failure.deviceFree() >= SizeRules.segmentSize(failure.size());
    }

    /** Bytes that were known to be free for this process, in whatever pieces. */
    long available(RepeatedFailure failure) {
        return cached() + (isLimited(failure) ? 0 : Math.max(failure.deviceFree(), 0));
    }

    /** Whether enough was free, but in pieces. */
    boolean isFragmented(RepeatedFailure failure) {
        return cached() > 0 && available(failure) >= SizeRules.segmentSize(failure.size());
    }
}
