package dev.leakline.lint.output;

import dev.leakline.lint.LintFinding;
import dev.leakline.lint.LintFinding.TextEdit;
import dev.leakline.lint.LintResult;
import dev.leakline.lint.LintResult.Unreadable;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A result as JSON of the schema {@code leakline.lint/1}. */
public final class LintJson {
    private final JsonGenerator json;

    private LintJson(JsonGenerator json) {
        this.json = json;
    }

    public static void write(LintResult result, Writer out) {
        try (JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
            new LintJson(generator).write(result);
        }
    }

    private void write(LintResult result) {
        json.writeStartObject();
        json.writeStringProperty("schema", "leakline.lint/1");
        json.writeNumberProperty("files", result.files());
        json.writeArrayPropertyStart("findings");
        result.findings().forEach(this::finding);
        json.writeEndArray();
        json.writeArrayPropertyStart("errors");
        result.errors().forEach(this::error);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void finding(LintFinding finding) {
        json.writeStartObject();
        json.writeStringProperty("file", finding.file());
        json.writeNumberProperty("line", finding.line());
        json.writeNumberProperty("column", finding.column());
        json.writeNumberProperty("end_line", finding.endLine());
        json.writeNumberProperty("end_column", finding.endColumn());
        json.writeStringProperty("rule", finding.rule().id());
        json.writeStringProperty("name", finding.rule().name());
        json.writeStringProperty("severity", finding.severity().word());
        json.writeNumberProperty("confidence", finding.confidence());
        json.writeStringProperty("message", finding.message());
        if (finding.grownBytes() > 0) {
            json.writeNumberProperty("grown_bytes", finding.grownBytes());
        }
        json.writeBooleanProperty("safe", finding.isSafe());
        json.writeArrayPropertyStart("fix");
        finding.fix().forEach(this::edit);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void edit(TextEdit edit) {
        json.writeStartObject();
        json.writeNumberProperty("start_line", edit.startLine());
        json.writeNumberProperty("start_col", edit.startColumn());
        json.writeNumberProperty("end_line", edit.endLine());
        json.writeNumberProperty("end_col", edit.endColumn());
        json.writeStringProperty("text", edit.text());
        json.writeEndObject();
    }

    private void error(Unreadable error) {
        json.writeStartObject();
        json.writeStringProperty("file", error.file());
        json.writeNumberProperty("line", error.line());
        json.writeStringProperty("message", error.message());
        json.writeEndObject();
    }
}
