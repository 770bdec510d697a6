package dev.leakline.report.export;

import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.KeptAt;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.Allocation;
import dev.leakline.result.RecordedProfile.Span;
import dev.leakline.result.Site;
import dev.leakline.text.Printable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A recording as statements of SQL that SQLite and DuckDB understand. Texts of the recording are literals in quotes, in which control characters are
 * written out, so that none of them ends its literal or its line.
 */
public final class SqlTables {
    /** Rows of a statement. */
    private static final int ROWS = 500;

    private static final String EVENTS =
            "CREATE VIEW events AS SELECT device, born AS event, 'alloc' AS action, address,"
                    + " bytes, step, file, line, stack FROM blocks WHERE born IS NOT NULL UNION ALL SELECT device, freed, 'free',"
                    + " address, bytes, step, file, line, stack FROM blocks WHERE freed IS NOT NULL;\n";

    private final Writer out;
    private String table = "";
    private int rows;

    /** Writes to a stream, which stays open. */
    public SqlTables(OutputStream out) {
        this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    /** Writes all tables; those of allocations are empty where a result was read from a report. */
    public void write(AnalysisResult result, List<RecordedProfile> devices) throws IOException {
        begin(
                "blocks",
                "device INTEGER, address BIGINT, bytes BIGINT, requested_bytes BIGINT, born INTEGER, freed INTEGER,"
                        + " born_us BIGINT, freed_us BIGINT, step INTEGER, stream BIGINT, live_at_peak INTEGER,"
                        + " category TEXT, file TEXT, line INTEGER, function TEXT, stack INTEGER");
        for (RecordedProfile device : devices) {
            for (Allocation allocation : device.allocations()) {
                block(device, allocation);
            }
        }
        begin("stacks", "device INTEGER, stack INTEGER, depth INTEGER, file TEXT, line INTEGER, function TEXT");
        for (RecordedProfile device : devices) {
            stacks(device);
        }
        begin("steps", "device INTEGER, step INTEGER, starts BIGINT, ends BIGINT, unit TEXT");
        for (RecordedProfile device : devices) {
            int step = 0;
            for (Span span : device.steps()) {
                row(device.device(), step++, span.from(), span.to(), device.hasTimes() ? "us" : "event");
            }
        }
        findings(result);
        end();
        out.write(EVENTS);
        out.flush();
    }

    private void block(RecordedProfile device, Allocation allocation) throws IOException {
        Site site = allocation.site();
        row(
                device.device(),
                allocation.address(),
                allocation.bytes(),
                allocation.requestedBytes(),
                allocation.born(),
                allocation.freed(),
                allocation.bornTimeUs(),
                allocation.freedTimeUs(),
                allocation.step(),
                allocation.stream(),
                allocation.isLiveAtPeak(),
                allocation.category(),
                site.isLine() ? site.file() : null,
                site.isLine() ? site.line() : null,
                site.function(),
                allocation.stack());
    }

    private void stacks(RecordedProfile device) throws IOException {
        Set<Integer> numbers = new TreeSet<>();
        for (Allocation allocation : device.allocations()) {
            if (allocation.stack() != null) {
                numbers.add(allocation.stack());
            }
        }
        for (int number : numbers) {
            int depth = 0;
            for (Frame frame : device.frames().apply(number)) {
                row(device.device(), number, depth++, frame.file(), frame.line(), frame.function());
            }
        }
    }

    private void findings(AnalysisResult result) throws IOException {
        begin(
                "findings",
                "id TEXT, kind TEXT, severity TEXT, confidence DOUBLE, title TEXT, device INTEGER, file TEXT, line INTEGER,"
                        + " function TEXT, kept_file TEXT, kept_line INTEGER, bytes BIGINT, blocks INTEGER,"
                        + " bytes_per_step DOUBLE, bytes_per_second DOUBLE, steps_to_oom DOUBLE");
        for (Finding finding : result.findings()) {
            KeptAt kept = finding.keptAt();
            row(
                    finding.id(),
                    finding.kind(),
                    finding.severity(),
                    finding.confidence(),
                    finding.title(),
                    finding.device(),
                    finding.site().file(),
                    finding.site().line(),
                    finding.site().function(),
                    kept == null ? null : kept.file(),
                    kept == null ? null : kept.line(),
                    finding.bytes(),
                    finding.blocks(),
                    finding.bytesPerStep(),
                    finding.bytesPerSecond(),
                    finding.stepsToOom());
        }
        begin("holders", "finding TEXT, owner TEXT, path TEXT, verdict TEXT, bytes BIGINT, blocks INTEGER");
        for (Finding finding : result.findings()) {
            for (FindingHolder holder : finding.holders()) {
                row(
                        finding.id(),
                        holder.title(),
                        holder.way(),
                        holder.verdict(),
                        holder.findingBytes(),
                        holder.findingBlocks());
            }
        }
        for (JoinedDump dump : result.dumps()) {
            for (JoinedDump.Held held : dump.rest()) {
                row(null, held.title(), held.reason(), held.verdict(), held.bytes(), held.blocks());
            }
        }
        begin("ruled_out", "reason TEXT, file TEXT, line INTEGER, bytes BIGINT, text TEXT");
        for (Acquittal acquittal : result.acquittals()) {
            Site site = acquittal.site();
            row(acquittal.reason(), site.file(), site.line(), acquittal.bytes(), acquittal.text());
        }
    }

    private void begin(String name, String columns) throws IOException {
        end();
        table = name;
        out.write("CREATE TABLE " + name + "(" + columns + ");\n");
    }

    private void end() throws IOException {
        if (rows > 0) {
            out.write(";\n");
        }
        rows = 0;
    }

    private void row(@Nullable Object... values) throws IOException {
        if (rows == ROWS) {
            end();
        }
        out.write(rows == 0 ? "INSERT INTO " + table + " VALUES\n(" : ",\n(");
        for (int i = 0; i < values.length; i++) {
            out.write((i == 0 ? "" : ",") + literal(values[i]));
        }
        out.write(")");
        rows++;
    }

    private static String literal(@Nullable Object value) {
        return switch (value) {
            case null -> "NULL";
            case Double number -> Double.isFinite(number) ? number.toString() : "NULL";
            case Number number -> number.toString();
            case Boolean truth -> truth ? "1" : "0";
            case Enum<?> constant -> "'" + constant.name().toLowerCase(Locale.ROOT) + "'";
            default -> "'" + Printable.of(value.toString()).replace("'", "''") + "'";
        };
    }
}
