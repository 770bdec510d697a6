package dev.leakline.report.document;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Frame;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.StackTotals;
import dev.leakline.text.Printable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows of comma-separated values (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it, as names of files and
 * functions come from whoever wrote the recording.
 */
public final class Csv {
    private static final Pattern QUOTED = Pattern.compile("[\",\\r\\n]");
    /** How formulas begin, also behind blanks. */
    private static final Pattern FORMULA = Pattern.compile("^\\s*[=+\\-@].*", Pattern.DOTALL);

    private static final String END = "\r\n";

    private Csv() {}

    /** A row: numbers as they are, texts made safe, nothing for null and for numbers that are not known. */
    public static String row(@Nullable Object... values) {
        return Arrays.stream(values).map(Csv::cell).collect(Collectors.joining(",", "", END));
    }

    /** The findings of a report, a row each, the most serious first. */
    public static String of(AnalysisResult result) {
        String head = row(
                "id",
                "kind",
                "severity",
                "confidence",
                "title",
                "cause",
                "file",
                "line",
                "function",
                "bytes",
                "blocks",
                "bytes_per_step",
                "bytes_per_second",
                "steps_to_oom",
                "device",
                "input",
                "holder",
                "advice");
        return result.findings().stream()
                .map(finding -> row(result, finding))
                .collect(Collectors.joining("", head, ""));
    }

    private static String row(AnalysisResult result, Finding finding) {
        return row(
                finding.id(),
                finding.kind(),
                finding.severity(),
                finding.confidence(),
                finding.title(),
                finding.cause(),
                finding.site().file(),
                finding.site().isLine() ? finding.site().line() : null,
                finding.site().function(),
                finding.bytes(),
                finding.blocks(),
                finding.bytesPerStep(),
                finding.bytesPerSecond(),
                finding.stepsToOom(),
                finding.device(),
                result.inputs().get(finding.input()).path(),
                finding.holders().isEmpty()
                        ? null
                        : finding.holders().getFirst().title(),
                finding.advice().isEmpty() ? null : finding.advice().getFirst().action());
    }

    /** The stacks of a recording, a row each; frames are innermost first, with semicolons between them. */
    public static String of(List<RecordedProfile> devices) {
        String head = row(
                "device",
                "peak_bytes",
                "peak_blocks",
                "end_bytes",
                "end_blocks",
                "allocated_bytes",
                "allocated_blocks",
                "stack");
        return devices.stream()
                .flatMap(device -> device.stacks().stream().map(stack -> row(device, stack)))
                .collect(Collectors.joining("", head, ""));
    }

    private static String row(RecordedProfile device, StackTotals stack) {
        return row(
                device.device(),
                stack.peak().bytes(),
                stack.peak().blocks(),
                stack.end().bytes(),
                stack.end().blocks(),
                stack.allocated().bytes(),
                stack.allocated().blocks(),
                stack(stack.frames()));
    }

    /** A stack as one text: its frames, innermost first, with semicolons between them. */
    public static String stack(List<Frame> frames) {
        return frames.stream().map(Csv::frame).collect(Collectors.joining(";"));
    }

    private static String frame(Frame frame) {
        return frame.file().isEmpty() ? frame.function() : frame.file() + ":" + frame.line() + " " + frame.function();
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Double number ->
                Double.isFinite(number) ? BigDecimal.valueOf(number).toPlainString() : "";
            case Number number -> number.toString();
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
            default -> text(value.toString());
        };
    }

    private static String text(String text) {
        String safe = Printable.of(text);
        String guarded = FORMULA.matcher(safe).matches() ? "'" + safe : safe;
        return QUOTED.matcher(guarded).find() ? '"' + guarded.replace("\"", "\"\"") + '"' : guarded;
    }
}
