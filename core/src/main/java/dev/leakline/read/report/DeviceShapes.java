package dev.leakline.read.report;

import static dev.leakline.read.report.SiteShapes.FRAME;
import static dev.leakline.read.report.SiteShapes.SITE;

import dev.leakline.result.Breakdown;
import dev.leakline.result.Breakdown.Category;
import dev.leakline.result.Breakdown.Share;
import dev.leakline.result.Breakdown.Use;
import dev.leakline.result.CallTree;
import dev.leakline.result.Coverage;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.result.Frame;
import dev.leakline.result.Peak;
import dev.leakline.result.Site;
import dev.leakline.result.SiteUse;
import dev.leakline.result.SiteUse.StackUse;
import dev.leakline.result.StepSummary;
import dev.leakline.source.JsonInput;
import dev.leakline.source.JsonObject;
import dev.leakline.source.ReadException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How devices are read: their peaks, timelines, failed requests and coverage. */
final class DeviceShapes {
    private static final Shape<StackUse> STACK = new Shape<>(
                    json -> new StackUse(json.number("bytes"), json.count("blocks"), json.list("frames", Frame.class)))
            .withList("frames", FRAME);

    private static final Shape<SiteUse> USE = new Shape<>(json -> new SiteUse(
                    SiteShapes.site(json),
                    json.number("bytes"),
                    json.number("requested_bytes", 0),
                    json.count("blocks"),
                    json.listOrNone("stacks", StackUse.class)))
            .withList("stacks", STACK);

    private static final Shape<CallTree> CALL = call();

    private static final Shape<Use> CATEGORY = new Shape<>(
            json -> new Use(json.constant("category", Category.class), json.number("bytes"), json.count("blocks")));

    private static final Shape<Share> SHARE =
            new Shape<>(json -> new Share(json.text("name"), json.number("bytes"), json.count("blocks")));

    private static final Shape<Peak> PEAK = new Shape<>(DeviceShapes::peak)
            .withList("by_site", USE)
            .withList("by_call", CALL)
            .withList("by_category", CATEGORY)
            .withList("by_operator", SHARE)
            .withList("by_module", SHARE);

    private static final Shape<TimelinePoint> POINT = new Shape<>(json ->
            new TimelinePoint(json.count("event"), json.time(), json.number("bytes"), json.number("reserved_bytes")));

    private static final Shape<FailedRequest> FAILED = new Shape<>(json -> new FailedRequest(
                    json.count("event"),
                    json.time(),
                    json.number("requested_bytes"),
                    json.number("device_free_bytes", -1),
                    json.part("site", Site.class)))
            .with("site", SITE);

    private static final Shape<Coverage> COVERAGE = new Shape<>(json -> new Coverage(
                    json.truth("trace", false),
                    json.truth("has_times"),
                    json.truth("resorted"),
                    json.constant("ring", Coverage.Ring.class),
                    json.count("unknown_frees"),
                    json.number("unknown_free_bytes"),
                    json.count("older_live_blocks"),
                    json.number("older_live_bytes"),
                    json.count("lost_frees"),
                    json.count("live_without_block"),
                    json.number("end_mismatch_bytes"),
                    json.real("explained_share"),
                    counts(json.map("unused"))))
            .with("unused", JsonInput::any);

    static final Shape<DeviceResult> DEVICE = new Shape<>(json -> new DeviceResult(
                    json.count("input"),
                    json.count("device"),
                    json.count("events"),
                    json.number("start_bytes"),
                    json.number("start_requested_bytes", 0),
                    json.number("end_bytes"),
                    json.number("end_reserved_bytes"),
                    json.part("peak", Peak.class),
                    json.number("peak_requested_bytes", 0),
                    json.list("timeline", TimelinePoint.class),
                    json.list("out_of_memory", FailedRequest.class),
                    json.part("steps", StepSummary.class),
                    json.part("coverage", Coverage.class)))
            .with("peak", PEAK)
            .withList("timeline", POINT)
            .withList("out_of_memory", FAILED)
            .with("steps", FindingShapes.STEPS)
            .with("coverage", COVERAGE);

    private DeviceShapes() {}

    private static Shape<CallTree> call() {
        Shape<CallTree> call = new Shape<>(json -> new CallTree(
                SiteShapes.site(json), json.number("bytes"), json.count("blocks"), json.list("calls", CallTree.class)));
        return call.withList("calls", call);
    }

    /** A peak; its report may name fewer sites than there are, and says how many there are. */
    private static Peak peak(JsonObject json) throws ReadException {
        List<SiteUse> sites = json.list("by_site", SiteUse.class);
        int all = json.count("sites", sites.size());
        if (all < sites.size()) {
            throw json.wrong("sites", "at least the " + sites.size() + " that are listed", (long) all);
        }
        return new Peak(
                json.count("event"),
                json.time(),
                json.number("bytes"),
                json.number("requested_bytes", 0),
                json.number("reserved_bytes"),
                sites,
                json.listOrNone("by_call", CallTree.class),
                new Breakdown(
                        json.listOrNone("by_category", Use.class),
                        json.listOrNone("by_operator", Share.class),
                        json.listOrNone("by_module", Share.class)),
                all - sites.size());
    }

    private static Map<String, Long> counts(Map<?, ?> unused) {
        Map<String, Long> counts = new LinkedHashMap<>();
        unused.forEach((name, count) -> {
            if (count instanceof Long number) {
                counts.put(String.valueOf(name), number);
            }
        });
        return counts;
    }
}
