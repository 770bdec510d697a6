package dev.leakline.report.diff;

import dev.leakline.report.Devices;
import dev.leakline.report.FindingText;
import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.SettingChange;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.InputFile;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison for people at a terminal: what changed in a sentence, then finding by finding, then line by line, then the caveats. */
public final class DiffReport {
    /** Room for the name of a side and for what became of a finding. */
    private static final int LABEL = 9;
    /** Inputs of a side that are named; a job may have thousands of ranks. */
    private static final int INPUTS_NAMED = 3;

    private final Comparison comparison;
    private final int top;
    private final Style style;
    private final Page page;

    private DiffReport(Comparison comparison, int top, Style style) {
        this.comparison = comparison;
        this.top = top;
        this.style = style;
        this.page = new Page(style);
    }

    /**
     * The whole comparison, with a line feed after each line.
     *
     * @param top lines of code to show for each device, at most
     */
    public static String of(Comparison comparison, int top, Style style) {
        DiffReport report = new DiffReport(comparison, top, style);
        report.write();
        return String.join("\n", report.page.lines()) + "\n";
    }

    private void write() {
        side("before", comparison.before());
        side("after", comparison.after());
        page.blank();
        page.wrap(verdicts() + "   ", comparison.summary(), this::look);
        findings();
        if (!comparison.isSame()) {
            comparison.devices().forEach(this::device);
        }
        settings();
        caveats();
    }

    private void side(String label, Side side) {
        String inputs = side.result().inputs().stream()
                .map(InputFile::path)
                .filter(path -> !path.equals(side.name()))
                .limit(INPUTS_NAMED)
                .collect(Collectors.joining(", "));
        int more = side.result().inputs().size() - INPUTS_NAMED;
        String others = more > 0 ? " and " + Numbers.grouped(more) + " more" : "";
        String of = inputs.isEmpty() ? "" : ", the report of " + inputs + others;
        page.wrap(String.format("%-" + LABEL + "s", label), side.name() + of, style::bold);
    }

    private String verdicts() {
        String was = verdict(comparison.before().result());
        String is = verdict(comparison.after().result());
        return was.equals(is) ? is : was + " -> " + is;
    }

    private static String verdict(AnalysisResult result) {
        return result.verdict().name().toLowerCase(Locale.ROOT);
    }

    private String look(String headline) {
        return style.bold(
                switch (comparison.after().result().verdict()) {
                    case NO_LEAK -> style.good(headline);
                    case UNDETERMINED -> headline;
                    default -> style.alarm(headline);
                });
    }

    private void findings() {
        if (!comparison.findings().isEmpty()) {
            page.heading("findings");
        }
        for (FindingChange change : comparison.findings()) {
            String label = "  " + String.format("%-" + LABEL + "s", Labels.words(change.change()));
            page.wrap(label, FindingText.located(change.finding()), look(change));
            page.labelled("", LABEL, FindingChangeText.of(change));
        }
    }

    private UnaryOperator<String> look(FindingChange change) {
        return switch (change.change()) {
            case NEW, WORSE -> style::alarm;
            case BETTER, GONE -> style::good;
            case UNCLEAR -> style::warning;
            case SAME -> UnaryOperator.identity();
        };
    }

    private void device(DeviceChange change) {
        boolean isNow = change.after() != null;
        AnalysisResult result = (isNow ? comparison.after() : comparison.before()).result();
        page.heading(
                Devices.name(result, change.device().input(), change.device().device()));
        page.lines(DeviceChangeText.lines(change, top, style));
    }

    private void settings() {
        if (!comparison.settings().isEmpty()) {
            page.heading("allocator settings");
        }
        for (SettingChange setting : comparison.settings()) {
            page.text(setting.name() + ": " + value(setting.before()) + " -> " + value(setting.after()));
        }
    }

    private static String value(@Nullable Object value) {
        return value == null ? "not recorded" : Printable.of(value.toString(), 200);
    }

    private void caveats() {
        List<String> caveats = comparison.caveats();
        if (!caveats.isEmpty()) {
            page.heading("caveats");
        }
        caveats.forEach(caveat -> page.wrap("  - ", caveat, UnaryOperator.identity()));
    }
}
