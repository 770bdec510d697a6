package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Fact;
import dev.leakline.result.Finding.Advice;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The conclusion from texts: what it rests on, what is left open, what to do next. */
final class ConclusionText {
    private static final int STEPS = 3;
    /** Characters of a line of the input that are shown. */
    private static final int SHOWN = 200;
    /** Room for labels. */
    private static final int LABEL = 18;

    private final AnalysisResult result;
    private final Style style;
    private final Page page;

    private ConclusionText(AnalysisResult result, Style style) {
        this.result = result;
        this.style = style;
        this.page = new Page(style);
    }

    /** The lines of a conclusion of a result. */
    static List<String> lines(AnalysisResult result, Conclusion conclusion, Style style) {
        ConclusionText text = new ConclusionText(result, style);
        text.conclusion(conclusion);
        text.steps(conclusion.advice());
        return text.page.lines();
    }

    private void conclusion(Conclusion conclusion) {
        page.blank();
        head(conclusion);
        conclusion.evidence().forEach(this::evidence);
        if (!conclusion.facts().isEmpty()) {
            page.blank();
        }
        for (Map.Entry<String, Fact> fact : conclusion.facts().entrySet()) {
            page.labelled(
                    Conclusion.label(fact.getKey(), fact.getValue()),
                    LABEL,
                    fact.getValue().words());
        }
        if (!conclusion.open().isEmpty()) {
            page.blank();
            page.text(conclusion.open(), style::faint);
        }
        if (conclusion.unread() != null) {
            page.text(conclusion.unread().sentence(), style::faint);
        }
    }

    /** The verdict, of the memory that texts speak of; where something else speaks, what they say beside it. */
    private void head(Conclusion conclusion) {
        if (result.spoken() == null && result.spokenBy() != Source.MESSAGES) {
            page.wrap(result.verdict().word() + "   ", result.reason(), style::bold);
            page.text("the texts: " + conclusion.sentence());
            return;
        }
        page.wrap(conclusion.head() + "   ", conclusion.sentence(), style::bold);
    }

    private void evidence(Evidence evidence) {
        String where = evidence.line() > 0
                ? "line " + Numbers.grouped(evidence.line()) + Devices.fileOf(result, evidence.input()) + ": "
                : "";
        page.text(where + shown(evidence.text()), style::faint);
    }

    /** The beginning of a text, in whole words where it has blanks. */
    private static String shown(String text) {
        if (text.length() <= SHOWN) {
            return text;
        }
        int blank = text.lastIndexOf(' ', SHOWN);
        return text.substring(0, blank < 0 ? SHOWN : blank) + " …";
    }

    private void steps(List<Advice> advice) {
        if (!advice.isEmpty()) {
            page.heading("next");
        }
        for (int i = 0; i < Math.min(advice.size(), STEPS); i++) {
            page.wrap("  " + (i + 1) + ". ", advice.get(i).action(), i == 0 ? style::bold : UnaryOperator.identity());
            page.wrap("     ", advice.get(i).why(), style::faint);
        }
    }
}
