package dev.leakline.picture;

import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Calls;
import dev.leakline.result.Picture.Clock;
import dev.leakline.result.Picture.Level;
import dev.leakline.result.Picture.Owner;
import dev.leakline.site.SiteFinder;
import dev.leakline.steps.Steps;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
        PictureSites sites =
                new PictureSites(evidence, finder, new Culprits(evidence, examinations, Culprits.END), limits.sites());
        List<Level> levels = PictureLevels.of(evidence, sites, limits.buckets());
        Moments moments = Moments.of(evidence, levels.getLast(), peak, failed, limits.blocks());
        PictureBlocks blocks = new PictureBlocks(evidence, moments, limits);
        boolean isDetailed = limits.isDetailed() && !moments.isEvery() && blocks.isWhole();
        PictureCalls calls = new PictureCalls(evidence, finder, frames, isDetailed ? all() : blocks.allocations());
        PictureColumns columns = new PictureColumns(evidence, sites, calls);
        Calls tree = calls.calls();
        List<Owner> owners = sites.owners(frames);
        return new Picture(
                evidence.input(),
                lifetimes.device(),
                events.count(),
                hasTimes ? events.timeMicros(0) : 0,
                hasTimes ? events.timeMicros(events.count() - 1) : 0,
                frames.frames(),
                owners,
                hasTimes ? clock(events, levels.getLast(), moments) : new Clock(Ints.NONE, Longs.NONE),
                levels,
                tree,
                columns.of(blocks.allocations()),
                blocks.moments(),
                steps(evidence.steps()),
                AnnotationRanges.of(evidence.columns(), lifetimes.device(), events),
                blocks.segments(),
                lifetimes.count() - blocks.count(),
                blocks.omittedSegments(),
                evidence.deviceBytes(),
                isDetailed
                        ? new PictureStretches(lifetimes, moments)
                                .of(Moments.named(events.count(), peak, failed), columns)
                        : List.of());
    }

    private int[] all() {
        return IntStream.range(0, lifetimes.count()).toArray();
    }

    /** When the events were that a page can point at, so that it says the times that the recording has. */
    private static Clock clock(DeviceEvents events, Level finest, Moments moments) {
        int[] pointed = Stream.of(each(finest.firstEvents()), each(finest.highest()), IntStream.of(moments.events()))
                .flatMapToInt(each -> each)
                .map(event -> Math.clamp(event, 0, events.count() - 1))
                .sorted()
                .distinct()
                .toArray();
        return new Clock(
                Ints.of(pointed),
                Longs.of(IntStream.of(pointed)
                        .mapToLong(event -> events.timeMicros(event) - events.timeMicros(0))
                        .toArray()));
    }

    private static IntStream each(Ints column) {
        return IntStream.range(0, column.size()).map(column::get);
    }

    /** Where steps begin; none where nothing repeats, or where there are too many to tell apart. */
    private static Ints steps(Steps steps) {
        return !steps.kind().repeats() || steps.count() > PictureLimits.STEPS
                ? Ints.NONE
                : Ints.of(IntStream.rangeClosed(0, steps.count())
                        .map(steps::start)
                        .toArray());
    }
}
