package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.leakline.cli.Program.Outcome;
import dev.leakline.report.parquet.Column;
import dev.leakline.report.parquet.ParquetFile;
import dev.leakline.testkit.pickle.Dialect;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * {@code leakline export}, each file opened by a reader of its own where it can be had: pprof-format, and the schema that speedscope ships, from {@code npm ci} in
 * {@code report/src/main/web}. Parquet is read by duckdb and pyarrow, where
 * python3 or the folder LEAKLINE_READERS has them. Perfetto's trace processor is in no registry that tests reach, so of its file the fields that the format asks for are looked at.
 */
final class ExportCommandTest {
    private static final long MB = 1 << 20;
    private static final Path PACKAGES =
            Path.of("../report/src/main/web/node_modules").toAbsolutePath().normalize();
    private static final String READ_PPROF = """
            import { readFileSync } from 'node:fs'
            import { gunzipSync } from 'node:zlib'
            import { Profile } from 'PACKAGES/pprof-format/dist/esm/index.js'
            const p = Profile.decode(gunzipSync(readFileSync('job.pb.gz')))
            const s = i => p.stringTable.strings[Number(i)]
            const line = id => {
              const { functionId, line } = p.location.find(l => l.id == id).line[0]
              const f = p.function.find(f => f.id == functionId)
              return s(f.filename) + ':' + line + ' ' + s(f.name)
            }
            console.log(p.sampleType.map(t => s(t.type) + ' ' + s(t.unit)).join(', '))
            for (const x of p.sample) console.log(x.value.join(' ') + ' ' + x.locationId.map(line).join(' < ') + ' ' + s(x.label[0].str))
            """;

    private static final Map<String, String> READ_PARQUET = Map.of("duckdb", """
            import duckdb
            for row in duckdb.sql("select device, bytes, requested_bytes, born_event, freed_event, live_at_peak, step, site, file, line, function, stack "
                    "from 'job.parquet' order by born_event").fetchall(): print(*row)
            """, "pyarrow", """
            import pyarrow.parquet
            names = "device bytes requested_bytes born_event freed_event live_at_peak step site file line function stack".split()
            for row in pyarrow.parquet.read_table("job.parquet").to_pylist(): print(*[row[name] for name in names])
            """);

    @TempDir
    private Path folder;

    /** Three megabytes live at the peak, of which two stay. */
    @BeforeEach
    void record() throws Exception {
        Files.write(
                folder.resolve("job.pickle"),
                snapshot()
                        .alloc("kept", 2 * MB, "a.py:3 keep", "main.py:5 main")
                        .alloc("passing", 3 * MB, "a.py:9 pass", "main.py:6 main")
                        .free("passing", "a.py:10 pass", "main.py:6 main")
                        .write(Dialect.PROTOCOL_4));
    }

    @Test
    void pprofHasEachStackWithItsBytes() throws Exception {
        assumeTrue(Files.isDirectory(PACKAGES.resolve("pprof-format")), "needs npm ci in report/src/main/web");
        export("pprof", "job.pb.gz");
        Files.writeString(folder.resolve("read.mjs"), READ_PPROF.replace("PACKAGES", PACKAGES.toString()));
        Process node = new ProcessBuilder("node", "read.mjs")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("""
                        peak_space bytes, peak_objects count, inuse_space bytes, inuse_objects count, alloc_space bytes, alloc_objects count
                        3145728 1 0 0 3145728 1 a.py:9 pass < main.py:6 main device 0
                        2097152 1 2097152 1 2097152 1 a.py:3 keep < main.py:5 main device 0
                        """);
    }

    @Test
    void speedscopeHasThreeProfilesADevice() throws Exception {
        String text = Files.readString(export("speedscope", "job.speedscope.json"));
        Path schema = PACKAGES.resolve("speedscope/dist/release/file-format-schema.json");
        if (Files.exists(schema)) {
            try (InputStream file = Files.newInputStream(schema)) {
                assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                                .getSchema(file)
                                .validate(text, InputFormat.JSON))
                        .isEmpty();
            }
        }
        JsonNode profiles = new ObjectMapper().readTree(text).get("profiles");
        assertThat(profiles.values().stream()
                        .map(profile -> profile.get("name").asString() + " "
                                + profile.get("endValue").asLong()))
                .containsExactly(
                        "device 0: live at the peak " + 5 * MB,
                        "device 0: live at the end " + 2 * MB,
                        "device 0: allocated in all " + 5 * MB);
    }

    @Test
    void perfettoHasCountersOfLiveAndReservedBytes() throws Exception {
        JsonNode events = new ObjectMapper()
                .readTree(Files.readString(export("perfetto", "job.perfetto.json")))
                .get("traceEvents");
        List<JsonNode> counters = events.values().stream()
                .filter(event -> event.get("name").asString().equals("memory"))
                .toList();
        assertThat(counters).isNotEmpty().allMatch(event -> event.get("ts").isIntegralNumber());
        assertThat(counters.stream()
                        .mapToLong(event -> event.at("/args/live").asLong())
                        .max())
                .hasValue(5 * MB);
        assertThat(counters)
                .allMatch(event -> event.at("/args/reserved").asLong()
                        >= event.at("/args/live").asLong());
        assertThat(events.get(0).at("/args/name").asString()).isEqualTo("device 0");
        assertThat(events.values().stream()
                        .filter(event -> event.get("name").asString().startsWith("a.py:9"))
                        .map(event -> event.at("/args/live").asLong()))
                .contains(3 * MB);
    }

    @Test
    void perfettoHasTheFindingAndAFolderIsExportedAsItsRecording() throws Exception {
        Path recording = Path.of("../testkit/scenarios/recorded/attention_maps.pickle.gz");
        Files.createDirectories(folder.resolve("job"));
        Files.copy(recording, folder.resolve("job/job-77.pickle"));
        Outcome outcome = run("export", "job", "--to", "perfetto");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        JsonNode events = new ObjectMapper()
                .readTree(Files.readString(folder.resolve("job.perfetto.json")))
                .get("traceEvents");
        assertThat(events.values().stream()
                        .filter(event -> event.get("ph").asString().equals("i"))
                        .map(event -> event.at("/args/line").asString()))
                .isNotEmpty()
                .allMatch(line -> line.contains(":"));
    }

    @Test
    void aTableHasARowAStack() throws Exception {
        assertThat(Files.readString(export("csv", "job.csv"))).isEqualTo("""
                device,peak_bytes,peak_blocks,end_bytes,end_blocks,allocated_bytes,allocated_blocks,stack\r
                0,3145728,1,0,0,3145728,1,a.py:9 pass;main.py:6 main\r
                0,2097152,1,2097152,1,2097152,1,a.py:3 keep;main.py:5 main\r
                """);
        assertThat(run("export", "job.pickle", "--to", "csv", "-o", "-").out()).startsWith("device,peak_bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"duckdb", "pyarrow"})
    void parquetHasARowAnAllocationForEachReader(String reader) throws Exception {
        export("parquet", "job.parquet");
        String said = python(READ_PARQUET.get(reader), reader);
        assertThat(said).isEqualTo("""
                        0 2097152 2097152 1 None True None user a.py 3 keep a.py:3 keep;main.py:5 main
                        0 3145728 3145728 2 4 True None user a.py 9 pass a.py:9 pass;main.py:6 main
                        """);
    }

    @Test
    void parquetOfMoreRowsThanAGroupHoldsHasThemAll() throws Exception {
        try (OutputStream out = Files.newOutputStream(folder.resolve("many.parquet"))) {
            ParquetFile<Integer> file = new ParquetFile<>(
                    List.of(
                            Column.of("n", Column.Type.INT64, row -> row),
                            Column.of("odd", Column.Type.BOOLEAN, row -> row % 2 == 1),
                            Column.of("time", Column.Type.TIMESTAMP, row -> row == 0 ? null : row),
                            Column.texts("text", row -> row % 3 == 0 ? null : row % 7, row -> "t" + row % 7)),
                    out);
            for (int row = 0; row < 300_000; row++) {
                file.add(row);
            }
            file.end("test");
        }
        String said = python("""
                import duckdb
                print(*duckdb.sql("select count(*), sum(n), count(*) filter (odd), count(time), count(text), min(text), max(text), "
                    "count(*) filter (text <> 't' || (n % 7)) from 'many.parquet'").fetchone())
                """, "duckdb");
        assertThat(said).isEqualTo("300000 44999850000 150000 299999 200000 t0 t6 0\n");
    }

    @Test
    void whatCannotBeWrittenIsSaid() throws Exception {
        assertThat(run("export", "job.pickle", "--to", "csv", "-o", "no/x.csv").errors())
                .containsExactly("leakline: -o no/x.csv: no such folder: "
                        + folder.toRealPath().resolve("no"));
        assertThat(run("export", "job.pickle", "--to", "csv", "-o", "..").errors())
                .containsExactly("leakline: -o ..: it is a folder; name a file in it");
        assertThat(run("export", "job.pickle", "--to", "csv", "-o", "job.pickle")
                        .errors())
                .containsExactly("leakline: -o job.pickle: it is also an input");
        assertThat(run("export", "job.pickle", "--to", "chrome").exit()).isEqualTo(2);
        assertThat(run("export", "missing.pickle", "--to", "csv").exit()).isEqualTo(3);
    }

    /** What a program prints in python3, with the packages of the folder that LEAKLINE_READERS names, if any. */
    private String python(String program, String needed) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("python3", "-c", program)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("PYTHONPATH", Objects.requireNonNullElse(System.getenv("LEAKLINE_READERS"), ""));
        String said = new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeFalse(said.contains("No module named '" + needed), "needs " + needed + " in python3 or LEAKLINE_READERS");
        return said;
    }

    private Path export(String to, String file) throws Exception {
        Outcome outcome = run("export", "job.pickle", "--to", to);
        assertThat(outcome.err()).startsWith("leakline: wrote " + file + ", ");
        assertThat(outcome.exit()).isZero();
        return folder.resolve(file);
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
