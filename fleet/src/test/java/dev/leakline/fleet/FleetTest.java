package dev.leakline.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.codec.Codec;
import dev.leakline.result.FleetReport;
import dev.leakline.result.FleetReport.Group;
import dev.leakline.result.FleetReport.Leak;
import dev.leakline.result.FleetReport.Question;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Fleets of a few files on two threads of one session, which takes seconds to start. */
final class FleetTest {
    private static final Path PROGRAMS = Path.of("..", "testkit", "scenarios", "programs", "recorded");
    private static final Path RANKS = Path.of("..", "examples", "ranks", "iteration_12");

    @TempDir
    private static Path folder;

    private static SparkSession spark;
    private static Path fleet;
    private static Path tables;

    @BeforeAll
    static void read() throws IOException {
        spark = FleetMain.session("local[2]", Map.of("spark.sql.shuffle.partitions", "2"));
        fleet = folder.resolve("fleet");
        copy(PROGRAMS.resolve("history_of_one_endpoint.pickle.gz"), "vision/endpoint/2.1/node1/a.pickle.gz");
        copy(PROGRAMS.resolve("history_of_one_endpoint.pickle.gz"), "vision/endpoint/2.10/node2/b.pickle.gz");
        copy(PROGRAMS.resolve("results_on_both_devices.pickle.gz"), "vision/devices/2.10/c.pickle.gz");
        copy(PROGRAMS.resolve("pages_never_returned.pickle.gz"), "text/pages/2.10/node1/d.pickle.gz");
        for (int rank = 0; rank < 4; rank++) {
            String name = "rank" + rank + "_memory_snapshot.pickle.gz";
            copy(RANKS.resolve(name), "text/trainer/2.10/iteration_12/" + name);
        }
        byte[] whole = Files.readAllBytes(PROGRAMS.resolve("errors_kept_for_a_report.pickle.gz"));
        write("text/torn/2.10/cut.pickle.gz", Arrays.copyOf(whole, whole.length / 2));
        write("text/torn/2.10/forged.pickle", "\u0080\u0002cos\nsystem\n.".getBytes(StandardCharsets.ISO_8859_1));
        write("text/torn/2.10/empty.pickle", new byte[0]);
        write("text/torn/2.10/readme.txt", "Nothing about memory.".getBytes(StandardCharsets.US_ASCII));
        write("text/.hidden.pickle", new byte[10]);
        tables = folder.resolve("tables");
        new FleetRun(spark, tables.toString()).read(List.of(fleet.toString()), labels());
    }

    private static void copy(Path from, String to) throws IOException {
        write(to, Files.readAllBytes(from));
    }

    private static void write(String to, byte[] bytes) throws IOException {
        Path file = fleet.resolve(to);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-11-20T10:00:00Z")));
    }

    private static PathLabels labels() {
        return PathLabels.of("{team}/{job}/{version}");
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Map<String, List<String>> rows(Path of) throws IOException {
        return TableRows.of(spark, of);
    }

    @Test
    void aRowSaysWhatTheReportOfTheFileSays() throws IOException {
        rows(tables);
        List<Row> runs = spark.table("runs").where("verdict IS NOT NULL").collectAsList();
        assertThat(runs).hasSize(8);
        for (Row run : runs) {
            String path = run.getAs("path");
            JsonNode report = report(path);
            same(
                    run,
                    report,
                    Map.of(
                            "verdict",
                            "/verdict",
                            "reason",
                            "/reason",
                            "headline",
                            "/headline",
                            "kind",
                            "/inputs/0/kind",
                            "content_bytes",
                            "/inputs/0/bytes",
                            "torch",
                            "/inputs/0/torch",
                            "error",
                            "/inputs/0/incomplete",
                            "peak_bytes",
                            "/peak/bytes",
                            "peak_reserved_bytes",
                            "/peak/reserved_bytes",
                            "steps",
                            "/steps/count"));
            same(run, report, Map.of("events", "/coverage/events"));
            assertThat(run.<Integer>getAs("devices"))
                    .isEqualTo(report.at("/devices").size());
            findings(path, report.at("/findings"));
            sites(path, report.at("/devices"));
        }
    }

    private static JsonNode report(String path) throws IOException {
        StringWriter json = new StringWriter();
        Codec.write(
                Analysis.run(List.of(Input.open(InputSource.of(Path.of(path)), Demand.EVIDENCE)), Analysis.Options.ALL),
                json);
        return new ObjectMapper().readTree(json.toString());
    }

    private static void findings(String path, JsonNode findings) {
        List<Row> rows = spark.table("findings")
                .where("path = '" + path + "'")
                .orderBy("position")
                .collectAsList();
        assertThat(rows).hasSize(findings.size());
        for (int i = 0; i < rows.size(); i++) {
            for (String field : List.of(
                    "id",
                    "kind",
                    "severity",
                    "confidence",
                    "title",
                    "summary",
                    "cause",
                    "device",
                    "bytes",
                    "blocks",
                    "bytes_per_step",
                    "bytes_per_second",
                    "steps_to_oom",
                    "seconds_to_oom")) {
                same(rows.get(i), findings.get(i), Map.of(field, "/" + field));
            }
            same(
                    rows.get(i),
                    findings.get(i),
                    Map.of(
                            "site_kind",
                            "/site/kind",
                            "file",
                            "/site/file",
                            "line",
                            "/site/line",
                            "function",
                            "/site/function",
                            "action",
                            "/advice/0/action"));
        }
    }

    private static void sites(String path, JsonNode devices) {
        List<JsonNode> sites = new ArrayList<>();
        devices.forEach(device -> device.at("/peak/by_site").forEach(sites::add));
        List<Row> rows = spark.table("sites")
                .where("path = '" + path + "'")
                .orderBy("device", "position")
                .collectAsList();
        assertThat(rows).hasSize(sites.size());
        for (int i = 0; i < rows.size(); i++) {
            for (String field :
                    List.of("kind", "file", "line", "function", "bytes", "requested_bytes", "blocks", "share")) {
                same(rows.get(i), sites.get(i), Map.of(field, "/" + field));
            }
        }
    }

    private static void same(Row row, JsonNode json, Map<String, String> fields) {
        fields.forEach((column, pointer) -> {
            JsonNode value = json.at(pointer);
            Object expected = value.isNull() || value.isMissingNode() ? null : value.asString();
            Object found = row.getAs(column);
            if (found instanceof Double number && value.isNumber()) { // JSON has six digits
                assertThat(number).as(column + " of " + row).isCloseTo(value.asDouble(), withPercentage(0.001));
                return;
            }
            assertThat(found == null ? null : found.toString())
                    .as(column + " of " + row)
                    .isEqualTo(expected);
        });
    }

    @Test
    void rowsAreThoseOfALoopOverTheFiles() throws IOException {
        assertThat(rows(tables)).isEqualTo(TableRows.ofLoop(spark, fleet, labels(), folder.resolve("looped")));
    }

    @Test
    void batchesAndRunsThatWereStoppedChangeNothing() throws IOException {
        Path stopped = folder.resolve("stopped");
        FleetRun run = new FleetRun(spark, stopped.toString(), 5);
        assertThat(run.read(List.of(fleet.toString()), labels())).isEqualTo(12);
        Files.delete(stopped.resolve("runs/batch=2/_SUCCESS"));

        assertThat(new FleetRun(spark, stopped.toString(), 3).read(List.of(fleet.toString()), labels()))
                .isEqualTo(4);
        assertThat(rows(stopped)).isEqualTo(rows(tables));
        assertThat(run.read(List.of(fleet.toString()), labels()))
                .as("files read again")
                .isZero();
    }

    @Test
    void aFileThatWasWrittenAnewIsReadAnew() throws IOException {
        Path input = Files.createDirectories(folder.resolve("anew/in"));
        Path file = input.resolve("a.pickle.gz");
        byte[] whole = Files.readAllBytes(PROGRAMS.resolve("history_of_one_endpoint.pickle.gz"));
        Files.write(file, Arrays.copyOf(whole, whole.length / 3));
        FleetRun run = new FleetRun(spark, folder.resolve("anew/out").toString());
        run.read(List.of(input.toString()), PathLabels.of(""));
        assertThat(run.answer(Question.UNREADABLE, null, 9, 0).unreadable()).hasSize(1);

        Files.write(file, whole);
        assertThat(run.read(List.of(input.toString()), PathLabels.of(""))).isEqualTo(1);
        FleetReport report = run.answer(Question.UNREADABLE, null, 9, 0);
        assertThat(report.unreadable()).isEmpty();
        assertThat(report.size().files()).isEqualTo(1);
    }

    @Test
    void filesThatCannotBeReadAreListedAndOthersAreNot() throws IOException {
        FleetReport report = ask(Question.SIZE, null);

        assertThat(report.unreadable())
                .extracting(file -> Path.of(file.path()).getFileName().toString())
                .containsExactly("cut.pickle.gz", "empty.pickle", "forged.pickle");
        assertThat(report.unreadable())
                .extracting(file -> file.reason())
                .allSatisfy(reason -> assertThat(reason).isNotBlank());
        assertThat(report.size().files()).isEqualTo(12);
    }

    private static FleetReport ask(Question question, String since) throws IOException {
        return new FleetRun(spark, tables.toString()).answer(question, since, 50, 0);
    }

    @Test
    void aBugIsOneInAllFiles() throws IOException {
        Leak leak = ask(Question.LEAKS, null).leaks().stream()
                .filter(each -> each.path().contains("endpoint"))
                .findFirst()
                .orElseThrow();

        assertThat(leak.files()).isEqualTo(2);
        assertThat(leak.jobs()).isEqualTo(1);
        assertThat(leak.hosts()).isEqualTo(2);
        assertThat(leak.versions()).containsExactly("2.1", "2.10");
        assertThat(report(leak.path()).at("/findings/0/id").asString()).isEqualTo(leak.id());
    }

    @Test
    void whatLeakedBeforeHasNotRegressed() throws IOException {
        List<Leak> regressed = ask(Question.REGRESSED, "2.10").leaks();

        assertThat(regressed).isNotEmpty().noneMatch(leak -> leak.path().contains("endpoint"));
        assertThatThrownBy(() -> ask(Question.REGRESSED, "2.1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no recording of an older version");
    }

    @Test
    void whatIsNewIsWhatNoOlderRecordingHas() throws IOException {
        assertThat(ask(Question.NEW, "2000-01-01").leaks())
                .hasSameSizeAs(ask(Question.RATES, null).leaks());
        assertThat(ask(Question.NEW, "2100-01-01T00:00:00Z").leaks()).isEmpty();
        assertThatThrownBy(() -> ask(Question.NEW, "yesterday")).hasMessageContaining("is no date");
    }

    @Test
    void filesAreCountedByWhatTheyHaveInCommon() throws IOException {
        assertThat(ask(Question.TEAMS, null).groups())
                .extracting(Group::name, Group::files, Group::jobs, Group::unreadable)
                .containsExactlyInAnyOrder(tuple("vision", 3L, 2L, 0L), tuple("text", 8L, 3L, 3L));
        assertThat(ask(Question.HOSTS, null).groups()).extracting(Group::name).contains("node1", "node2", null);
    }

    @Test
    void ranksThatDifferAreNamed() throws IOException {
        assertThat(ask(Question.OUTLIERS, null).outliers()).anySatisfy(outlier -> {
            assertThat(outlier.job()).endsWith("text/trainer");
            assertThat(outlier.rank()).isZero();
            assertThat(outlier.sentence()).isNotBlank();
        });
    }

    @Test
    void tablesThatAreNotThereAreAnError() {
        assertThatThrownBy(() ->
                        new FleetRun(spark, folder.resolve("nothing").toString()).answer(Question.LEAKS, null, 9, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holds no tables of a fleet");
    }

    @Test
    void everyTableHasItsRows() throws IOException {
        Map<String, List<String>> rows = rows(tables);
        assertThat(Stream.of("runs", "processes").map(table -> rows.get(table).size()))
                .containsExactly(12, 8);
        assertThat(rows.get("sites")).isNotEmpty();
    }
}
