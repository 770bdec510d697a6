package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Conclusion;
import dev.leakline.result.InputFile;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;

/**
 * Prints what can be concluded from anything, on one screen: the conclusion and what it rests on, what is left open, what to do next, then messages and
 * figures in a line each. Where a recording is there, it is what its report has on one screen.
 */
public final class ExplainText {
    private static final int INPUTS = 3;
    private static final int MESSAGES = 5;
    private static final int FIGURES = 5;

    private final AnalysisResult result;
    private final Style style;
    private final Page page;

    private ExplainText(AnalysisResult result, Style style) {
        this.result = result;
        this.style = style;
        this.page = new Page(style);
    }

    /** The explanation, with a line feed after each line. */
    public static String of(AnalysisResult result, Given given, Style style) {
        Conclusion conclusion = result.conclusion();
        if (conclusion == null || !result.devices().isEmpty() || result.functions() != null) {
            return ScreenText.of(result, given, style);
        }
        ExplainText text = new ExplainText(result, style);
        text.inputs();
        text.page.lines(ConclusionText.lines(result, conclusion, style));
        text.messages();
        text.figures();
        return String.join("\n", text.page.lines()) + "\n";
    }

    private void inputs() {
        List<InputFile> inputs = result.inputs();
        inputs.stream().limit(INPUTS).forEach(input -> page.wrap("", input.path(), style::bold));
        if (inputs.size() > INPUTS) {
            page.text("and " + Numbers.grouped(inputs.size() - INPUTS) + " more", style::faint);
        }
    }

    private void messages() {
        List<OutOfMemoryExplanation> messages = result.messages();
        if (messages.size() > 1) {
            page.heading(Numbers.counted(messages.size(), "message"));
            messages.stream().limit(MESSAGES).forEach(this::message);
        }
    }

    private void message(OutOfMemoryExplanation message) {
        String line = message.places().isEmpty()
                ? ""
                : "line " + Numbers.grouped(message.places().getFirst().line()) + ": ";
        page.text(line + message.title());
    }

    /** Describes a figure: one reading is a size, and no question of growth. */
    private static String told(MeasuredSeries series) {
        return series.points() == 1 && series.isBytes()
                ? ByteSize.format(series.last().value())
                : series.reason();
    }

    /** Prints figures, growing ones first, then those measured most often. */
    private void figures() {
        List<MeasuredSeries> figures = result.series().stream()
                .sorted(Comparator.comparing((MeasuredSeries series) -> series.shape() != Shape.GROWS)
                        .thenComparingInt(series -> -series.points()))
                .toList();
        if (!figures.isEmpty()) {
            page.heading(Numbers.counted(figures.size(), "figure"));
        }
        figures.stream().limit(FIGURES).forEach(series -> page.text(series.name() + ": " + told(series)));
        if (figures.size() > FIGURES) {
            page.text(
                    "and " + Numbers.counted(figures.size() - FIGURES, "more figure") + "; leakline report has all",
                    style::faint);
        }
    }
}
