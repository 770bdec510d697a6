package dev.leakline.detect;

import dev.leakline.allocator.Replays;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.known.Recording;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.Steps;
import org.jspecify.annotations.Nullable;

/**
 * What detectors look at: one device of one snapshot. Read-only, so that they can look in any order, or at once.
 *
 * @param input the index of the input
 * @param columns what was read
 * @param lifetimes the device's allocations
 * @param replays the recording, asked of a model of the allocator; null where it does not show the allocator's doing
 * @param steps what repeats
 * @param survivors the allocations that outlive the step that made them
 * @param profile what each step does
 * @param groups the survivors by the line that made them
 * @param stacks what stacks mean
 * @param sites whose each survivor, and each allocation that is live at the peak, is
 * @param peakBytes the most that was held
 * @param deviceBytes the memory of the device, 0 where nobody said
 */
record Evidence(
        int input,
        SnapshotColumns columns,
        Lifetimes lifetimes,
        @Nullable Replays replays,
        Steps steps,
        Survivors survivors,
        StepProfile profile,
        GrowthGroups groups,
        StackSites stacks,
        SiteFinder sites,
        long peakBytes,
        long deviceBytes) {
    /** Whether steps repeat, and often enough. */
    boolean canJudgeGrowth(Thresholds thresholds) {
        return steps.count() >= thresholds.fewestSteps() && steps.kind().repeats();
    }

    /** What to do where there are fewer steps than are needed. */
    String needsSteps(int needed) {
        return Recording.needsSteps(columns.recorder, needed, steps.kind().repeats() ? steps.count() : 0);
    }
}
