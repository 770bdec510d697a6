package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Deeper questions: parts of a result by name, and tables of a recording in SQL. */
class DetailCommandTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern RECIPE = Pattern.compile("(?s)```sql\n(.*?)\n```");

    @TempDir
    private Path folder;

    @BeforeEach
    void record() throws Exception {
        byte[] recording = snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("loss" + i, 2 << 20, "it's.py:41 train")
                                .alloc("work" + i, 4 << 20, "model.py:7 forward")
                                .free("work" + i)
                                .step())
                .write(Dialect.PROTOCOL_4);
        Files.write(folder.resolve("job.pickle"), recording);
    }

    private JsonNode detail(String... words) throws Exception {
        return json(run("detail", words));
    }

    private static JsonNode json(Outcome outcome) {
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return JSON.readTree(outcome.out());
    }

    private Outcome run(String command, String... words) throws Exception {
        String[] all = new String[words.length + 3];
        all[0] = command;
        all[1] = "--format";
        all[2] = "json";
        System.arraycopy(words, 0, all, 3, words.length);
        return new Program(folder).run(all);
    }

    @Test
    void aFindingHasTheSameIdAndPartsInARecordingAndItsReport() throws Exception {
        JsonNode report = json(run("report", "job.pickle"));
        Files.writeString(folder.resolve("saved.json"), report.toString());
        String id = report.at("/findings/0/id").asString();
        JsonNode saved = detail("saved.json", id, "--limit", "1000");
        JsonNode recorded = detail("job.pickle", id, "--limit", "1000");
        assertThat(saved.get("sentence")).isEqualTo(recorded.get("sentence"));
        assertThat(saved.get("rows")).isEqualTo(recorded.get("rows"));
        assertThat(run("detail", "saved.json", "it's.py:41").err()).contains("needs the recording itself");
    }

    @Test
    void blocksOfALineComeInPagesThatJoinWithoutGaps() throws Exception {
        JsonNode first = detail("job.pickle", "it's.py:41", "--limit", "25");
        JsonNode second = detail(
                "job.pickle",
                "it's.py:41",
                "--limit",
                "25",
                "--cursor",
                first.get("next").asString());
        assertThat(first.get("of").asInt()).isEqualTo(40);
        assertThat(first.get("rows").size()).isEqualTo(25);
        assertThat(second.get("rows").size()).isEqualTo(15);
        assertThat(second.get("next").isNull()).isTrue();
        assertThat(first.get("next_command").asString())
                .isEqualTo("leakline detail job.pickle 'it'\\''s.py:41' --limit 25 --cursor 25");
        assertThat(second.get("next_command").asString()).startsWith("leakline run -- python ");
        assertThat(first.at("/rows/24/born").asInt())
                .isLessThan(second.at("/rows/0/born").asInt());
        JsonNode block = first.at("/rows/0");
        assertThat(block.get("bytes").asLong()).isEqualTo(2 << 20);
        assertThat(block.get("freed").isNull()).isTrue();
        JsonNode there = detail("job.pickle", "address:" + block.get("address").asString());
        assertThat(there.at("/rows/0/born")).isEqualTo(block.get("born"));
        JsonNode stack = detail("job.pickle", "stack:" + block.get("stack").asString());
        assertThat(stack.at("/rows/0/line").asInt()).isEqualTo(41);
    }

    @Test
    void whatWasLiveAddsUp() throws Exception {
        JsonNode peak = detail("job.pickle", "peak");
        JsonNode report = json(run("report", "job.pickle"));
        JsonNode then = detail("job.pickle", "event:" + report.at("/peak/event").asString());
        assertThat(then.at("/rows/0/bytes")).isEqualTo(peak.at("/rows/0/bytes"));
        assertThat(then.get("sentence").asString()).contains(" live after event ");
    }

    @Test
    void whatIsNoPartNamesThoseThatAre() throws Exception {
        Outcome outcome = run("detail", "job.pickle", "everything");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(JSON.readTree(outcome.out()).get("error").asString()).contains("peak", "FILE.py:LINE");
    }

    @Test
    void recipesOfTheDocsAnswerFromAnExport() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python), "needs Python for SQLite");
        assertThat(new Program(folder)
                        .run("export", "job.pickle", "--to", "sql", "-o", "job.sql")
                        .exit())
                .isZero();
        List<String> recipes = RECIPE.matcher(Files.readString(Path.of("../docs/query.md")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertThat(recipes).hasSize(10);
        for (String recipe : recipes) {
            assertThat(rows(python, recipe)).as(recipe).isNotEmpty();
        }
    }

    private String rows(Path python, String query) throws IOException {
        Process process = new ProcessBuilder(
                        python.toString(),
                        "-c",
                        "import sqlite3,sys\ndb=sqlite3.connect(':memory:')\ndb.executescript(open('job.sql').read())\n"
                                + "for row in db.execute(sys.argv[1]): print(row)",
                        query)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String rows = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(rows).doesNotContain("Error");
        return rows;
    }

    @Test
    void aQueryIsBoundedAndReachesNothingElse() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs Python for SQLite");
        JsonNode found =
                json(run("query", "job.pickle", "SELECT file, count(*) AS n FROM blocks GROUP BY file ORDER BY file;"));
        assertThat(found.get("rows").toString())
                .isEqualTo("[{\"file\":\"it's.py\",\"n\":40},{\"file\":\"model.py\",\"n\":40}]");
        JsonNode first = json(run("query", "job.pickle", "SELECT * FROM events", "--limit", "3"));
        assertThat(first.get("rows").size()).isEqualTo(3);
        assertThat(first.get("next").asInt()).isEqualTo(3);
        assertThat(found.get("next_command").asString()).startsWith("leakline run -- python ");
        for (String query : List.of(
                "DROP TABLE blocks",
                "SELECT nothing FROM blocks",
                "SELECT 1); ATTACH 'x.db' AS x; SELECT (1",
                "SELECT 1);\n.shell touch reached\nSELECT (1")) {
            assertThat(run("query", "job.pickle", query).exit()).as(query).isEqualTo(2);
        }
        assertThat(folder.resolve("x.db")).doesNotExist();
        assertThat(folder.resolve("reached")).doesNotExist();
    }

    @Test
    void schemasAndThePageForAgentsTravelWithTheProgram() throws Exception {
        String names = new Program(folder).run("schema").out();
        assertThat(names.lines()).contains("report-1", "brief-1", "detail-1", "watch-1");
        for (String name : names.lines().toList()) {
            assertThat(JSON.readTree(new Program(folder).run("schema", name).out())
                            .get("title")
                            .asString())
                    .isEqualTo("leakline." + name.replaceFirst("-(\\d+)$", "/$1"));
        }
        assertThat(new Program(folder).run("agents").out()).isEqualTo(Files.readString(Path.of("../docs/agents.md")));
    }
}
