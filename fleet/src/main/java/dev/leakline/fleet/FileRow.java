package dev.leakline.fleet;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Summarized;
import dev.leakline.Ranks;
import dev.leakline.codec.Codec;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Coverage;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.InputFile;
import dev.leakline.result.Peak;
import dev.leakline.result.ProcessSummary;
import dev.leakline.result.SiteUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * All that is kept of a file, as one row: its run, and within that its process, sites and findings, from which {@link Tables} makes a table
 * each. A column has the name and the value of the field of {@code leakline report --format json}; what is null there is null here.
 */
final class FileRow {
    /** Outcomes of reading a file. */
    enum Status {
        /** It was analysed; where it could not be read to its end, the error says so. */
        ANALYSED,
        /** It was meant to be a recording and cannot be read. */
        UNREADABLE,
        /** It is something else. */
        OTHER,
        /** It could not be read this time: the next run tries again. */
        FAILED;

        String inTables() {
            return word(this);
        }
    }

    /** The origin of a row, in all tables. */
    static final String ORIGIN =
            "path STRING, job STRING, host STRING, team STRING, version STRING," + " recorded_us BIGINT, micros BIGINT";

    static final StructType SCHEMA = StructType.fromDDL(ORIGIN
            + ", bytes BIGINT, modified_us BIGINT, status STRING, error STRING, kind STRING, content_bytes BIGINT,"
            + " torch STRING, verdict STRING, reason STRING, headline STRING, devices INT, events INT, steps INT,"
            + " peak_bytes BIGINT, peak_reserved_bytes BIGINT, findings INT,"
            + " process STRUCT<device: INT, events: INT, steps: INT, start_us: BIGINT, end_us: BIGINT, peak: BIGINT,"
            + " older: BIGINT, end: BIGINT, reserved: BIGINT, device_bytes: BIGINT, has_failed: BOOLEAN,"
            + " summary: STRING>,"
            + " peak_sites ARRAY<STRUCT<device: INT, position: INT, kind: STRING, file: STRING, line: INT,"
            + " function: STRING, bytes: BIGINT, requested_bytes: BIGINT, blocks: INT, share: DOUBLE>>,"
            + " found ARRAY<STRUCT<position: INT, id: STRING, kind: STRING, severity: STRING, confidence: DOUBLE,"
            + " title: STRING, summary: STRING, cause: STRING, device: INT, site_kind: STRING, file: STRING,"
            + " line: INT, function: STRING, bytes: BIGINT, blocks: INT, bytes_per_step: DOUBLE,"
            + " bytes_per_second: DOUBLE, steps_to_oom: DOUBLE, seconds_to_oom: DOUBLE, action: STRING>>");

    private FileRow() {}

    /** The row of a file that was not analysed. */
    static Row of(FleetFile file, Status status, String error) {
        return row(file, null, status, error, null);
    }

    /** The row of a file that was. */
    static Row of(FleetFile file, Summarized summarized) {
        InputFile input = summarized.result().inputs().getFirst();
        return row(file, summarized.result(), Status.ANALYSED, input.incomplete(), summarized.summary());
    }

    private static Row row(
            FleetFile file,
            @Nullable AnalysisResult result,
            Status status,
            @Nullable String error,
            @Nullable ProcessSummary summary) {
        InputFile input = result == null ? null : result.inputs().getFirst();
        Peak peak = result == null ? null : result.highestPeak();
        Coverage coverage = result == null ? null : result.coverageOfPeak();
        String named = file.labels().version();
        String torch = input == null ? null : input.torch();
        long end = summary == null ? 0 : summary.endMicros();
        return RowFactory.create(
                file.path(),
                file.labels().job(),
                file.labels().host(),
                file.labels().team(),
                named == null ? torch : named,
                end == 0 ? file.modifiedMicros() : end,
                summary == null ? 0 : end - summary.startMicros(),
                file.bytes(),
                file.modifiedMicros(),
                status.inTables(),
                error,
                input == null ? null : input.kind(),
                input == null ? null : input.bytes(),
                torch,
                result == null ? null : word(result.verdict()),
                result == null ? null : result.reason(),
                result == null ? null : result.headline(),
                result == null ? 0 : result.devices().size(),
                coverage == null ? null : coverage.events(),
                result == null ? null : result.firstSteps().count(),
                peak == null ? null : peak.bytes(),
                peak == null ? null : peak.reservedBytes(),
                result == null ? 0 : result.findings().size(),
                summary == null ? null : process(summary),
                result == null ? new Row[0] : sites(result.devices()),
                result == null ? new Row[0] : findings(result.findings()));
    }

    private static Row process(ProcessSummary process) {
        return RowFactory.create(
                process.device(),
                process.events(),
                process.steps(),
                process.startMicros(),
                process.endMicros(),
                process.peak(),
                process.older(),
                process.end(),
                process.reserved(),
                process.deviceBytes() == 0 ? null : process.deviceBytes(),
                process.hasFailed(),
                Codec.line(Ranks.job(List.of(process), List.of())));
    }

    private static Row[] sites(List<DeviceResult> devices) {
        List<Row> rows = new ArrayList<>();
        for (DeviceResult device : devices) {
            List<SiteUse> sites = device.peak().bySite();
            for (int i = 0; i < sites.size(); i++) {
                SiteUse use = sites.get(i);
                rows.add(RowFactory.create(
                        device.device(),
                        i,
                        word(use.kind()),
                        use.file(),
                        use.line(),
                        use.function(),
                        use.bytes(),
                        use.requestedBytes() < 0 ? null : use.requestedBytes(),
                        use.blocks(),
                        use.share()));
            }
        }
        return rows.toArray(Row[]::new);
    }

    private static Row[] findings(List<Finding> findings) {
        List<Row> rows = new ArrayList<>();
        for (Finding finding : findings) {
            rows.add(RowFactory.create(
                    rows.size(),
                    finding.id(),
                    word(finding.kind()),
                    word(finding.severity()),
                    finding.confidence(),
                    finding.title(),
                    finding.summary(),
                    finding.cause(),
                    finding.device(),
                    word(finding.site().kind()),
                    finding.site().file(),
                    finding.site().line(),
                    finding.site().function(),
                    finding.bytes(),
                    finding.blocks(),
                    known(finding.bytesPerStep()),
                    known(finding.bytesPerSecond()),
                    known(finding.stepsToOom()),
                    known(finding.secondsToOom()),
                    finding.advice().stream().findFirst().map(Advice::action).orElse(null)));
        }
        return rows.toArray(Row[]::new);
    }

    private static @Nullable Double known(double figure) {
        return Double.isFinite(figure) ? figure : null;
    }

    /** A constant as JSON writes it. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The version of what made the rows. */
    static String toolVersion() {
        return Analysis.version();
    }
}
