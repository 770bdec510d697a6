package dev.leakline.evidence;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.allocator.UncutBlocks;
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
import dev.leakline.steps.ProcessSteps;
import dev.leakline.steps.StepFinder;
import dev.leakline.steps.StepPeaks;
import dev.leakline.steps.Steps;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The input of detectors: one device of one snapshot. Made in one place, {@link #of}, and read-only from then on: any number of threads may
 * look at it, in any order.
 *
 * @param input the index of the input
 * @param columns what was read
 * @param lifetimes the device's allocations, with exact sizes where the recording shows them
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
     * @param process the steps that another device of the process shows, null where none was looked at
     * @param collects whether a line of the program calls the garbage collector, as far as its source is at hand
     */
    public static Evidence of(
            int input,
            SnapshotColumns columns,
            Lifetimes lifetimes,
            int from,
            int to,
            long deviceBytes,
            @Nullable ProcessSteps process,
            Predicate<Frame> collects) {
        CompletableFuture<Lifetimes> correcting = CompletableFuture.supplyAsync(() -> corrected(columns, lifetimes));
        StackSites stacks = new StackSites(columns, collects);
        SiteFinder sites = new SiteFinder(columns, stacks, lifetimes);
        Steps found = StepFinder.find(columns, lifetimes, stacks);
        Lifetimes exact = correcting.join();
        Counted counted = count(columns, exact, stacks, sites, found, process);
        Steps steps = counted.steps;
        MemoryCurve curve = new MemoryCurve(columns, exact);
        PeakFinder peak = new PeakFinder(exact.events().count(), from, to);
        StepPeaks stepPeaks = new StepPeaks(steps, exact.events().failed());
        curve.follow(List.of(peak, stepPeaks));
        Found course = peak.found(curve);
        return new Evidence(
                input,
                columns,
                exact,
                steps,
                counted.survivors,
                counted.profile,
                counted.groups,
                stacks,
                sites,
                course,
                stepPeaks,
                exact.liveAfter(course.peak().event()),
                deviceBytes > 0 ? deviceBytes : columns.deviceBytes.getOrDefault(exact.device(), 0L));
    }

    /** The results of counting step by step. */
    private record Counted(Steps steps, StepProfile profile, Survivors survivors, GrowthGroups groups) {}

    /**
     * Counts by the steps of the process, unless the device's own are richer; and by the latter only as far as they do not owe it to what grows,
     * nor to what else its lines do, where it stopped by all other steps.
     */
    private static Counted count(
            SnapshotColumns columns,
            Lifetimes lifetimes,
            StackSites stacks,
            SiteFinder sites,
            Steps found,
            @Nullable ProcessSteps process) {
        Steps shared = process == null ? null : process.on(lifetimes);
        boolean isHost = lifetimes.device() == SnapshotColumns.HOST;
        if (process != null && shared != null && (isHost || !ProcessSteps.isRicher(found, shared))) {
            return countBy(shared, columns, lifetimes, stacks, sites);
        }
        Counted counted = countBy(found, columns, lifetimes, stacks, sites);
        BitSet suspected = counted.groups.suspectedStacks();
        Steps other = StepFinder.without(suspected, found, columns, lifetimes, stacks);
        Counted richer = other.equals(found) ? counted : countBy(other, columns, lifetimes, stacks, sites);
        BitSet lines = richer.groups.suspectedLines();
        Steps apart = lines.equals(suspected)
                ? richer.steps
                : StepFinder.without(lines, richer.steps, columns, lifetimes, stacks);
        if (apart.equals(richer.steps)) {
            return richer;
        }
        Counted judged = countBy(apart, columns, lifetimes, stacks, sites);
        return judged.groups.hasStopped(richer.groups.suspectedStacks()) ? judged : richer;
    }

    private static Counted countBy(
            Steps steps, SnapshotColumns columns, Lifetimes lifetimes, StackSites stacks, SiteFinder sites) {
        StepProfile profile = new StepProfile(steps, columns.stacks.size());
        Survivors survivors = new Survivors(lifetimes, steps, profile);
        GrowthGroups groups = new GrowthGroups(columns, steps.count(), survivors, stacks, sites);
        profile.tellApart(groups.calls());
        return new Counted(steps, profile, survivors, groups);
    }

    /** The steps, for other devices of the process. */
    public ProcessSteps ofProcess() {
        return new ProcessSteps(steps, lifetimes.events());
    }

    /** A profiler says what the allocator held, but not what it did. */
    private static Lifetimes corrected(SnapshotColumns columns, Lifetimes lifetimes) {
        return columns.recorder == Recorder.PROFILER ? lifetimes : UncutBlocks.corrected(columns, lifetimes);
    }

    /** The most that was held. */
    public long peakBytes() {
        return course.peak().held();
    }

    /** Returns whether there are enough repeating steps to judge growth. */
    public boolean canJudgeGrowth() {
        return steps.count() >= Thresholds.FEWEST_STEPS && steps.kind().repeats();
    }

    /**
     * Returns whether an allocation of a site is a gradient or an optimizer's state: parameters get gradients, and optimizers make state for them, when they are first
     * trained, which may be late.
     */
    public boolean isOfTraining(Site.Kind kind, int allocation) {
        return kind == Site.Kind.BACKWARD || stacks.state().makesOptimizerState(sites.stack(allocation));
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
