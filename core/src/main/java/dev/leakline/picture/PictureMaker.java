package dev.leakline.picture;

import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Ints;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Calls;
import dev.leakline.result.Picture.Owner;
import dev.leakline.site.SiteFinder;
import dev.leakline.steps.Steps;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws a device. The recording is followed twice, once to choose the sites and once to add up what they held; all else is a pass over the
 * allocations. What it takes besides is four bytes for each allocation and each block, and what the picture itself holds.
 */
public final class PictureMaker {
    private final Evidence evidence;
    private final PictureLimits limits;
    private final Lifetimes lifetimes;
    private final SiteFinder finder;
    private final PictureFrames frames;

    private PictureMaker(Evidence evidence, PictureLimits limits) {
        this.evidence = evidence;
        this.limits = limits;
        this.lifetimes = evidence.lifetimes();
        this.finder = evidence.sites();
        this.frames = new PictureFrames(evidence.columns().stacks, evidence.stacks());
    }

    /** The picture of a device, from what is said of it. The tree of calls is made first, as frames are the scarcest. */
    public static Picture of(
            Evidence evidence, DeviceResult device, List<Examination> examinations, PictureLimits limits) {
        return new PictureMaker(evidence, limits).make(device.peak().event(), device.outOfMemory(), examinations);
    }

    private Picture make(int peak, List<FailedRequest> failed, List<Examination> examinations) {
        DeviceEvents events = lifetimes.events();
        boolean hasTimes = evidence.columns().eventKeys.contains("time_us") && events.count() > 0;
        PictureBlocks blocks = new PictureBlocks(evidence, Moments.of(evidence, peak, failed, limits.blocks()), limits);
        PictureCalls calls = new PictureCalls(evidence, finder, frames, blocks.allocations());
        Calls tree = calls.calls();
        PictureSites sites =
                new PictureSites(evidence, finder, new Culprits(evidence, examinations, Culprits.END), limits.sites());
        List<Owner> owners = sites.owners(frames);
        return new Picture(
                evidence.input(),
                lifetimes.device(),
                events.count(),
                hasTimes ? events.timeMicros(0) : 0,
                hasTimes ? events.timeMicros(events.count() - 1) : 0,
                frames.frames(),
                owners,
                PictureLevels.of(evidence, sites, limits.buckets()),
                tree,
                blocks.columns(sites, calls),
                blocks.moments(),
                steps(evidence.steps()),
                AnnotationRanges.of(evidence.columns(), lifetimes.device(), events),
                blocks.segments(),
                blocks.omitted(),
                evidence.deviceBytes());
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
