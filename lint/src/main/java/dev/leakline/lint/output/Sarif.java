package dev.leakline.lint.output;

import dev.leakline.lint.LintFinding;
import dev.leakline.lint.LintFinding.Severity;
import dev.leakline.lint.LintFinding.TextEdit;
import dev.leakline.lint.LintResult;
import dev.leakline.lint.LintResult.Unreadable;
import dev.leakline.lint.Rule;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A result as SARIF 2.1.0, for code scanning and editors. */
public final class Sarif {
    private static final String SCHEMA =
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

    private final JsonGenerator json;
    private final List<Rule> rules = Rule.all();

    private Sarif(JsonGenerator json) {
        this.json = json;
    }

    public static void write(LintResult result, String version, Writer out) {
        try (JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
            new Sarif(generator).write(result, version);
        }
    }

    private void write(LintResult result, String version) {
        json.writeStartObject();
        json.writeStringProperty("$schema", SCHEMA);
        json.writeStringProperty("version", "2.1.0");
        json.writeArrayPropertyStart("runs");
        json.writeStartObject();
        json.writeObjectPropertyStart("tool");
        json.writeObjectPropertyStart("driver");
        json.writeStringProperty("name", "leakline");
        json.writeStringProperty("version", version);
        json.writeArrayPropertyStart("rules");
        rules.forEach(this::rule);
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
        json.writeStringProperty("columnKind", "unicodeCodePoints");
        json.writeArrayPropertyStart("invocations");
        json.writeStartObject();
        json.writeBooleanProperty("executionSuccessful", true);
        json.writeArrayPropertyStart("toolExecutionNotifications");
        result.errors().forEach(this::notification);
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeArrayPropertyStart("results");
        result.findings().forEach(this::result);
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private void rule(Rule rule) {
        json.writeStartObject();
        json.writeStringProperty("id", rule.id());
        json.writeStringProperty("name", rule.name());
        message("shortDescription", rule.name().replace('-', ' '));
        message("fullDescription", rule.why());
        message("help", rule.fix());
        json.writeStringProperty("helpUri", rule.link());
        json.writeObjectPropertyStart("defaultConfiguration");
        json.writeStringProperty("level", level(rule.severity()));
        json.writeEndObject();
        json.writeEndObject();
    }

    private void result(LintFinding finding) {
        json.writeStartObject();
        json.writeStringProperty("ruleId", finding.rule().id());
        json.writeNumberProperty("ruleIndex", rules.indexOf(finding.rule()));
        json.writeStringProperty("level", level(finding.severity()));
        message("message", finding.message());
        json.writeArrayPropertyStart("locations");
        json.writeStartObject();
        json.writeObjectPropertyStart("physicalLocation");
        artifact(finding.file());
        json.writeObjectPropertyStart("region");
        region(finding.line(), finding.column(), finding.endLine(), finding.endColumn());
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndArray();
        if (!finding.fix().isEmpty()) {
            fix(finding);
        }
        json.writeObjectPropertyStart("properties");
        json.writeNumberProperty("confidence", finding.confidence());
        json.writeEndObject();
        json.writeEndObject();
    }

    private void fix(LintFinding finding) {
        json.writeArrayPropertyStart("fixes");
        json.writeStartObject();
        message("description", finding.rule().fix());
        json.writeArrayPropertyStart("artifactChanges");
        json.writeStartObject();
        artifact(finding.file());
        json.writeArrayPropertyStart("replacements");
        for (TextEdit edit : finding.fix()) {
            json.writeStartObject();
            json.writeObjectPropertyStart("deletedRegion");
            region(edit.startLine(), edit.startColumn(), edit.endLine(), edit.endColumn());
            json.writeEndObject();
            message("insertedContent", edit.text());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
    }

    private void notification(Unreadable error) {
        json.writeStartObject();
        json.writeStringProperty("level", "warning");
        message("message", error.message());
        json.writeArrayPropertyStart("locations");
        json.writeStartObject();
        json.writeObjectPropertyStart("physicalLocation");
        artifact(error.file());
        json.writeObjectPropertyStart("region");
        json.writeNumberProperty("startLine", Math.max(1, error.line()));
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private void region(int line, int column, int endLine, int endColumn) {
        json.writeNumberProperty("startLine", line);
        json.writeNumberProperty("startColumn", column);
        json.writeNumberProperty("endLine", endLine);
        json.writeNumberProperty("endColumn", endColumn);
    }

    /** A path below the working folder stays as it is, with slashes; others become URIs of files. */
    private void artifact(String file) {
        Path path = Path.of(file);
        String uri = path.isAbsolute()
                ? path.toUri().toString()
                : java.net
                        .URI
                        .create("file:///")
                        .relativize(Path.of("/").resolve(path).toUri())
                        .toString();
        json.writeObjectPropertyStart("artifactLocation");
        json.writeStringProperty("uri", uri);
        json.writeEndObject();
    }

    private void message(String name, String text) {
        json.writeObjectPropertyStart(name);
        json.writeStringProperty("text", text);
        json.writeEndObject();
    }

    private static String level(Severity severity) {
        return switch (severity) {
            case HIGH -> "error";
            case MEDIUM -> "warning";
            case LOW -> "note";
        };
    }
}
