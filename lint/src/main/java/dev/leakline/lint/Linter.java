package dev.leakline.lint;

import dev.leakline.lint.LintFinding.Fix;
import dev.leakline.lint.LintFinding.Range;
import dev.leakline.lint.LintFinding.Severity;
import dev.leakline.lint.LintFinding.TextEdit;
import dev.leakline.lint.LintResult.Unreadable;
import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.Interpreter;
import dev.leakline.lint.flow.TooComplex;
import dev.leakline.lint.rule.Hits;
import dev.leakline.lint.rule.RuleCheck;
import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Judges the text of one file after another. */
public final class Linter {
    /** Below this the severity of a rule is taken one step lower. */
    private static final double CERTAIN = 0.7;

    /** The worst first, then the surest, then as they stand in the source. */
    static final Comparator<LintFinding> ORDER = Comparator.comparing(
                    LintFinding::grownBytes, Comparator.reverseOrder())
            .thenComparing(LintFinding::severity)
            .thenComparing(LintFinding::confidence, Comparator.reverseOrder())
            .thenComparing(LintFinding::file)
            .thenComparingInt(LintFinding::line)
            .thenComparing(finding -> finding.rule().id());

    /** The largest file of PyTorch, with tables of its operators, has 1.4 million; twice as many take a gigabyte of heap. */
    private static final int MOST_CHARACTERS = 2_000_000;

    private static final String TOO_LARGE = "is too large to judge: ";

    private final Predicate<String> isOn;

    /** @param isOn says of the id of a rule whether it is to be looked for */
    public Linter(Predicate<String> isOn) {
        this.isOn = isOn;
    }

    /** The findings of one file, and why it is no Python, where it is not. */
    public record FileResult(
            List<LintFinding> findings, @Nullable Unreadable error, int lines) {}

    /** The findings of a text; none of one that is too large or too deeply nested to be judged, which the error then says. */
    public FileResult lint(String file, PythonText source) {
        try {
            return source.text().length() > MOST_CHARACTERS
                    ? unjudged(file, source, TOO_LARGE + "it has more than %,d characters".formatted(MOST_CHARACTERS))
                    : judged(file, source);
        } catch (TooComplex e) {
            return unjudged(file, source, TOO_LARGE + e.getMessage());
        } catch (StackOverflowError e) {
            return unjudged(file, source, "is nested too deeply");
        }
    }

    private static FileResult unjudged(String file, PythonText source, String why) {
        return new FileResult(List.of(), new Unreadable(file, 0, why), source.lines());
    }

    private FileResult judged(String file, PythonText source) {
        PythonFile parsed = PythonFile.parse(source);
        Unreadable error = parsed.errors().stream()
                .findFirst()
                .map(first -> new Unreadable(file, source.line(first.offset()), first.message()))
                .orElse(null);
        List<LintFinding> findings = new ArrayList<>();
        if (isWorthwhile(source.text())) {
            SourceFile tree = new SourceFile(file, parsed);
            Flow flow = Interpreter.run(tree);
            Hits hits = new Hits(tree);
            for (RuleCheck check : RuleCheck.ALL) {
                if (isOn.test(check.rule()) && check.mayFind(source.text())) {
                    hits.look(check, flow);
                }
            }
            Ignores ignores = new Ignores(parsed);
            KeptFixes fixes = hits.all().isEmpty() ? null : new KeptFixes(tree);
            for (Hits.Hit hit : hits.all()) {
                int line = tree.line(hit.node());
                if (fixes != null
                        && !ignores.covers(
                                hit.rule(), line, source.line(hit.node().end()))) {
                    findings.add(finding(file, source, hit, fixes.of(hit), flow));
                }
            }
            findings.sort(ORDER);
        }
        return new FileResult(findings, error, source.lines());
    }

    /** No rule matches where none of this is named. */
    private static boolean isWorthwhile(String text) {
        return text.contains("torch")
                || text.contains("cuda")
                || text.contains("lightning")
                || text.contains("transformers")
                || text.contains("model")
                || text.contains("backward(")
                || text.contains("gc.collect");
    }

    private static LintFinding finding(String file, PythonText source, Hits.Hit hit, Patch patch, Flow flow) {
        Rule rule = Rule.of(hit.rule());
        return new LintFinding(
                file,
                range(source, hit.node().start(), hit.node().end()),
                rule,
                hit.confidence() < CERTAIN ? lower(rule.severity()) : rule.severity(),
                hit.confidence(),
                hit.message(),
                new Fix(edits(source, patch), patch.isSafe()),
                MadeAt.lines(hit.node(), flow.file()),
                0);
    }

    private static Range range(PythonText source, int start, int end) {
        return new Range(source.line(start), source.column(start), source.line(end), source.column(end));
    }

    private static Severity lower(Severity severity) {
        return severity == Severity.HIGH ? Severity.MEDIUM : Severity.LOW;
    }

    private static List<TextEdit> edits(PythonText source, Patch patch) {
        return patch.edits().stream()
                .map(edit -> new TextEdit(range(source, edit.start(), edit.end()), edit.text()))
                .toList();
    }
}
