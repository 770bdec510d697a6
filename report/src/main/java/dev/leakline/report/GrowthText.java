package dev.leakline.report;

import dev.leakline.report.terminal.Chart;
import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Growth;
import dev.leakline.result.StepSummary;
import dev.leakline.text.ByteSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How something grows: how fast, since when, until when memory is full, and the floor that it makes, drawn. */
final class GrowthText {
    private static final int ROWS = 5;
    /** Forecasts beyond this many seconds, a year, are left unsaid: no job runs so long. */
    private static final double FAR = 365.25 * 24 * 3600;

    private final Finding finding;
    private final Growth growth;
    private final @Nullable StepSummary steps;
    private final Page page;

    private GrowthText(Finding finding, Growth growth, @Nullable StepSummary steps, Style style) {
        this.finding = finding;
        this.growth = growth;
        this.steps = steps;
        this.page = new Page(style);
    }

    /** The figures in labelled lines; {@code device} is where it grows, if that is known. */
    static List<String> figures(Finding finding, Growth growth, @Nullable DeviceResult device, Style style) {
        GrowthText text = new GrowthText(finding, growth, device == null ? null : device.steps(), style);
        text.rate();
        text.span();
        text.share();
        text.forecast();
        return text.page.lines();
    }

    /** The floor over the steps, where there are enough to draw. */
    static List<String> chart(Growth growth, Style style) {
        List<Chart.Point> points = growth.floor().stream()
                .map(point -> new Chart.Point(point.step(), point.bytes(), 0))
                .toList();
        int last = points.isEmpty() ? 0 : growth.floor().getLast().step();
        String mark = "grows from step " + Labels.count(growth.firstStep());
        return Chart.of(points, ROWS, new Chart.Foot(growth.firstStep(), mark, "step " + Labels.count(last)), style);
    }

    private void rate() {
        say("grows", size(finding.bytesPerStep()) + " per step" + interval() + perSecond() + meaning());
    }

    private String interval() {
        String low = size(growth.low());
        String high = size(growth.high());
        return low.equals(high) ? "" : " (" + low + " to " + high + ")";
    }

    private String perSecond() {
        return Double.isFinite(finding.bytesPerSecond()) ? ", " + size(finding.bytesPerSecond()) + " per second" : "";
    }

    private String meaning() {
        return steps == null || steps.meaning().isBlank() ? "" : "; a step is " + steps.meaning();
    }

    private void span() {
        String until = steps != null && growth.lastStep() >= steps.count() - 1
                ? " to the last, step " + Labels.count(growth.lastStep())
                : " until step " + Labels.count(growth.lastStep()) + end();
        say("when", "from step " + Labels.count(growth.firstStep()) + until);
    }

    private String end() {
        return steps == null ? "" : "; the last is step " + Labels.count(steps.count() - 1L);
    }

    private void share() {
        if (Double.isFinite(growth.share())) {
            say("share", Labels.percent(growth.share()) + " of all that grows over those steps");
        }
    }

    private void forecast() {
        boolean isFar = finding.secondsToOom() > FAR;
        if (Double.isFinite(finding.stepsToOom()) && !isFar) {
            String steps = Labels.count((long) finding.stepsToOom(), "step");
            say("full in", steps + time() + " at this rate");
        }
    }

    private String time() {
        double seconds = finding.secondsToOom();
        return Double.isFinite(seconds) ? ", about " + Labels.span((long) (seconds * 1e6)) + "," : "";
    }

    private void say(String label, String text) {
        page.labelled(label, FindingText.LABEL, text);
    }

    private static String size(double bytes) {
        return ByteSize.format(Math.round(bytes));
    }
}
