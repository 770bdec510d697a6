package dev.leakline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.columns.ProcessSample;
import dev.leakline.read.samples.SampleLines;
import dev.leakline.result.AnalysisResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlightRecorderTest {
    @TempDir
    private Path folder;

    private final List<String> trouble = new ArrayList<>();

    private Watcher watch(long budget, int moments) throws IOException {
        Watcher watcher = new Watcher(List.of(new FlightRecorder(folder.resolve("ring"), budget, trouble::add)));
        for (List<ProcessSample> moment : WatchSamples.moments().subList(0, moments)) {
            watcher.look(moment, true);
        }
        return watcher;
    }

    private List<Path> files(String process) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("ring/" + process))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<Input> inputs(List<Path> files) throws IOException {
        List<Input> inputs = new ArrayList<>();
        for (Path file : files) {
            inputs.add(Input.open(InputSource.of(file), Demand.EVIDENCE));
        }
        return inputs;
    }

    /** No writer is closed here: whoever is killed closes nothing. */
    @Test
    void whatWasRecordedUntilTheWatchWasKilledIsReportedAsTheWatchJudgedIt() throws Exception {
        Watcher watcher = watch(1 << 20, 240);
        List<Path> files = files("4242-4242");
        Files.writeString(files.getLast(), "{\"t\":1790009999,\"pid\":4242,\"us", StandardOpenOption.APPEND);
        AnalysisResult report = Analysis.run(inputs(files), Analysis.Options.ALL);
        assertThat(report.verdict()).isEqualTo(AnalysisResult.Verdict.LEAK);
        assertThat(report.reason())
                .endsWith(watcher.processes().iterator().next().now().reason());
        AnalysisResult quiet = Analysis.run(inputs(files("777-777")), Analysis.Options.ALL);
        assertThat(quiet.verdict()).isEqualTo(AnalysisResult.Verdict.NO_LEAK);
        watch(1 << 20, 1);
        assertThat(files("4242-4242")).hasSize(files.size() + 1);
    }

    @Test
    void aProcessKeepsToItsBudgetAndItsNewestSamples() throws Exception {
        watch(8000, 240);
        List<Path> files = files("4242-4242");
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        assertThat(bytes).isBetween(6000L, 8000L);
        List<String> last = Files.readAllLines(files.getLast());
        ProcessSample newest = SampleLines.read(last.getLast());
        assertThat(newest).isNotNull();
        assertThat(newest.t())
                .isEqualTo(WatchSamples.moments().getLast().getFirst().t());
        assertThat(files("31-31")).as("of a process that ended").isNotEmpty();
    }

    @Test
    void aFolderThatCannotBeWrittenIsToldOnceAndTheWatchGoesOn() throws Exception {
        Files.createDirectories(folder.resolve("ring"));
        for (String process : List.of("4242-4242", "777-777", "1313-1313", "99-99", "31-31")) {
            Files.writeString(folder.resolve("ring/" + process), "in the way");
        }
        assertThat(watch(8000, 20).processes()).hasSize(5);
        assertThat(trouble).hasSize(1);
    }
}
