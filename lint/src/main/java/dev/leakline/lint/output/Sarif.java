package dev.leakline.lint.output;

import dev.leakline.lint.LintFinding;
import dev.leakline.lint.LintFinding.Range;
import dev.leakline.lint.LintFinding.Severity;
import dev.leakline.lint.LintResult;
import dev.leakline.lint.LintResult.Unreadable;
import dev.leakline.lint.Rule;
import io.avaje.jsonb.Json;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A result as SARIF 2.1.0, for code scanning and editors. The records are those of its schema. */
@Json
public record Sarif(@Json.Property("$schema") String schema, String version, List<Run> runs) {
    private static final String SCHEMA =
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

    /** Characters of a path that stand for themselves in a URI (RFC 3986), but for letters and digits. */
    private static final String PATH_MARKS = "-_.!~*'():@&=+$,;/";

    @Json
    public record Run(Tool tool, String columnKind, List<Invocation> invocations, List<Result> results) {}

    @Json
    public record Tool(Driver driver) {}

    @Json
    public record Driver(String name, String version, List<Reported> rules) {}

    @Json
    public record Reported(
            String id,
            String name,
            Message shortDescription,
            Message fullDescription,
            @Nullable Message help,
            @Nullable String helpUri,
            Level defaultConfiguration) {}

    @Json
    public record Level(String level) {}

    @Json
    public record Message(String text) {}

    @Json
    public record Invocation(boolean executionSuccessful, List<Notification> toolExecutionNotifications) {}

    @Json
    public record Notification(String level, Message message, List<Location> locations) {}

    @Json
    public record Location(
            Physical physicalLocation, @Nullable Message message) {}

    @Json
    public record Physical(
            Artifact artifactLocation, @Nullable Region region) {}

    @Json
    public record Artifact(String uri) {}

    /** A part of a file; null is what is not known. */
    @Json
    public record Region(
            int startLine,
            @Nullable Integer startColumn,
            @Nullable Integer endLine,
            @Nullable Integer endColumn) {
        static Region of(Range range) {
            return new Region(range.line(), range.column(), range.endLine(), range.endColumn());
        }
    }

    @Json
    public record Result(
            String ruleId,
            int ruleIndex,
            String level,
            Message message,
            List<Location> locations,
            @Nullable List<Mending> fixes,
            @Nullable Map<String, String> partialFingerprints,
            @Nullable String baselineState,
            @Nullable List<Suppression> suppressions,
            @Nullable List<CodeFlow> codeFlows,
            @Nullable Properties properties) {}

    /** That somebody accepted it, outside of the source. */
    @Json
    public record Suppression(String kind, String justification) {}

    @Json
    public record CodeFlow(Message message, List<ThreadFlow> threadFlows) {}

    @Json
    public record ThreadFlow(List<FlowLocation> locations) {}

    @Json
    public record FlowLocation(Location location) {}

    @Json
    public record Mending(Message description, List<Change> artifactChanges) {}

    @Json
    public record Change(Artifact artifactLocation, List<Replacement> replacements) {}

    @Json
    public record Replacement(Region deletedRegion, Message insertedContent) {}

    @Json
    public record Properties(double confidence) {}

    /** Writes what lint found. */
    public static void write(LintResult result, String version, Writer out) {
        List<Rule> rules = Rule.all();
        Invocation invocation = new Invocation(
                true, result.errors().stream().map(Sarif::notification).toList());
        List<Reported> reported = rules.stream().map(Sarif::reported).toList();
        List<Result> results = result.findings().stream()
                .map(finding -> result(finding, rules.indexOf(finding.rule())))
                .toList();
        write(version, reported, invocation, results, out);
    }

    /** Writes the results of a run. */
    static void write(String version, List<Reported> rules, Invocation invocation, List<Result> results, Writer out) {
        Driver driver = new Driver("leakline", version, rules);
        Run run = new Run(new Tool(driver), "unicodeCodePoints", List.of(invocation), results);
        Documents.write(new Sarif(SCHEMA, "2.1.0", List.of(run)), out);
    }

    private static Reported reported(Rule rule) {
        return new Reported(
                rule.id(),
                rule.name(),
                new Message(rule.name().replace('-', ' ')),
                new Message(rule.why()),
                new Message(rule.fix()),
                rule.link(),
                new Level(level(rule.severity())));
    }

    private static Result result(LintFinding finding, int rule) {
        return new Result(
                finding.rule().id(),
                rule,
                level(finding.severity()),
                new Message(finding.message()),
                List.of(location(finding.file(), Region.of(finding.range()))),
                finding.fix().edits().isEmpty() ? null : List.of(mending(finding)),
                null,
                null,
                null,
                null,
                new Properties(finding.confidence()));
    }

    private static Mending mending(LintFinding finding) {
        List<Replacement> replacements = finding.fix().edits().stream()
                .map(edit -> new Replacement(Region.of(edit.range()), new Message(edit.text())))
                .toList();
        return new Mending(
                new Message(finding.rule().fix()), List.of(new Change(artifact(finding.file()), replacements)));
    }

    private static Notification notification(Unreadable error) {
        Region region = new Region(Math.max(1, error.line()), null, null, null);
        return new Notification("warning", new Message(error.message()), List.of(location(error.file(), region)));
    }

    static Location location(String file, @Nullable Region region) {
        return new Location(new Physical(artifact(file), region), null);
    }

    /** A path below the working folder stays as it is, with slashes, and a dot before a name that would be a scheme; others become URIs of files. */
    static Artifact artifact(String file) {
        String uri = encoded(file.replaceAll("/(?:\\.?/)+", "/").replaceFirst("^\\./", ""));
        boolean isLikeScheme = uri.matches("[^/:]*:.*");
        return new Artifact(file.startsWith("/") ? "file://" + uri : isLikeScheme ? "./" + uri : uri);
    }

    /** A path as that of a URI; it may be any text, as recordings name files of other machines. */
    private static String encoded(String path) {
        StringBuilder uri = new StringBuilder(path.length());
        for (byte one : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (one & 0xff);
            boolean isPlain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (isPlain || PATH_MARKS.indexOf(c) >= 0) {
                uri.append(c);
            } else {
                uri.append("%%%02X".formatted((int) c));
            }
        }
        return uri.toString();
    }

    private static String level(Severity severity) {
        return switch (severity) {
            case HIGH -> "error";
            case MEDIUM -> "warning";
            case LOW -> "note";
        };
    }
}
