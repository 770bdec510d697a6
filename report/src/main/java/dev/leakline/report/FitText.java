package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Fit;

/** Prints for people at a terminal whether what was recorded fits into a device, and what would bring it under. */
public final class FitText {
    private final AnalysisResult result;
    private final Style style;
    private final Page page;

    private FitText(AnalysisResult result, Style style) {
        this.result = result;
        this.style = style;
        this.page = new Page(style);
    }

    /** The whole text, with a line feed after each line. */
    public static String of(AnalysisResult result, Style style) {
        FitText text = new FitText(result, style);
        result.devices().stream().filter(device -> device.device() >= 0).forEach(text::write);
        return String.join("\n", text.page.lines()) + "\n";
    }

    /** The text of a job that was estimated; whether it fits where a device's memory was {@code given}. */
    public static String ofEstimate(AnalysisResult result, boolean given, Style style) {
        FitText text = new FitText(result, style);
        for (DeviceResult device : result.devices()) {
            text.page.wrap("", device.peak().sentence() + ".", style::bold);
            Fit fit = device.fit();
            if (fit != null && !given) {
                text.page.text(fit.leastSentence() + ".");
                text.page.lines(LeverText.lines(device.levers(), null, style));
            } else {
                text.write(device);
            }
        }
        text.page.text(
                "Not known: what kernels need beside their results, such as workspaces of cuDNN, and what a script does by the values that"
                        + " it computes.",
                style::faint);
        return String.join("\n", text.page.lines()) + "\n";
    }

    private void write(DeviceResult device) {
        page.wrap("", Devices.name(result, device.input(), device.device()), style::bold);
        Fit fit = device.fit();
        if (fit == null) {
            page.text(
                    "undetermined: the recording does not show the calls of a model; record it with Python stacks from before the first"
                            + " step: torch.cuda.memory._record_memory_history(stacks=\"python\")");
            return;
        }
        page.text(fit.sentence() + ".");
        page.text(fit.leastSentence() + ".");
        if (result.findings().stream()
                .anyMatch(finding -> finding.device() == device.device() && finding.bytesPerStep() > 0)) {
            page.text("That is of the recorded steps alone: " + result.reason() + ".");
        }
        page.text(
                "All of it is an estimate: the recorded requests, made again on a model of the allocator; "
                        + fit.contextSentence() + ".",
                style::faint);
        page.lines(LeverText.lines(device.levers(), fit.reservedBytes() < 0 ? fit : null, style));
    }
}
