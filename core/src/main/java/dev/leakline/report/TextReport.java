package dev.leakline.report;

import dev.leakline.primitive.ByteSize;
import dev.leakline.primitive.Printable;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.CallTree;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Frame;
import dev.leakline.result.InputFile;
import dev.leakline.result.Peak;
import dev.leakline.result.SiteUse;
import dev.leakline.result.SiteUse.StackUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A result for people at a terminal: what was read, what is wrong, each device's memory over time, and whose it was at the peak. */
public final class TextReport {
    /** Width of size, share and count in a row of the site table, with the gaps between them. */
    private static final int FIGURES = 29;

    /** Width of size and share in a row of the call tree, with the gaps after them. */
    private static final int CALL_FIGURES = 19;

    private static final int MAX_BAR = 24;
    /** Below this width a line of code needs the room of bar and count. */
    private static final int NARROW = 64;
    /** Failed requests that are listed one by one; a job that retries may have thousands. */
    private static final int FAILED_SHOWN = 3;

    /**
     * What to show.
     *
     * @param top sites of a peak, at most
     * @param hasStacks whether each site comes with its stacks
     * @param hasTree whether to show the calls that the peak came through
     */
    public record Options(int top, boolean hasStacks, boolean hasTree) {}

    private final AnalysisResult result;
    private final Options options;
    private final Style style;
    private final List<String> lines = new ArrayList<>();

    private TextReport(AnalysisResult result, Options options, Style style) {
        this.result = result;
        this.options = options;
        this.style = style;
    }

    /** The whole report, with a line feed after each line. */
    public static String of(AnalysisResult result, Options options, Style style) {
        TextReport report = new TextReport(result, options, style);
        report.write();
        return String.join("\n", report.lines) + "\n";
    }

    private void write() {
        result.inputs().forEach(this::writeInput);
        lines.add("");
        lines.add(style.bold(result.verdict().name().toLowerCase(Locale.ROOT)));
        wrap(result.reason());
        if (result.devices().isEmpty()) {
            lines.add("");
            wrap("No device held any memory: the snapshot has neither segments nor events.");
        }
        result.devices().forEach(this::writeDevice);
    }

    private void writeInput(InputFile input) {
        lines.add(style.bold(Printable.of(input.path())));
        wrap(input.kind() + ", " + ByteSize.format(input.bytes()) + ", by torch " + input.torch());
        if (input.incomplete() != null) {
            wrap(style.warning(
                    "incomplete: " + input.incomplete() + "; what follows is about the part before, and takes"
                            + " for older than the recording what was allocated after it"));
        }
    }

    private void writeDevice(DeviceResult device) {
        Peak peak = device.peak();
        lines.add("");
        lines.add(style.bold(name(device)));
        wrap("peak " + ByteSize.format(peak.bytes()) + when(device));
        wrap(ByteSize.format(peak.requestedBytes()) + " of it requested, " + ByteSize.format(peak.reservedBytes())
                + " reserved from the driver then; " + ByteSize.format(device.endBytes()) + " live and "
                + ByteSize.format(device.endReservedBytes()) + " reserved at the end");
        List<String> chart = new Chart(device, style).lines();
        if (!chart.isEmpty()) {
            lines.add("");
            lines.addAll(chart);
        }
        writeFailedRequests(device);
        writeSites(device);
        writeCoverage(device);
    }

    private String name(DeviceResult device) {
        String name = device.device() < 0 ? "pinned host memory" : "device " + device.device();
        return result.inputs().size() > 1
                ? name + " of "
                        + new Frame(
                                        Printable.of(result.inputs()
                                                .get(device.input())
                                                .path()),
                                        0,
                                        "")
                                .fileName()
                : name;
    }

    private String when(DeviceResult device) {
        int event = device.peak().event();
        if (event < 0) {
            return device.events() == 0 ? "" : ", before the first of " + Labels.count(device.events(), "event");
        }
        String where = " after event " + Labels.count(event) + " of " + Labels.count(device.events());
        long start =
                device.timeline().isEmpty() ? 0 : device.timeline().getFirst().timeMicros();
        return device.coverage().hasTimes()
                ? where + ", +" + Labels.span(device.peak().timeMicros() - start)
                : where;
    }

    private void writeFailedRequests(DeviceResult device) {
        List<FailedRequest> failed = device.outOfMemory();
        if (failed.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(style.warning(
                "out of memory " + (failed.size() == 1 ? "once" : Labels.count(failed.size()) + " times")));
        for (FailedRequest request : failed.subList(0, Math.min(failed.size(), FAILED_SHOWN))) {
            String text = "event " + Labels.count(request.event()) + ": " + ByteSize.format(request.requestedBytes())
                    + " asked for, " + ByteSize.format(request.deviceFreeBytes()) + " free on the device, by ";
            wrap(text + Labels.site(request.site(), style.columns() - 2, style)); // wraps at blanks only
        }
    }

    private void writeSites(DeviceResult device) {
        Peak peak = device.peak();
        if (peak.sites().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(style.bold("live at the peak, by line"));
        int barWidth = isNarrow() ? 0 : Math.clamp((style.columns() - FIGURES) / 4, 0, MAX_BAR);
        int shown = Math.min(options.top, peak.sites().size());
        peak.sites().subList(0, shown).forEach(use -> writeSite(use, peak, barWidth));
        writeRest(peak, shown);
        if (options.hasTree) {
            lines.add("");
            lines.add(style.bold("live at the peak, by call"));
            peak.tree().forEach(call -> writeCall(call, peak, 0));
        }
    }

    private void writeCall(CallTree call, Peak peak, int depth) {
        String indent = " ".repeat(Math.min(depth * 2, style.columns() / 2));
        String label = Labels.site(call.site(), style.columns() - CALL_FIGURES - indent.length(), style);
        lines.add(figures(call.bytes(), (double) call.bytes() / Math.max(peak.bytes(), 1)) + indent + label);
        call.calls().forEach(inner -> writeCall(inner, peak, depth + 1));
    }

    private void writeSite(SiteUse use, Peak peak, int barWidth) {
        double share = peak.bytes() == 0 ? 0 : (double) use.bytes() / peak.bytes();
        double ofLargest =
                (double) use.bytes() / Math.max(peak.sites().getFirst().bytes(), 1);
        int figures = isNarrow() ? CALL_FIGURES : FIGURES + barWidth;
        String label = Labels.site(use.site(), style.columns() - figures, style);
        String blocks = isNarrow() ? "" : String.format("%7s  ", "x" + compact(use.blocks()));
        lines.add(figures(use.bytes(), share)
                + style.accent(style.bar(ofLargest, barWidth))
                + blocks
                + (use.site().isLine() ? label : style.faint(label)));
        if (options.hasStacks) {
            use.stacks().forEach(this::writeStack);
        }
    }

    private boolean isNarrow() {
        return style.columns() < NARROW;
    }

    private static String figures(long bytes, double share) {
        return String.format("%10s %6s  ", ByteSize.format(bytes), Labels.percent(share));
    }

    private static String compact(int blocks) {
        return blocks < 100_000 ? String.valueOf(blocks) : blocks / 1000 + "k";
    }

    private void writeStack(StackUse stack) {
        lines.add("      " + ByteSize.format(stack.bytes()) + " in " + Labels.count(stack.blocks(), "block") + " from");
        stack.frames().forEach(frame -> lines.add("        " + style.faint(Labels.frame(frame))));
    }

    private void writeRest(Peak peak, int shown) {
        long rest = peak.sites().stream().skip(shown).mapToLong(SiteUse::bytes).sum();
        int more = peak.sites().size() - shown;
        if (more > 0) {
            lines.add(figures(rest, (double) rest / Math.max(peak.bytes(), 1))
                    + style.faint("at " + Labels.count(more, "more site") + " (--top "
                            + peak.sites().size() + " shows all)"));
        }
    }

    private void writeCoverage(DeviceResult device) {
        lines.add("");
        lines.add(style.bold("coverage"));
        CoverageText.sentences(device).forEach(this::wrap);
    }

    /** Adds text as indented lines that fit, broken at blanks. */
    private void wrap(String text) {
        StringBuilder line = new StringBuilder("  ");
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() > style.columns() && line.length() > 2) {
                lines.add(line.toString().stripTrailing());
                line.setLength(2);
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
    }
}
