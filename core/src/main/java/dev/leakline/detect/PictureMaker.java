package dev.leakline.detect;

import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.Steps;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Allocations;
import dev.leakline.result.Picture.Owner;
import dev.leakline.result.Picture.Tree;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws a device. The recording is followed twice, once to choose the sites and once to add up what they held; all else is a pass over the
 * allocations. What it takes besides is four bytes for each allocation and each block, and what the picture itself holds.
 */
final class PictureMaker {
    private final Evidence evidence;
    private final PictureLimits limits;
    private final Lifetimes lifetimes;
    private final SiteFinder finder;
    private final PictureFrames frames;

    private PictureMaker(Evidence evidence, PictureLimits limits) {
        this.evidence = evidence;
        this.limits = limits;
        this.lifetimes = evidence.lifetimes();
        this.finder = new SiteFinder(evidence.columns(), evidence.stacks(), lifetimes, _ -> true);
        this.frames = new PictureFrames(evidence.columns().stacks, evidence.stacks());
    }

    /** The picture of a device whose peak is after {@code peak}. Trees are made first, as frames are the scarcest. */
    static Picture of(Evidence evidence, int peak, PictureLimits limits) {
        return new PictureMaker(evidence, limits).make(peak);
    }

    private Picture make(int peak) {
        DeviceEvents events = lifetimes.events();
        boolean hasTimes = evidence.columns().eventKeys.contains("time_us") && events.count() > 0;
        Tree atPeak = new FrameTree(evidence, finder, frames).addLive(peak).tree();
        Tree atEnd = new FrameTree(evidence, finder, frames)
                .addLive(events.count() - 1)
                .tree();
        Tree growth = growth();
        PictureSites sites = new PictureSites(evidence, finder, limits.sites());
        List<Owner> owners = sites.owners(frames);
        Allocations allocations = allocations(sites);
        FinalSegments segments = new FinalSegments(evidence, finder, sites, frames, limits);
        return new Picture(
                evidence.input(),
                lifetimes.device(),
                events.count(),
                hasTimes ? events.timeMicros(0) : 0,
                hasTimes ? events.timeMicros(events.count() - 1) : 0,
                frames.frames(),
                frames.stacks(),
                owners,
                PictureLevels.of(evidence, sites, limits.buckets()),
                allocations,
                steps(evidence.steps()),
                AnnotationRanges.of(evidence.columns(), lifetimes.device(), events),
                atPeak,
                atEnd,
                growth,
                segments.segments(),
                segments.omitted(),
                evidence.deviceBytes());
    }

    private Tree growth() {
        FrameTree tree = new FrameTree(evidence, finder, frames);
        Survivors survivors = evidence.survivors();
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            int allocation = survivors.allocation(survivor);
            if (lifetimes.died(allocation) == Lifetimes.NEVER) {
                tree.add(allocation);
            }
        }
        return tree.tree();
    }

    private Allocations allocations(PictureSites sites) {
        int[] largest = LargestAllocations.of(lifetimes, limits.allocations());
        return new Allocations(
                Ints.of(Arrays.stream(largest).map(lifetimes::born).toArray()),
                Ints.of(Arrays.stream(largest).map(lifetimes::died).toArray()),
                Longs.of(Arrays.stream(largest).mapToLong(lifetimes::held).toArray()),
                Ints.of(Arrays.stream(largest).map(sites::of).toArray()),
                Ints.of(Arrays.stream(largest)
                        .map(allocation -> frames.stack(finder.stack(allocation)))
                        .toArray()));
    }

    /** Where steps begin; none where there are too many to tell apart. */
    private static Ints steps(Steps steps) {
        return steps.count() == 0 || steps.count() > PictureLimits.STEPS
                ? Ints.NONE
                : Ints.of(IntStream.rangeClosed(0, steps.count())
                        .map(steps::start)
                        .toArray());
    }
}
