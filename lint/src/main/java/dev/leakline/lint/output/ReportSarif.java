package dev.leakline.lint.output;

import dev.leakline.lint.output.Sarif.CodeFlow;
import dev.leakline.lint.output.Sarif.FlowLocation;
import dev.leakline.lint.output.Sarif.Invocation;
import dev.leakline.lint.output.Sarif.Level;
import dev.leakline.lint.output.Sarif.Location;
import dev.leakline.lint.output.Sarif.Message;
import dev.leakline.lint.output.Sarif.Notification;
import dev.leakline.lint.output.Sarif.Physical;
import dev.leakline.lint.output.Sarif.Properties;
import dev.leakline.lint.output.Sarif.Region;
import dev.leakline.lint.output.Sarif.Reported;
import dev.leakline.lint.output.Sarif.Result;
import dev.leakline.lint.output.Sarif.Suppression;
import dev.leakline.lint.output.Sarif.ThreadFlow;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import dev.leakline.result.GateReport;
import dev.leakline.result.GateReport.Check;
import dev.leakline.result.GateReport.Outcome;
import dev.leakline.result.GateReport.Subject;
import dev.leakline.result.InputFile;
import dev.leakline.result.Line;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A report, or what a gate says of one, as SARIF: findings with their ids as fingerprints, the calls that lead to each and who holds it. */
public final class ReportSarif {
    /** The rule of budgets, after those of the kinds of findings. */
    private static final Reported BUDGET = rule("budget", "a budget or a verdict of leakline gate");

    private static final List<Kind> KINDS = List.of(Kind.values());

    private final AnalysisResult result;

    private ReportSarif(AnalysisResult result) {
        this.result = result;
    }

    /** The findings of a report. */
    public static String of(AnalysisResult result) {
        ReportSarif sarif = new ReportSarif(result);
        List<Result> results = result.findings().stream()
                .map(finding -> sarif.result(finding, finding.summary(), null))
                .toList();
        return sarif.of(results);
    }

    /** Writes what a gate says of a report: the findings with their state, accepted ones as suppressed, and the budgets that do not hold. */
    public static String of(AnalysisResult result, GateReport gate) {
        ReportSarif sarif = new ReportSarif(result);
        List<Result> results = new ArrayList<>();
        for (Check check : gate.checks()) {
            if (check.subject() == Subject.FINDING) {
                result.findings().stream()
                        .filter(finding -> finding.id().equals(check.id()))
                        .limit(1)
                        .forEach(finding -> results.add(sarif.result(finding, check.sentence(), check)));
            } else if (check.outcome() == Outcome.FAILED || check.outcome() == Outcome.ACCEPTED) {
                results.add(sarif.budget(check));
            }
        }
        return sarif.of(results);
    }

    private String of(List<Result> results) {
        List<Reported> rules = new ArrayList<>();
        KINDS.stream().map(kind -> rule(word(kind), words(kind))).forEach(rules::add);
        rules.add(BUDGET);
        List<Notification> incomplete = result.inputs().stream()
                .filter(input -> input.incomplete() != null)
                .map(ReportSarif::notification)
                .toList();
        StringWriter out = new StringWriter();
        Sarif.write(result.toolVersion(), rules, new Invocation(true, incomplete), results, out);
        return out.append('\n').toString();
    }

    private static Notification notification(InputFile input) {
        return new Notification(
                "warning",
                new Message("incomplete: " + input.incomplete()),
                List.of(Sarif.location(input.path(), null)));
    }

    private Result result(Finding finding, String sentence, @Nullable Check check) {
        String advice = finding.advice().isEmpty()
                ? ""
                : " " + finding.advice().getFirst().action();
        boolean isPassed = check != null && check.outcome() == Outcome.PASSED;
        return new Result(
                word(finding.kind()),
                KINDS.indexOf(finding.kind()),
                isPassed ? "note" : level(finding.severity()),
                new Message(finding.title() + ". " + sentence + advice),
                List.of(place(finding)),
                null,
                Map.of("leaklineFinding/v1", finding.id()),
                check == null ? null : state(check.change()),
                check == null ? null : suppressions(check),
                flows(finding),
                new Properties(finding.confidence()));
    }

    private Result budget(Check check) {
        return new Result(
                BUDGET.id(),
                KINDS.size(),
                "error",
                new Message(check.sentence()),
                List.of(Sarif.location(result.inputs().getFirst().path(), null)),
                null,
                Map.of("leaklineFinding/v1", check.id()),
                null,
                suppressions(check),
                null,
                null);
    }

    private static @Nullable List<Suppression> suppressions(Check check) {
        return check.outcome() == Outcome.ACCEPTED && check.why() != null
                ? List.of(new Suppression("external", check.why()))
                : null;
    }

    private static @Nullable String state(@Nullable Change change) {
        return switch (change) {
            case null -> null;
            case NEW -> "new";
            case SAME, UNCLEAR -> "unchanged";
            case WORSE, BETTER -> "updated";
            case GONE -> "absent";
        };
    }

    /** The line, in the file that was at hand; where there is no line, the recording. */
    private Location place(Finding finding) {
        if (!finding.site().isLine()) {
            return Sarif.location(result.inputs().get(finding.input()).path(), null);
        }
        return at(finding, finding.site().frame(), null);
    }

    private static Location at(Finding finding, Frame frame, @Nullable String message) {
        boolean isSite = frame.file().equals(finding.site().file());
        String file = isSite && finding.source() != null ? finding.source().path() : frame.file();
        Region region = new Region(Math.max(1, frame.line()), null, null, null);
        return new Location(
                new Physical(Sarif.artifact(relative(file)), region), message == null ? null : new Message(message));
    }

    /** Below the working folder, where code scanning looks, paths are relative. */
    private static String relative(String file) {
        String here = Path.of("").toAbsolutePath() + "/";
        return file.startsWith(here) ? file.substring(here.length()) : file;
    }

    /** The calls, outermost first, to the line; its message says who holds what was made there. */
    private static @Nullable List<CodeFlow> flows(Finding finding) {
        List<FlowLocation> calls = finding.stack().reversed().stream()
                .filter(frame -> !frame.file().isEmpty())
                .map(frame -> new FlowLocation(at(finding, frame, frame.function())))
                .toList();
        return calls.isEmpty()
                ? null
                : List.of(new CodeFlow(new Message(holder(finding)), List.of(new ThreadFlow(calls))));
    }

    private static String holder(Finding finding) {
        return finding.holders().stream()
                .limit(1)
                .map(FindingHolder::lines)
                .flatMap(List::stream)
                .map(ReportSarif::sentence)
                .collect(Collectors.collectingAndThen(
                        Collectors.joining("\n"),
                        lines -> lines.isEmpty() ? "the calls that lead to the line" : lines));
    }

    private static String sentence(Line line) {
        return line.label() + ": " + line.text();
    }

    private static Reported rule(String id, String words) {
        Message message = new Message(words);
        return new Reported(id, id.replace('_', '-'), message, message, null, null, new Level("warning"));
    }

    private static String words(Kind kind) {
        return switch (kind) {
            case LEAK -> "what a line allocates stays, step after step";
            case REFERENCE_CYCLE -> "what a line allocates waits for Python's garbage collector";
            case OOM_FRAGMENTATION -> "a request failed although enough memory was free, in pieces";
            case OOM -> "a request failed because too little memory was free";
            case FRAGMENTATION -> "reserved memory that live blocks keep from being used as a whole";
            case SPIKE -> "a few steps took far more memory than the others";
            case REPEATED_ALLOCATION -> "the same block is allocated again and again";
            case UNSHRINKING_CACHE -> "memory of a phase that is over is still held";
            case RESIDUAL -> "memory of the device that PyTorch does not have grows";
        };
    }

    private static String level(Severity severity) {
        return switch (severity) {
            case CRITICAL -> "error";
            case WARNING -> "warning";
            case INFO -> "note";
        };
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
