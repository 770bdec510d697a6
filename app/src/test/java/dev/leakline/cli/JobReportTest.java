package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.attach.Launch.Ended;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobReportTest {
    private static final String PILE = """
            , "piles": [{"kind": "module", "module": "__main__", "name": "", "attribute": "keep", "rest": "", "file": "/app/cpu.py",
            "function": "", "most": 0, "items": 50, "grown": 40, "rises": 3, "holds": "list", "bytes": {"host_tensors": 20000000}}]
            """.replace("\n", " ");

    private static final String CALL = "_record_memory_history";

    @TempDir
    private Path folder;

    @Test
    void theFirstLineSaysThatMemoryOfTheHostLeaksAlsoWhereADumpHasTensors() throws IOException {
        assertThat(text(dump(), looks(8)))
                .startsWith("leak   of the host's memory, by CPU tensors; kept by keep\n\n")
                .contains("[*]")
                .doesNotContain("leakline attach");
    }

    @Test
    void noAdviceNamesAProcessThatHasEnded() throws IOException {
        assertThat(text(dump()))
                .startsWith("undetermined   ")
                .contains("--at interval:10")
                .doesNotContain("leakline attach");
    }

    @Test
    void aJobThatWasRunWithoutHistoryIsAdvisedToKeepOne() throws IOException {
        StringBuilder rows = new StringBuilder();
        IntStream.range(0, 80)
                .forEach(i -> rows.append(
                        """
                        {"step": %d, "device": 0, "allocated_bytes.all.current": %d, "reserved_bytes.all.current": 40000000, "time_us": %d}
                        """.formatted(i + 1, 17_000_000 + 16_384 * i, 1_795_915_713_441_372L + 10_000L * i)));
        Path counters = Files.writeString(folder.resolve("job-77.counters.jsonl"), rows);
        assertThat(report(0, counters))
                .startsWith("leak ")
                .contains("without --history 0")
                .doesNotContain(CALL);
        assertThat(report(JobReport.EVENTS, counters)).startsWith("leak ").doesNotContain("--history", CALL);
    }

    @Test
    void theProbesOwnFiguresAreNoTextThatSaysNothing() throws IOException {
        Path recorded = Files.copy(
                Path.of("../testkit/scenarios/recorded/attention_maps.pickle.gz"), folder.resolve("job-77.pickle"));
        Path counters = Files.writeString(folder.resolve("job-77.counters.jsonl"), """
                {"step": 1, "device": 0, "allocated_bytes.all.current": 23831040, "reserved_bytes.all.current": 31457280, "time_us": 1795913714508057}
                """);
        AnalysisResult result =
                Analysis.run(InputFiles.ofJob(List.of(recorded.toString(), counters.toString())), Analysis.Options.ALL);
        assertThat(result.devices()).isNotEmpty();
        assertThat(result.conclusion()).isNull();
    }

    private Path dump() throws IOException {
        HolderDumpBuilder dump = new HolderDumpBuilder().header("pid", "77");
        Item[] kept = IntStream.range(0, 3)
                .mapToObj(_ -> dump.view("[256, 256]", dump.storage(-1, 262_144, 4096, -1)))
                .toArray(Item[]::new);
        dump.module("__main__").local("keep", dump.list(kept.length).items(kept));
        return Files.write(folder.resolve("cpu-77.holders"), dump.write());
    }

    private Path looks(int count) throws IOException {
        StringBuilder rows = new StringBuilder();
        IntStream.range(0, count)
                .forEach(i -> rows.append(
                        "{\"time_us\": %d, \"pid\": 77, \"steps\": %d, \"resident\": %d, \"parts\": {\"python_objects\": 150000000, \"host_tensors\": %d}%s}\n"
                                .formatted(
                                        1_000_000L * i,
                                        10 * i,
                                        200_000_000L + 3_000_000L * i,
                                        3_000_000L * i,
                                        i == 0 ? "" : PILE)));
        return Files.writeString(folder.resolve("cpu-77.memory.jsonl"), rows);
    }

    private static String text(Path... left) {
        return report(JobReport.EVENTS, left);
    }

    private static String report(long events, Path... left) {
        JobReport report = JobReport.of(
                new Ended(0, List.of(left), List.of(), ""), new JobReport.Options(events, false, 0, List.of()));
        return report.text(false, null, new Style(200, false, true, false));
    }
}
