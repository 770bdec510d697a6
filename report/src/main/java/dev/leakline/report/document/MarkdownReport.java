package dev.leakline.report.document;

import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.InputFile;
import dev.leakline.result.Line;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report as a comment of a pull request: the headline, a table of the findings, what to do about each, and the rest folded away. */
public final class MarkdownReport {
    /** Findings in the table; nobody reads more in a comment. */
    private static final int LISTED = 20;
    /** Findings that are told in full, and lines of what else there is. */
    private static final int TOLD = 5;

    private MarkdownReport() {}

    /** The whole comment. */
    public static String of(AnalysisResult result) {
        String leaks = result.leaks();
        String said = leaks == null ? result.reason() : leaks;
        String headline = leaks == null ? word(result.verdict()) : result.headline();
        return Stream.of(
                        "### Leakline: " + Markdown.text(headline) + "\n",
                        Markdown.text(said) + "\n",
                        findings(result, result.findings()),
                        acquittals(result),
                        peak(result),
                        foot(result))
                .filter(part -> !part.isBlank())
                .collect(Collectors.joining("\n"));
    }

    /** A table of findings of a result, and below it what is to be done about the first ones. */
    static String findings(AnalysisResult result, List<Finding> findings) {
        if (findings.isEmpty()) {
            return "";
        }
        String rows = findings.stream().limit(LISTED).map(MarkdownReport::row).collect(Collectors.joining());
        String told = findings.stream()
                .limit(TOLD)
                .map(finding -> told(result, finding))
                .collect(Collectors.joining("\n"));
        return "| | finding | line | rate | held by |\n|---|---|---|---|---|\n" + rows + more(findings.size()) + "\n"
                + told;
    }

    private static String more(int count) {
        return count > LISTED ? "\nand " + (count - LISTED) + " more\n" : "";
    }

    private static String row(Finding finding) {
        return cells(
                word(finding.severity()),
                Markdown.text(finding.title()),
                place(finding.site()),
                rate(finding),
                finding.holders().isEmpty()
                        ? ""
                        : Markdown.text(finding.holders().getFirst().title()));
    }

    private static String cells(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String place(Site site) {
        return site.isLine()
                ? Markdown.code(site.frame().fileAndLine()) + " " + Markdown.text(site.function())
                : Markdown.text(site.brief());
    }

    private static String rate(Finding finding) {
        if (Double.isFinite(finding.bytesPerStep()) && finding.bytesPerStep() != 0) {
            return ByteSize.format(finding.bytesPerStep()) + " per step";
        }
        return finding.bytes() > 0 ? ByteSize.format(finding.bytes()) : "";
    }

    private static String told(AnalysisResult result, Finding finding) {
        String first = finding.advice().stream()
                .findFirst()
                .map(MarkdownReport::advice)
                .orElse("");
        String title = "**" + Markdown.text(finding.site().locate(finding.title())) + "**\n";
        return Stream.of(
                        title,
                        Markdown.text(finding.summary()) + "\n",
                        first,
                        Markdown.folded("Details", details(result, finding)))
                .filter(part -> !part.isBlank())
                .collect(Collectors.joining("\n"));
    }

    private static String advice(Advice advice) {
        String text = "What to do: " + Markdown.text(advice.action()) + " " + Markdown.text(advice.why()) + "\n";
        if (advice.patch() != null) {
            return text + "\n" + Markdown.text(advice.safety()) + "\n\n" + Markdown.block("diff", advice.patch());
        }
        String example = signed("-", advice.before()) + signed("+", advice.after());
        return example.isBlank() ? text : text + "\n" + Markdown.block("diff", example);
    }

    private static String signed(String sign, String code) {
        return code.lines().map(line -> sign + " " + line + "\n").collect(Collectors.joining());
    }

    private static String details(AnalysisResult result, Finding finding) {
        Stream<String> where = Stream.of(
                item("where", finding.site().label()),
                item("in", result.inputs().get(finding.input()).path()));
        Stream<String> figures = finding.lines().stream().map(MarkdownReport::item);
        Stream<String> holder = finding.holders().stream()
                .limit(1)
                .map(FindingHolder::lines)
                .flatMap(List::stream)
                .map(MarkdownReport::item);
        Stream<String> evidence = finding.evidence().stream().map(Proof::text).map(text -> item("because", text));
        Stream<String> other = finding.advice().stream().skip(1).map(also -> item("also", also.action()));
        return Stream.of(where, figures, holder, evidence, other, Stream.of(item("id", finding.id())))
                .flatMap(lines -> lines)
                .collect(Collectors.joining());
    }

    private static String item(Line line) {
        return item(line.label(), line.text());
    }

    private static String item(String label, String text) {
        return "- " + Markdown.text(label) + ": " + Markdown.text(text) + "\n";
    }

    private static String acquittals(AnalysisResult result) {
        if (result.verdict() != Verdict.NO_LEAK || result.acquittals().isEmpty()) {
            return "";
        }
        String lines = result.acquittals().stream()
                .limit(TOLD)
                .map(Acquittal::text)
                .map(text -> "- " + Markdown.text(text) + "\n")
                .collect(Collectors.joining());
        return Markdown.folded("Why it is not a leak", lines);
    }

    private static String peak(AnalysisResult result) {
        var peak = result.highestPeak();
        if (peak == null || peak.bySite().isEmpty()) {
            return "";
        }
        String rows = peak.bySite().stream()
                .limit(TOLD)
                .map(use -> cells(place(use.site()), ByteSize.format(use.bytes()), String.valueOf(use.blocks())))
                .collect(Collectors.joining());
        return Markdown.folded(
                "Peak: " + ByteSize.format(peak.bytes()), "| line | live | blocks |\n|---|---|---|\n" + rows);
    }

    /** The inputs and the version that read them. */
    static String foot(AnalysisResult result) {
        return "<sub>" + inputs(result) + "; Leakline " + Markdown.text(result.toolVersion()) + "</sub>\n";
    }

    private static String inputs(AnalysisResult result) {
        String first = result.inputs().stream()
                .limit(1)
                .map(InputFile::path)
                .map(Markdown::code)
                .collect(Collectors.joining());
        int more = result.inputs().size() - 1;
        return more > 0 ? first + " and " + more + " more" : first;
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
