package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.InputFile;
import dev.leakline.result.WhatIf;
import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Device;
import dev.leakline.result.WhatIf.Failure;
import dev.leakline.result.WhatIf.Trial;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Prints replays for people at a terminal: the recommended setting, the result of each setting, and how reliable the model is. */
public final class WhatIfText {
    /** Characters of the columns of figures together. */
    private static final int FIGURES_WIDTH = 49;
    /** Settings that are much narrower than their column leave the eye without a guide to their figures. */
    private static final int WIDEST_SETTINGS = 60;

    private static final String DEFAULTS = "(defaults)";
    /** The order of trials: those that meet all requests first, those that fail early last. */
    private static final Comparator<Trial> BEST_FIRST = Comparator.<Trial>comparingInt(
                    outcome -> outcome.failure() == null
                            ? Integer.MIN_VALUE
                            : -outcome.failure().event())
            .thenComparingLong(Trial::peakReservedBytes);

    private final WhatIf whatIf;
    private final Style style;
    private final Page page;

    private WhatIfText(WhatIf whatIf, Style style) {
        this.whatIf = whatIf;
        this.style = style;
        this.page = new Page(style);
    }

    /** The whole text, with a line feed after each line; {@code leak} says that memory leaks, and is empty where it does not. */
    public static String of(WhatIf whatIf, String leak, Style style) {
        WhatIfText text = new WhatIfText(whatIf, style);
        text.write();
        if (!leak.isEmpty()) {
            text.page.blank();
            text.page.text(leak);
        }
        return String.join("\n", text.page.lines()) + "\n";
    }

    private void write() {
        for (int input = 0; input < whatIf.inputs().size(); input++) {
            write(whatIf.inputs().get(input), input);
        }
    }

    private void write(InputFile file, int number) {
        if (number > 0) {
            page.blank();
        }
        page.wrap("", file.path(), style::bold);
        List<Device> devices = whatIf.devices().stream()
                .filter(device -> device.input() == number)
                .toList();
        devices.forEach(this::write);
        if (devices.isEmpty()) {
            page.blank();
            page.text("Nothing to replay: the snapshot has no GPU events. Record them: call"
                    + " torch.cuda.memory._record_memory_history() at the start of the job.");
        }
    }

    private void write(Device device) {
        page.heading("device " + device.device());
        page.text(memory(device));
        page.blank();
        recommend(device);
        page.blank();
        table(device);
        believe(device);
    }

    private static String memory(Device device) {
        String size = ByteSize.format(device.memoryBytes());
        return switch (device.memorySource()) {
            case UNKNOWN -> "memory limit: unknown, so the replay has none; set one with --memory 24GiB";
            case GIVEN -> "memory limit: " + size + ", from --memory";
            case FAILED_REQUEST -> "memory limit: " + size + ", inferred from the failed request";
        };
    }

    private void recommend(Device device) {
        if (device.recommendation() == null) {
            page.wrap("", "No setting to recommend: " + device.reason(), style::bold);
        } else {
            page.wrap(
                    "",
                    "Recommended: PYTORCH_CUDA_ALLOC_CONF="
                            + device.recommendation().settings(),
                    look -> style.bold(style.good(look)));
            page.text("Then " + device.reason());
        }
    }

    private void table(Device device) {
        row("settings", figures("reserved", "driver calls", "fails at", "retries"), style::faint);
        outcome(named(device.recorded()) + ", as recorded", device.recorded());
        device.others().stream().sorted(BEST_FIRST).forEach(outcome -> outcome(named(outcome), outcome));
    }

    private static String named(Trial outcome) {
        return outcome.settings().isEmpty() ? DEFAULTS : outcome.settings();
    }

    private void outcome(String settings, Trial outcome) {
        Failure failure = outcome.failure();
        row(
                settings,
                figures(
                        ByteSize.format(outcome.peakReservedBytes()),
                        Numbers.grouped(outcome.driverCalls()),
                        failure == null ? "-" : "event " + Numbers.grouped(failure.event()),
                        Numbers.grouped(outcome.retries())),
                UnaryOperator.identity());
    }

    private static String figures(String reserved, String calls, String failure, String retries) {
        return String.format(Locale.ROOT, "%12s %12s %14s %8s", reserved, calls, failure, retries);
    }

    /** Settings and their figures, in one line where both have room; where not even the figures have, as text that is broken. */
    private void row(String settings, String figures, UnaryOperator<String> look) {
        int width = Math.min(style.columns() - FIGURES_WIDTH - 2, WIDEST_SETTINGS);
        if (settings.length() <= width) {
            page.line(look.apply("  " + settings + " ".repeat(width - settings.length()) + figures));
            return;
        }
        page.text(settings, look);
        if (width >= 0) {
            page.line(look.apply("  " + " ".repeat(width) + figures));
        } else {
            page.wrap("    ", figures.strip().replaceAll(" {2,}", ", "), look);
        }
    }

    private void believe(Device device) {
        Credibility credibility = device.credibility();
        page.heading("how reliable is this?");
        page.text("With the recorded settings, the replay matches the recording in "
                + Numbers.grouped(credibility.matchingDriverEvents()) + " of "
                + Numbers.counted(credibility.recordedDriverEvents(), "driver event") + " ("
                + Numbers.percent(credibility.share()) + ").");
        if (!device.isFromStart()) {
            page.text("Memory was already in use when the recording began; its layout is inferred from the final"
                    + " state and is the same under all settings.");
        }
        page.text(
                "Not simulated: other processes, the timing of streams, and what the program would do after a failed request.");
    }
}
