package dev.leakline.report.diff;

import dev.leakline.report.FindingText;
import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.SettingChange;
import dev.leakline.result.Comparison.Side;
import java.util.List;
import java.util.function.UnaryOperator;

/** A comparison for people at a terminal: what changed in a sentence, then finding by finding, then line by line, then the caveats. */
public final class DiffReport {
    /** Room for the name of a side and for what became of a finding. */
    private static final int LABEL = 9;

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
        page.wrap("", comparison.summary(), this::look);
        page.blank();
        side("before", comparison.before());
        side("after", comparison.after());
        findings();
        if (!comparison.isSame()) {
            comparison.devices().forEach(this::device);
        }
        settings();
        caveats();
    }

    private void side(String label, Side side) {
        page.wrap(
                String.format("%-" + LABEL + "s", label),
                DiffWords.verdict(side.result()) + ": " + DiffWords.side(side),
                UnaryOperator.identity());
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
        page.heading(DiffWords.device(comparison, change));
        page.lines(DeviceChangeText.lines(change, top, style));
    }

    private void settings() {
        if (!comparison.settings().isEmpty()) {
            page.heading("allocator settings");
        }
        for (SettingChange setting : comparison.settings()) {
            page.text(setting.name() + ": " + DiffWords.setting(setting.before()) + " -> "
                    + DiffWords.setting(setting.after()));
        }
    }

    private void caveats() {
        List<String> caveats = comparison.caveats();
        if (!caveats.isEmpty()) {
            page.heading("caveats");
        }
        caveats.forEach(caveat -> page.wrap("  - ", caveat, UnaryOperator.identity()));
    }
}
