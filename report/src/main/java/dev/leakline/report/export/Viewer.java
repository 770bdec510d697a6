package dev.leakline.report.export;

import dev.leakline.report.document.Csv;
import dev.leakline.report.export.jsonb.GeneratedJsonComponent;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.RecordedProfile;
import io.avaje.jsonb.Jsonb;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The viewers that recordings are written for, and how the names of their files end. */
public enum Viewer {
    PPROF(".pb.gz"),
    SPEEDSCOPE(".speedscope.json"),
    PERFETTO(".perfetto.json"),
    /** Spreadsheets, notebooks: a row a stack. */
    CSV(".csv"),
    /** Data frames and SQL: a row an allocation. */
    PARQUET(".parquet"),
    /** Databases: statements that make tables of allocations, stacks, steps, findings and holders. */
    SQL(".sql");

    /** Writers, made when something is written: every command line begins with the names of the viewers. */
    private static final class Json {
        /** The writer of this package's records, generated from them when this is compiled. */
        private static final Jsonb WRITER =
                Jsonb.builder().add(new GeneratedJsonComponent()).build();
    }

    private final String ending;

    Viewer(String ending) {
        this.ending = ending;
    }

    /** How the names of its files end. */
    public String ending() {
        return ending;
    }

    /**
     * Writes a recording; the stream stays open.
     *
     * @param result what was found
     * @param devices the memory of each device
     * @param name the file that was read
     * @param version of Leakline
     */
    public void write(
            AnalysisResult result, List<RecordedProfile> devices, String name, String version, OutputStream out)
            throws IOException {
        switch (this) {
            case PPROF -> Pprof.write(devices, "leakline export of " + name, out);
            case SPEEDSCOPE -> Json.WRITER.toJson(Speedscope.of(devices, name, version), out);
            case PERFETTO -> Json.WRITER.toJson(PerfettoTrace.of(result, devices, version), out);
            case PARQUET -> AllocationTable.write(devices, version, out);
            case SQL -> new SqlTables(out).write(result, devices);
            case CSV -> out.write(Csv.of(devices).getBytes(StandardCharsets.UTF_8));
        }
    }
}
