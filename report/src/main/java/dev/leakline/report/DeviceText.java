package dev.leakline.report;

import dev.leakline.report.terminal.Chart;
import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.result.Peak;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.function.UnaryOperator;

/** Prints the result of one device: its peak, its memory over time, failed requests, lines, and coverage. */
final class DeviceText {
    private static final int ROWS = 7;
    /** Failed requests that are listed one by one; a job that retries may have thousands. */
    private static final int FAILED_SHOWN = 3;

    private final DeviceResult device;
    private final Style style;
    private final Page page;

    private DeviceText(DeviceResult device, Style style) {
        this.device = device;
        this.style = style;
        this.page = new Page(style);
    }

    static List<String> lines(AnalysisResult result, DeviceResult device, TextReport.Options options, Style style) {
        DeviceText text = new DeviceText(device, style);
        text.page.heading(Devices.name(result, device.input(), device.device()));
        text.figures();
        text.chart();
        text.failedRequests();
        text.page.lines(PeakText.lines(device.peak(), options, style));
        if (device.device() >= 0 || result.worst() == null) {
            text.page.lines(BreakdownText.lines(device.peak(), options.top(), style));
        }
        if (result.findings().stream().noneMatch(finding -> finding.growth() != null)) {
            text.levers();
        }
        text.page.heading("coverage");
        device.sentences().forEach(text.page::text);
        return text.page.lines();
    }

    /** Prints the changes that would lower the peak. */
    private void levers() {
        page.lines(LeverText.lines(device.levers(), null, style));
        if (device.fit() != null) {
            page.heading("does it fit (an estimate)");
            page.text(device.fit().sentence());
        }
    }

    /** The requests of a device that failed. */
    static List<String> failures(DeviceResult device, Style style) {
        DeviceText text = new DeviceText(device, style);
        text.failedRequests();
        return text.page.lines();
    }

    private void figures() {
        Peak peak = device.peak();
        page.text("peak " + ByteSize.format(peak.bytes()) + when());
        if (peak.reservedBytes() == 0 && device.endReservedBytes() == 0) {
            page.text(ByteSize.format(device.endBytes()) + " live at the end");
            return;
        }
        String requested = device.coverage().isTrace()
                ? ""
                : device.device() < 0
                        ? "sizes as PyTorch rounded them up for pinned memory, "
                        : ByteSize.format(peak.requestedBytes()) + " of it requested, ";
        page.text(requested + ByteSize.format(peak.reservedBytes()) + " reserved at that moment; "
                + ByteSize.format(device.endBytes()) + " live and " + ByteSize.format(device.endReservedBytes())
                + " reserved at the end");
    }

    private String when() {
        int event = device.peak().event();
        if (event < 0) {
            return device.events() == 0 ? "" : ", before the first of " + Numbers.counted(device.events(), "event");
        }
        String where = " after event " + Numbers.grouped(event) + " of " + Numbers.grouped(device.events());
        return hasTimes() ? where + ", +" + Numbers.span(device.peak().timeUs() - start()) : where;
    }

    private boolean hasTimes() {
        return device.coverage().hasTimes();
    }

    private long start() {
        return device.timeline().isEmpty() ? 0 : device.timeline().getFirst().timeUs();
    }

    /** Over time where the recording has times, else over events. */
    private void chart() {
        List<TimelinePoint> timeline = device.timeline();
        List<Chart.Point> points = timeline.stream()
                .map(point -> new Chart.Point(position(point), point.bytes(), point.reservedBytes()))
                .toList();
        List<String> chart = points.isEmpty() ? List.of() : Chart.of(points, ROWS, foot(points), style);
        if (!chart.isEmpty()) {
            page.blank();
            page.lines(chart);
        }
    }

    private long position(TimelinePoint point) {
        return hasTimes() ? point.timeUs() : point.event();
    }

    private Chart.Foot foot(List<Chart.Point> points) {
        long from = points.getFirst().position();
        long to = points.getLast().position();
        long peak = hasTimes() ? device.peak().timeUs() : device.peak().event();
        String end = hasTimes() ? "+" + Numbers.span(to - from) : "event " + Numbers.grouped(to);
        return new Chart.Foot(device.peak().event() < 0 ? from : peak, "peak", end);
    }

    private void failedRequests() {
        List<FailedRequest> failed = device.outOfMemory();
        if (!failed.isEmpty()) {
            page.blank();
            String times = failed.size() == 1 ? "once" : Numbers.grouped(failed.size()) + " times";
            page.wrap("", "out of memory " + times, style::warning);
        }
        failed.stream().limit(FAILED_SHOWN).forEach(this::failedRequest);
    }

    private static String free(FailedRequest request) {
        return request.deviceFreeBytes() < 0
                ? ""
                : ByteSize.format(request.deviceFreeBytes()) + " free on the device, ";
    }

    private void failedRequest(FailedRequest request) {
        String site = Labels.site(request.site(), style.columns() - 2, style);
        page.wrap(
                "  ",
                "event " + Numbers.grouped(request.event()) + ": requested " + ByteSize.format(request.requestedBytes())
                        + ", " + free(request) + "by "
                        + site,
                UnaryOperator.identity());
    }
}
