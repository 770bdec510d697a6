package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Frame;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.FunctionUse;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.Profile;
import dev.leakline.result.FunctionReport.Recommendation;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.result.FunctionReport.Score;
import dev.leakline.result.FunctionReport.Summary;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Prints the result for profiled functions: score, patterns, insights, recommendations, and the functions with their figures. */
final class FunctionText {
    /** Room for severities and impacts. */
    private static final int LABEL = 10;
    /** Patterns, insights and gaps that are told, each; JSON has all. */
    private static final int TOLD = 20;
    /** Recommendations that are told; nobody does more at once. */
    private static final int RECOMMENDED = 3;
    /** The columns of a function's figures. */
    private static final int FIGURES = 58;

    private static final double MICROS = 1e6;

    private final AnalysisResult result;
    private final FunctionReport report;
    private final TextReport.Options options;
    private final Style style;
    private final Page page;

    private FunctionText(AnalysisResult result, FunctionReport report, TextReport.Options options, Style style) {
        this.result = result;
        this.report = report;
        this.options = options;
        this.style = style;
        this.page = new Page(style);
    }

    /** The profiles of a result; none where it has none. */
    static List<String> lines(AnalysisResult result, TextReport.Options options, Style style) {
        FunctionReport report = result.functions();
        if (report == null) {
            return List.of();
        }
        FunctionText text = new FunctionText(result, report, options, style);
        report.profiles().forEach(text::profile);
        return text.page.lines();
    }

    private void profile(Profile profile) {
        page.heading((profile.summary().calls() > 0 ? "functions" : "device memory") + where(profile));
        summary(profile.summary());
        if (profile.summary().calls() > 0) {
            score(profile.optimizationScore());
        }
        list(profile);
        recommendations(profile.recommendations());
        table(profile.byFunction());
    }

    private String where(Profile profile) {
        boolean isOnly = result.inputs().size() == 1;
        String path = Printable.of(result.inputs().get(profile.input()).path());
        return isOnly ? "" : " of " + new Frame(path, 0, "").fileName();
    }

    private void summary(Summary summary) {
        String rules = report.rules() == RuleSet.GPUMEMPROF ? ", judged by gpumemprof's rules" : "";
        page.text(Numbers.counted(summary.calls(), "call") + " of " + Numbers.counted(summary.functions(), "function")
                + " in " + Numbers.span(Math.round(summary.seconds() * MICROS)) + rules);
    }

    private void score(Score score) {
        String points = score.points() == null ? "" : score.points() + " of 100, ";
        page.wrap("  score   ", points + "grade " + score.grade() + ": " + score.description(), style::bold);
    }

    private void list(Profile profile) {
        int all = profile.allPatterns().size()
                + profile.allInsights().size()
                + profile.gapAnalysis().size();
        if (all > 0) {
            page.blank();
        }
        profile.allPatterns().stream().limit(TOLD).forEach(this::pattern);
        profile.allInsights().stream().limit(TOLD).forEach(this::insight);
        profile.gapAnalysis().stream().limit(TOLD).forEach(this::gap);
        int told = Math.min(profile.allPatterns().size(), TOLD)
                + Math.min(profile.allInsights().size(), TOLD)
                + Math.min(profile.gapAnalysis().size(), TOLD);
        if (told < all) {
            page.text("and " + Numbers.grouped(all - told) + " more; --format json has all");
        }
    }

    private void pattern(MemoryPattern pattern) {
        item(Labels.words(pattern.severity()), pattern.description(), look(pattern.severity()));
    }

    private void insight(Insight insight) {
        String impact = Labels.words(insight.impact());
        item(impact, insight.title() + ": " + insight.description(), UnaryOperator.identity());
    }

    private void gap(Gap gap) {
        item(Labels.words(gap.severity()), gap.description(), look(gap.severity()));
    }

    private void item(String label, String text, UnaryOperator<String> look) {
        page.wrap("  " + label + " ".repeat(Math.max(LABEL - label.length(), 1)), text, look);
    }

    private UnaryOperator<String> look(Severity severity) {
        return switch (severity) {
            case CRITICAL -> style::alarm;
            case WARNING -> style::warning;
            case INFO -> UnaryOperator.identity();
        };
    }

    private void recommendations(List<Recommendation> recommendations) {
        List<Recommendation> first = recommendations.stream().limit(RECOMMENDED).toList();
        for (int i = 0; i < first.size(); i++) {
            if (i == 0) {
                page.blank();
                page.text("what to do");
            }
            page.wrap("  " + (i + 1) + ". ", first.get(i).description(), style::bold);
            first.get(i).suggestions().forEach(text -> page.wrap("     - ", text, UnaryOperator.identity()));
        }
        if (recommendations.size() > RECOMMENDED) {
            page.text(
                    Numbers.counted(recommendations.size() - RECOMMENDED, "more recommendation") + " in --format json");
        }
    }

    /** Prints the functions that keep or free most first. */
    private void table(List<FunctionUse> functions) {
        if (functions.isEmpty()) {
            return;
        }
        page.blank();
        row("function", figures("calls", "mean time", "keeps", "its own", "peak"), style::faint);
        functions.stream()
                .sorted(Comparator.comparingLong(FunctionText::weight).reversed())
                .limit(options.top())
                .forEach(use -> row(name(use), figures(use), UnaryOperator.identity()));
        int more = functions.size() - options.top();
        if (more > 0) {
            page.text("and " + Numbers.counted(more, "more function") + " (--top " + functions.size() + " shows all)");
        }
    }

    private static long weight(FunctionUse use) {
        return Math.max(Math.max(use.allocated(), use.freed()), use.transientBytes());
    }

    private static String name(FunctionUse use) {
        return use.name().isBlank() ? "(no name)" : Printable.of(use.name());
    }

    private static String figures(FunctionUse use) {
        return figures(
                Numbers.grouped(use.calls()),
                Numbers.span(Math.round(use.seconds() / Math.max(use.calls(), 1) * MICROS)),
                ByteSize.format(use.allocated() - use.freed()),
                ByteSize.format(use.transientBytes()),
                ByteSize.format(use.peak()));
    }

    private static String figures(String calls, String time, String keeps, String own, String peak) {
        return String.format(Locale.ROOT, "%9s  %10s  %10s  %10s  %9s", calls, time, keeps, own, peak);
    }

    /** A function and its figures, in one line where both have room. */
    private void row(String name, String figures, UnaryOperator<String> look) {
        int width = style.columns() - FIGURES - 2;
        if (width >= LABEL) {
            String fitted = Labels.end(name, width, style);
            page.line(look.apply("  " + fitted + " ".repeat(width - fitted.length()) + figures));
        } else {
            page.wrap("  ", name + ": " + figures.strip().replaceAll(" {2,}", ", "), look);
        }
    }
}
