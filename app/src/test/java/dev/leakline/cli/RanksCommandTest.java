package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.cli.common.Failures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code leakline ranks} on the sample: the same answer for a folder, its files in any order, and merged summaries. */
class RanksCommandTest {
    private static final Path SAMPLE =
            Path.of("../examples/ranks/iteration_12").toAbsolutePath().normalize();

    private static final int USAGE = 2;

    @TempDir
    private Path folder;

    private String ranks(String... arguments) throws Exception {
        String[] all =
                Stream.concat(Stream.of("ranks"), Arrays.stream(arguments)).toArray(String[]::new);
        Outcome outcome = new Program(folder).run(all);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exit()).isZero();
        return outcome.out();
    }

    private static String file(int rank) {
        return SAMPLE.resolve("rank" + rank + "_memory_snapshot.pickle.gz").toString();
    }

    private String summary(String name, String... files) throws Exception {
        String[] all = Stream.concat(Arrays.stream(files), Stream.of("--format", "summary"))
                .toArray(String[]::new);
        Path path = folder.resolve(name);
        Files.writeString(path, ranks(all));
        return path.toString();
    }

    @Test
    void filesInAnyOrderAndSummariesInAnyNestingGiveTheBytesOfTheFolder() throws Exception {
        String whole = ranks(SAMPLE.toString(), "--format", "json");
        assertThat(ranks(file(2), file(0), file(3), file(1), "--format", "json"))
                .isEqualTo(whole);
        String one = summary("one", file(3), file(0));
        String two = summary("two", summary("three", file(2)), summary("four", file(1), file(2)));
        assertThat(ranks(two, one, "--format", "json")).isEqualTo(whole);
        JsonNode job = new JsonMapper().readTree(whole);
        assertThat(job.get("schema").asString()).isEqualTo("leakline.ranks/1");
        assertThat(job.get("odd").get(0).get("rank").asInt()).isZero();
        assertThat(job.get("ranks").get(3).get("file").asString()).isEqualTo("rank3_memory_snapshot.pickle.gz");
    }

    @Test
    void aTornFileIsToldAndNotFatalAndOtherFilesDoNotMatter() throws Exception {
        for (int rank = 0; rank < 4; rank++) {
            byte[] whole = Files.readAllBytes(Path.of(file(rank)));
            byte[] bytes = rank == 2 ? Arrays.copyOf(whole, whole.length / 2) : whole;
            Files.write(folder.resolve("rank" + rank + ".pickle.gz"), bytes);
        }
        Files.writeString(folder.resolve("train.log"), "step 1: loss 0.5\n");
        Outcome outcome = new Program(folder).run("ranks", ".", "--format", "json");
        assertThat(outcome.exit()).isEqualTo(Failures.UNREADABLE);
        assertThat(outcome.err()).contains("rank2.pickle.gz");
        JsonNode job = new JsonMapper().readTree(outcome.out());
        assertThat(job.get("ranks")).hasSize(3);
        assertThat(job.get("unreadable")).hasSize(1);
        assertThat(job.get("unreadable").get(0).get("rank").asInt()).isEqualTo(2);
        assertThat(job.get("odd").get(0).get("rank").asInt()).isZero();
    }

    @Test
    void thePageHasEachRankAndLineAndRunsNothingAndTheOddRankHasItsOwn() throws Exception {
        Path page = folder.resolve("ranks.html");
        Outcome outcome = new Program(folder).run("ranks", SAMPLE.toString(), "--html", page.toString());
        assertThat(outcome.exit()).isZero();
        assertThat(Files.readString(page))
                .contains("default-src 'none'", "<th scope=\"col\" class=\"odd\"", "train.py:46", "rank3_memory")
                .contains("<a href=\"ranks_ranks/rank0.html\">0</a>", "all: the peak", "all: at the end")
                .doesNotContain("<script", "rank1.html\">");
        assertThat(pages()).containsExactly("rank0.html");
        assertThat(Files.readString(folder.resolve("ranks_ranks/rank0.html")))
                .contains("rank0_memory_snapshot", "<script");
    }

    @Test
    void thePageOfAThousandRanksIsSmallAndItsOddOnesAreSeenAndLinked() throws Exception {
        Path job = Files.createDirectory(folder.resolve("job"));
        for (int rank = 0; rank < 1024; rank++) {
            int like = rank == 5 || rank == 700 ? 0 : 1 + rank % 3;
            Files.createSymbolicLink(
                    job.resolve("rank" + rank + ".pickle.gz"),
                    Path.of(file(like)).toAbsolutePath());
        }
        Path page = folder.resolve("ranks.html");
        assertThat(new Program(folder)
                        .run("ranks", "job", "--html", page.toString())
                        .exit())
                .isZero();
        assertThat(Files.readString(page))
                .hasSizeLessThan(100_000)
                .contains("<a href=\"ranks_ranks/rank5.html\">5</a>, <a href=\"ranks_ranks/rank700.html\">700</a>")
                .contains("<a href=\"ranks_ranks/rank700.html\"><rect x=\"700\" width=\"4\"");
        assertThat(pages()).containsExactly("rank5.html", "rank700.html");
    }

    private List<String> pages() throws Exception {
        try (Stream<Path> written = Files.list(folder.resolve("ranks_ranks"))) {
            return written.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void pagesOfRanksAreThoseThatAreAskedFor() throws Exception {
        String page = folder.resolve("ranks.html").toString();
        Outcome outcome = new Program(folder).run("ranks", SAMPLE.toString(), "--html", page, "--rank-pages", "1,3,9");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.err()).contains("no recording of rank 9");
        assertThat(pages()).containsExactly("rank1.html", "rank3.html");
        assertThat(new Program(folder)
                        .run("ranks", SAMPLE.toString(), "--html", page, "--rank-pages", "some")
                        .exit())
                .isEqualTo(USAGE);
    }

    @Test
    void aReportOfAFolderOfRanksIsTheirComparison() throws Exception {
        Outcome report = new Program(folder).run("report", SAMPLE.toString(), "--device-memory", "1GiB");
        assertThat(report.out()).isEqualTo(ranks(SAMPLE.toString(), "--device-memory", "1GiB"));
        assertThat(report.err()).contains("try: leakline report " + file(0));
        assertThat(new Program(folder)
                        .run("report", SAMPLE.toString(), "--format", "json")
                        .out())
                .isEqualTo(ranks(SAMPLE.toString(), "--format", "json"));
        String page = folder.resolve("ranks.html").toString();
        new Program(folder).run("report", SAMPLE.toString(), "--html", page);
        String fromReport = Files.readString(Path.of(page));
        new Program(folder).run("ranks", SAMPLE.toString(), "--html", page);
        assertThat(fromReport).isEqualTo(Files.readString(Path.of(page)));
        Outcome stacks = new Program(folder).run("report", SAMPLE.toString(), "--stacks");
        assertThat(stacks.exit()).isEqualTo(USAGE);
        assertThat(stacks.err()).contains("name the file of one");
    }

    @Test
    void aReportOfAnyOtherFolderIsThatOfItsFiles() throws Exception {
        Path one = Files.createDirectory(folder.resolve("case"));
        Files.copy(Path.of(file(0)), one.resolve("a.pickle.gz"));
        String alone = new Program(folder)
                .run("report", "case/a.pickle.gz")
                .out()
                .replace("--full case/a.pickle.gz", "--full case")
                .replace("detail case/a.pickle.gz", "detail case");
        assertThat(new Program(folder).run("report", "case").out()).isEqualTo(alone);
        Files.writeString(one.resolve("notes.txt"), "Nothing about memory.\n");
        Outcome both = new Program(folder).run("report", "case", "--format", "json");
        assertThat(both.exit()).isZero();
        JsonNode report = new JsonMapper().readTree(both.out());
        assertThat(report.get("inputs")).hasSize(2);
        JsonNode own = new JsonMapper()
                .readTree(new Program(folder)
                        .run("report", "case/a.pickle.gz", "--format", "json")
                        .out());
        assertThat(report.get("peak")).isEqualTo(own.get("peak"));
    }

    @Test
    void aFolderWithoutRecordingsIsRefused() throws Exception {
        Files.writeString(folder.resolve("train.log"), "nothing\n");
        Outcome outcome = new Program(folder).run("ranks", ".");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("it is a directory; give a file in it");
    }
}
