package dev.leakline.verdict;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.detect.growth.SeenCycles;
import dev.leakline.detect.growth.StepSummaries;
import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.evidence.RequestSites;
import dev.leakline.join.DeviceJoin;
import dev.leakline.join.DumpJoin;
import dev.leakline.join.DumpJoin.Joined;
import dev.leakline.join.DumpMatch;
import dev.leakline.join.ProcessDump;
import dev.leakline.levers.Levers;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.PeakFinder.Found;
import dev.leakline.lifetime.PeakFinder.Moment;
import dev.leakline.peak.Breakdown;
import dev.leakline.peak.Composition;
import dev.leakline.peak.EventWindow;
import dev.leakline.picture.PictureLimits;
import dev.leakline.picture.PictureMaker;
import dev.leakline.result.Coverage;
import dev.leakline.result.Coverage.Ring;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.result.Peak;
import dev.leakline.result.Picture;
import dev.leakline.result.SiteUse;
import dev.leakline.steps.ProcessSteps;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the result of one device from its allocations: the peak by line, the timeline, the coverage. */
public final class DeviceAnalysis {
    /** People give round numbers to max_entries; a trace of exactly that many thousand events most likely filled its buffer. */
    private static final int ROUND = 1000;

    private final Evidence evidence;
    private final SnapshotColumns columns;
    private final Lifetimes lifetimes;
    private final DeviceEvents events;

    private DeviceAnalysis(Evidence evidence) {
        this.evidence = evidence;
        this.columns = evidence.columns();
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events();
    }

    /**
     * The result of a device, and what others need to go on.
     *
     * @param device what it held
     * @param examinations what each detector says of it
     * @param picture the device drawn, null if not requested
     * @param join what a holder dump has to do with it, null where there is none
     * @param steps its steps, for other devices of the process
     * @param gap what its recording lacks, in a sentence; empty where nothing
     */
    public record Outcome(
            DeviceResult device,
            List<Examination> examinations,
            @Nullable Picture picture,
            @Nullable DeviceJoin join,
            ProcessSteps steps,
            String gap) {}

    /** Judges a device: with a picture within {@code limits}, and with a holder dump of the same process; each null if not wanted or not there. */
    public static Outcome of(Evidence evidence, @Nullable PictureLimits limits, @Nullable ProcessDump dump) {
        return new DeviceAnalysis(evidence).run(limits, dump);
    }

    private Outcome run(@Nullable PictureLimits limits, @Nullable ProcessDump dump) {
        Found found = evidence.course();
        DumpMatch match =
                dump == null || lifetimes.device() == SnapshotColumns.HOST ? null : DumpMatch.of(evidence, dump);
        List<Examination> recorded = Detectors.examine(evidence, match);
        DeviceResult device = result(
                found,
                new Composition(evidence, evidence.liveAtPeak()),
                new Culprits(evidence, recorded, Culprits.END));
        List<Examination> examinations = LeverAdvice.added(
                evidence, device, match == null ? recorded : SeenCycles.added(evidence, recorded, match));
        Picture picture = limits == null ? null : PictureMaker.of(evidence, device, examinations, limits);
        String gap = RecordingGap.of(evidence, device.coverage().ring());
        if (match == null) {
            return new Outcome(device, examinations, picture, null, evidence.ofProcess(), gap);
        }
        Joined joined = DumpJoin.of(evidence, examinations, match);
        return new Outcome(device, joined.examinations(), picture, joined.device(), evidence.ofProcess(), gap);
    }

    private boolean isTrace() {
        return columns.recorder == Recorder.PROFILER;
    }

    private DeviceResult result(Found found, Composition composition, Culprits leaked) {
        EventWindow window = EventWindow.of(evidence);
        Breakdown breakdown = Breakdown.ofPeak(evidence, window, leaked);
        Levers.Found levers = Levers.of(evidence, window, breakdown);
        return new DeviceResult(
                evidence.input(),
                lifetimes.device(),
                events.count(),
                found.start().held(),
                isTrace() ? -1 : found.start().requested(),
                found.end().held(),
                found.end().reserved(),
                isTrace() ? -1 : found.peakRequested(),
                peak(found.peak(), composition, breakdown),
                timeline(found),
                failedRequests(),
                levers.levers(),
                levers.fit(),
                StepSummaries.of(evidence),
                coverage(found, composition));
    }

    private Peak peak(Moment moment, Composition composition, Breakdown breakdown) {
        List<SiteUse> sites = composition.sites();
        return new Peak(
                evidence.input(),
                lifetimes.device(),
                moment.held(),
                isTrace() ? -1 : moment.requested(),
                moment.reserved(),
                moment.event(),
                time(moment.event()),
                sites.size(),
                sites,
                breakdown.byCategory(),
                breakdown.byOperator(),
                breakdown.byModule(),
                composition.tree());
    }

    private List<TimelinePoint> timeline(Found found) {
        return found.points().stream()
                .filter(point -> events.count() > 0)
                .map(point -> new TimelinePoint(
                        point.event(), time(Math.max(point.event(), 0)), point.held(), point.reserved()))
                .toList();
    }

    /** The time of an event; what was before the first has none. */
    private long time(int event) {
        return event < 0 ? 0 : events.timeMicros(event);
    }

    private List<FailedRequest> failedRequests() {
        List<FailedRequest> failed = new ArrayList<>();
        if (events.failed().isEmpty()) {
            return failed;
        }
        RequestSites sites = new RequestSites(evidence);
        for (IntCursor request : events.failed()) {
            int event = request.value;
            failed.add(new FailedRequest(
                    event,
                    events.timeMicros(event),
                    events.size(event),
                    columns.events.deviceFree(events.row(event)),
                    sites.of(event)));
        }
        return failed;
    }

    private int unsized() {
        int unsized = 0;
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            unsized += lifetimes.requested(allocation) == 0 ? 1 : 0;
        }
        return unsized;
    }

    private Coverage coverage(Found found, Composition composition) {
        int olderBlocks = 0;
        long olderBytes = 0;
        boolean isForgotten = false;
        for (IntCursor older : lifetimes.older()) {
            if (lifetimes.died(older.value) == Lifetimes.NEVER) {
                olderBlocks++;
                olderBytes += lifetimes.held(older.value);
                isForgotten |= lifetimes.stack(older.value) != StackTable.NONE;
            }
        }
        return new Coverage(
                events.count(),
                isTrace(),
                columns.eventKeys.contains("time_us"),
                events.isResorted(),
                ring(olderBlocks, isForgotten),
                lifetimes.unknownFrees(),
                lifetimes.unknownFreeBytes(),
                olderBlocks,
                olderBytes,
                lifetimes.lostFrees(),
                lifetimes.liveWithoutBlock(),
                unsized(),
                found.end().held() - activeBytes(),
                found.unseenReleases(),
                composition.explainedShare(),
                columns.counters.counts());
    }

    /** A block has a stack only where it was allocated while history was recorded; where its event is missing, the buffer has lost it. */
    private Ring ring(int olderBlocks, boolean isForgotten) {
        if (isTrace()) {
            return Ring.WHOLE;
        }
        if (events.count() <= 1) {
            return Ring.EMPTY;
        }
        boolean isRound = events.count() % ROUND == 0 || Integer.bitCount(events.count()) == 1;
        boolean isCut = isRound && (olderBlocks > 0 || lifetimes.unknownFrees() > 0);
        return isForgotten || isCut ? Ring.WRAPPED : Ring.WHOLE;
    }

    private long activeBytes() {
        long sum = 0;
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            SegmentColumns.Row row = columns.segments.row(segment);
            sum += row.device() == lifetimes.device() ? activeBytes(row) : 0;
        }
        return sum;
    }

    private long activeBytes(SegmentColumns.Row segment) {
        long sum = 0;
        for (int block = segment.firstBlock(); block < segment.firstBlock() + segment.blockCount(); block++) {
            sum += columns.blocks.state(block) == BlockState.INACTIVE ? 0 : columns.blocks.size(block);
        }
        return sum;
    }
}
