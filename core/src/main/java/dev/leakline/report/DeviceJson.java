package dev.leakline.report;

import dev.leakline.result.Breakdown.Share;
import dev.leakline.result.CallTree;
import dev.leakline.result.Coverage;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.result.Peak;
import dev.leakline.result.SiteUse;
import dev.leakline.result.SiteUse.StackUse;
import java.util.List;

/** What devices held, as JSON. */
final class DeviceJson {
    private final Json json;
    private final FindingJson findings;
    private final int top;
    private final boolean hasStacks;

    DeviceJson(Json json, int top, boolean hasStacks) {
        this.json = json;
        this.findings = new FindingJson(json);
        this.top = top;
        this.hasStacks = hasStacks;
    }

    /** The properties of a device. */
    void device(DeviceResult device) {
        json.number("input", device.input());
        json.number("device", device.device());
        json.number("events", device.events());
        json.number("start_bytes", device.startBytes());
        requested("start_requested_bytes", device.startRequestedBytes(), device);
        json.number("end_bytes", device.endBytes());
        json.number("end_reserved_bytes", device.endReservedBytes());
        requested("peak_requested_bytes", device.peakRequestedBytes(), device);
        json.object("peak", device, _ -> {
            figures(device);
            json.objects("by_call", device.peak().tree(), this::call);
        });
        json.objects("timeline", device.timeline(), this::point);
        json.objects("out_of_memory", device.outOfMemory(), this::failedRequest);
        json.object("steps", device.steps(), findings::steps);
        json.object("coverage", device, this::coverage);
    }

    /** The properties of a device's peak, where it stands alone. */
    void peak(DeviceResult device) {
        json.number("input", device.input());
        json.number("device", device.device());
        figures(device);
    }

    /** Null where a profiler recorded, which does not know what was asked for. */
    private void requested(String name, long bytes, DeviceResult device) {
        known(name, bytes, !device.coverage().isTrace());
    }

    private void known(String name, long bytes, boolean isKnown) {
        if (isKnown) {
            json.number(name, bytes);
        } else {
            json.generator.writeNullProperty(name);
        }
    }

    private void figures(DeviceResult device) {
        Peak peak = device.peak();
        json.number("bytes", peak.bytes());
        requested("requested_bytes", peak.requestedBytes(), device);
        json.number("reserved_bytes", peak.reservedBytes());
        json.number("event", peak.event());
        json.time(peak.timeMicros());
        json.number("sites", peak.sites().size() + (long) peak.unlisted());
        List<SiteUse> first = peak.sites().subList(0, Math.min(top, peak.sites().size()));
        json.objects("by_site", first, use -> use(use, device));
        json.objects("by_category", peak.breakdown().byCategory(), use -> {
            json.constant("category", use.category());
            part(use.bytes(), use.blocks(), peak.bytes());
        });
        shares("by_operator", peak.breakdown().byOperator(), peak.bytes());
        shares("by_module", peak.breakdown().byModule(), peak.bytes());
    }

    private void shares(String name, List<Share> shares, long total) {
        json.objects(name, shares, share -> {
            json.string("name", share.name());
            part(share.bytes(), share.blocks(), total);
        });
    }

    private void part(long bytes, int blocks, long total) {
        json.number("bytes", bytes);
        json.number("blocks", blocks);
        json.number("share", share(bytes, total));
    }

    private static double share(long bytes, long total) {
        return total == 0 ? 0.0 : (double) bytes / total;
    }

    private void use(SiteUse use, DeviceResult device) {
        json.site(use.site());
        json.number("bytes", use.bytes());
        requested("requested_bytes", use.requestedBytes(), device);
        json.number("blocks", use.blocks());
        json.number("share", share(use.bytes(), device.peak().bytes()));
        if (hasStacks) {
            json.objects("stacks", use.stacks(), this::stack);
        }
    }

    private void stack(StackUse stack) {
        json.number("bytes", stack.bytes());
        json.number("blocks", stack.blocks());
        json.objects("frames", stack.frames(), json::frame);
    }

    private void call(CallTree call) {
        json.site(call.site());
        json.number("bytes", call.bytes());
        json.number("blocks", call.blocks());
        json.objects("calls", call.calls(), this::call);
    }

    private void point(TimelinePoint point) {
        json.number("event", point.event());
        json.time(point.timeMicros());
        json.number("bytes", point.liveBytes());
        json.number("reserved_bytes", point.reservedBytes());
    }

    /** The properties of a device of which only the failed requests matter. */
    void failures(DeviceResult device) {
        json.number("input", device.input());
        json.number("device", device.device());
        json.objects("out_of_memory", device.outOfMemory(), this::failedRequest);
    }

    /** The properties of a failed request. */
    void failedRequest(FailedRequest failed) {
        json.number("event", failed.event());
        json.time(failed.timeMicros());
        json.number("requested_bytes", failed.requestedBytes());
        known("device_free_bytes", failed.deviceFreeBytes(), failed.deviceFreeBytes() >= 0);
        json.object("site", failed.site(), json::site);
    }

    /** The properties of what a device's recording can tell. */
    void coverage(DeviceResult device) {
        Coverage coverage = device.coverage();
        json.number("events", device.events());
        json.generator.writeBooleanProperty("trace", coverage.isTrace());
        json.generator.writeBooleanProperty("has_times", coverage.hasTimes());
        json.generator.writeBooleanProperty("resorted", coverage.isResorted());
        json.constant("ring", coverage.ring());
        json.number("unknown_frees", coverage.unknownFrees());
        json.number("unknown_free_bytes", coverage.unknownFreeBytes());
        json.number("older_live_blocks", coverage.olderLiveBlocks());
        json.number("older_live_bytes", coverage.olderLiveBytes());
        json.number("lost_frees", coverage.lostFrees());
        json.number("live_without_block", coverage.liveWithoutBlock());
        json.number("end_mismatch_bytes", coverage.endMismatchBytes());
        json.number("explained_share", coverage.explainedShare());
        json.object("unused", coverage.unused(), unused -> unused.forEach(json::number));
    }
}
