package dev.leakline.evidence;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.allocator.Replays;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.floor.GrowthGroups;
import dev.leakline.floor.StepProfile;
import dev.leakline.floor.Survivors;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.lifetime.PeakFinder;
import dev.leakline.lifetime.PeakFinder.Found;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.site.SiteFinder;
import dev.leakline.site.StackSites;
import dev.leakline.statistics.Thresholds;
import dev.leakline.steps.StepFinder;
import dev.leakline.steps.StepPeaks;
import dev.leakline.steps.Steps;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The input of detectors: one device of one snapshot. Made in one place, {@link #of}, and read-only from then on: any number of threads may
 * look at it, in any order.
 *
 * @param input the index of the input
 * @param columns what was read
 * @param lifetimes the device's allocations, with exact sizes where a replay knows them
 * @param replays the recording, asked of a model of the allocator; null where it does not show the allocator's doing
 * @param steps what repeats
 * @param survivors the allocations that outlive the step that made them
 * @param profile what each step does
 * @param groups the survivors by the line that made them
 * @param stacks what stacks mean
 * @param sites whose each allocation is
 * @param course how much was held over time, and the peak
 * @param stepPeaks the most that was held in each step, and what was when requests failed
 * @param liveAtPeak the allocations that were live at the peak; not to be written to
 * @param deviceBytes the memory of the device, 0 where nobody said
 */
public record Evidence(
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
        Found course,
        StepPeaks stepPeaks,
        IntArrayList liveAtPeak,
        long deviceBytes) {
    /**
     * Makes the evidence of a device: first what each allocation held, to the byte; then all that is counted from it. Nothing that holds
     * sizes is made before they are exact.
     *
     * @param lifetimes the device's allocations as they were recorded
     * @param from the first event among which the peak is looked for
     * @param to the event after the last of those
     * @param deviceBytes the device's memory, 0 where nobody said
     */
    public static Evidence of(
            int input, SnapshotColumns columns, Lifetimes lifetimes, int from, int to, long deviceBytes) {
        CompletableFuture<@Nullable Replays> replaying =
                CompletableFuture.supplyAsync(() -> replays(columns, lifetimes));
        StackSites stacks = new StackSites(columns);
        SiteFinder sites = new SiteFinder(columns, stacks, lifetimes);
        Steps steps = StepFinder.find(columns, lifetimes, stacks);
        Replays replays = replaying.join();
        Lifetimes exact = replays == null ? lifetimes : replays.exact();
        MemoryCurve curve = new MemoryCurve(columns, exact);
        PeakFinder peak = new PeakFinder(exact.events().count(), from, to);
        StepPeaks stepPeaks = new StepPeaks(steps, exact.events().failed());
        curve.follow(List.of(peak, stepPeaks));
        Found course = peak.found(curve);
        StepProfile profile = new StepProfile(steps, columns.stacks.size());
        Survivors survivors = new Survivors(exact, steps, profile);
        GrowthGroups groups = new GrowthGroups(columns, steps.count(), survivors, stacks, sites, Thresholds.DEFAULT);
        profile.tellApart(groups.calls());
        return new Evidence(
                input,
                columns,
                exact,
                replays,
                steps,
                survivors,
                profile,
                groups,
                stacks,
                sites,
                course,
                stepPeaks,
                exact.liveAfter(course.peak().event()),
                deviceBytes > 0 ? deviceBytes : columns.deviceBytes.getOrDefault(exact.device(), 0L));
    }

    /** A profiler says what the allocator held, but not what it did. */
    private static @Nullable Replays replays(SnapshotColumns columns, Lifetimes lifetimes) {
        return columns.recorder == Recorder.PROFILER ? null : new Replays(columns, lifetimes, 0);
    }

    /** The most that was held. */
    public long peakBytes() {
        return course.peak().held();
    }

    /** Whether there are enough repeating steps to judge growth. */
    public boolean canJudgeGrowth(Thresholds thresholds) {
        return steps.count() >= thresholds.fewestSteps() && steps.kind().repeats();
    }

    /** The user's lines on the way to a site, outermost first; the site's alone where the stack names none. */
    public List<Frame> path(Site site, int stack) {
        List<Frame> path = stacks.userFrames(stack);
        return path.isEmpty() ? List.of(site.frame()) : path;
    }

    /** The advice if there are fewer steps than needed. */
    public String needsSteps(int needed) {
        return RecordingAdvice.needsSteps(columns.recorder, needed, steps.kind().repeats() ? steps.count() : 0);
    }
}
