package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.columns.ProcessSample;
import dev.leakline.read.samples.SampleLines;
import dev.leakline.watch.JobWatch;
import dev.leakline.watch.WatchSamples;
import dev.leakline.watch.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class WatchCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MIB = 1L << 20;

    @TempDir
    private Path folder;

    private Path samples() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            for (int pid : new int[] {7, 8}) {
                long used = (8000 + (pid == 7 ? 6 * i : 0)) * MIB;
                lines.add(SampleLines.write(new ProcessSample(
                        1000 + 5 * i, pid, "python", -1, 0, used, -1, -1, -1, -1, -1, 16_000 * MIB, -1)));
            }
        }
        lines.add(300, "no JSON");
        lines.add("{\"t\":9999,\"pid\":8,\"us");
        return Files.write(folder.resolve("samples.jsonl"), lines);
    }

    @Test
    void aReplayTellsWhatChangedAndHowItEnds() throws Exception {
        Outcome outcome = new Program(folder).run("watch", "--replay", samples().toString(), "--format", "jsonl");
        assertThat(outcome.exit()).isZero();
        List<JsonNode> events = outcome.out().lines().map(JSON::readTree).toList();
        assertThat(events.stream()
                        .filter(event -> event.get("pid").asLong() == 7)
                        .map(event -> event.get("state").asString()))
                .containsExactly(
                        "ok", "growing", "growing", "firing", "firing"); // of what grows it says later that it leaks
        JsonNode leak = events.stream()
                .filter(event -> event.get("pid").asLong() == 7)
                .toList()
                .getLast();
        assertThat(leak.get("verdict").asString()).isEqualTo("leak");
        assertThat(leak.get("bytes_per_hour").asDouble()).isBetween(4200.0 * MIB, 4450.0 * MIB);
        assertThat(leak.get("full_at").get("low").asDouble()).isLessThan(7700);
        assertThat(leak.get("full_at").get("high").asDouble()).isGreaterThan(7600);
        JsonNode quiet = events.getLast();
        assertThat(quiet.get("pid").asLong()).isEqualTo(8);
        assertThat(quiet.get("verdict").asString()).isEqualTo("no_leak");
        assertThat(quiet.get("full_at").isNull()).isTrue();
    }

    @Test
    void untilLeakEndsAtTheAlertWithOne() throws Exception {
        Path recorded = folder.resolve("recorded.jsonl");
        Path alerts = folder.resolve("alerts.jsonl");
        Path told = folder.resolve("told.json");
        Outcome outcome = new Program(folder)
                .run(
                        "watch",
                        "--replay",
                        samples().toString(),
                        "--until",
                        "leak",
                        "--record",
                        recorded.toString(),
                        "--alert-file",
                        alerts.toString(),
                        "--on-alert",
                        "cat > " + told);
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out()).contains("PID 7 python: leak: used GPU memory has grown by", "; full at ");
        JsonNode alert = JSON.readTree(Files.readString(alerts));
        assertThat(alert.get("state").asString()).isEqualTo("firing");
        assertThat(Files.readAllLines(recorded)).hasSizeBetween(300, 1100).allMatch(line -> line.contains("\"used\""));
        Outcome again = new Program(folder).run("watch", "--replay", recorded.toString(), "--until", "leak");
        assertThat(again.exit()).isEqualTo(1);
        assertThat(Files.readString(told)).contains("\"firing\"");
    }

    @Test
    void aProcessIsWatchedUntilItEnds() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "60").start();
        Path out = folder.resolve("out");
        Process watch = Program.start(
                folder, out, "watch", "--interval", "0.1", "--format", "jsonl", String.valueOf(sleep.pid()));
        while (Files.size(out) == 0 && watch.isAlive()) {
            Thread.sleep(20);
        }
        sleep.destroyForcibly();
        assertThat(watch.waitFor(20, TimeUnit.SECONDS)).isTrue();
        List<String> lines = Files.readAllLines(out);
        assertThat(watch.exitValue()).as("%s", lines).isZero();
        JsonNode last = JSON.readTree(lines.getLast());
        assertThat(last.get("pid").asLong()).isEqualTo(sleep.pid());
        assertThat(last.get("resource").asString()).isEqualTo("host");
        assertThat(last.get("verdict").asString()).isEqualTo("undetermined");
    }

    @Test
    void aFirstLookSaysWhatIsHeldAndALongerOneJudges() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "60").start();
        String pid = String.valueOf(sleep.pid());
        Outcome look = new Program(folder).run("watch", "--once", pid);
        assertThat(look.out())
                .contains("PID " + pid + " sleep: undetermined", "Host: ", " resident", "; runs since 2")
                .contains("growth is judged after 80 samples")
                .doesNotContain("last:");
        Outcome judged = new Program(folder).run("watch", "--once", "--for", "13s", pid);
        sleep.destroyForcibly();
        assertThat(judged.out()).contains("no leak: ").doesNotContain("growth is judged after");
    }

    @Test
    void aDiskThatIsFullEndsNeitherTheWatchNorItsAlerts() throws Exception {
        Outcome outcome = new Program(folder)
                .run("watch", "--replay", samples().toString(), "--until", "leak", "--record", "/dev/full");
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.err()).containsOnlyOnce("samples cannot be written");
    }

    @Test
    void aRecordIsReportedAsItWasWatched() throws Exception {
        Outcome outcome =
                new Program(folder).run("report", "--format", "json", samples().toString());
        JsonNode report = JSON.readTree(outcome.out());
        assertThat(report.get("verdict").asString()).isEqualTo("leak");
        assertThat(report.get("reason").asString()).startsWith("PID 7 python: used GPU memory has grown by");
        assertThat(report.get("findings")).hasSize(1);
        assertThat(report.get("inputs").get(0).get("kind").asString())
                .isEqualTo("samples of leakline watch, 2 lines left out");
    }

    @Test
    void besideAJobALineIsSaidWhereTheForecastIsAnother() throws Exception {
        List<String> lines = new ArrayList<>();
        Watcher watcher = new Watcher(List.of(new JobWatch.Lines(lines::add)));
        for (List<ProcessSample> moment : WatchSamples.moments()) {
            watcher.look(moment, true);
        }
        assertThat(lines.stream().filter(line -> line.contains("PID 4242")))
                .hasSizeBetween(2, 6)
                .last()
                .asString()
                .contains("leak: ", "; full at ");
        assertThat(lines).noneMatch(line -> line.contains("PID 777"));
    }

    @Test
    void mistakesAreTold() throws Exception {
        Outcome missing = new Program(folder).run("watch", "--replay", "nothing.jsonl");
        assertThat(missing.exit()).isEqualTo(3);
        assertThat(missing.err()).contains("nothing.jsonl");
        Outcome often = new Program(folder).run("watch", "--interval", "0", "1");
        assertThat(often.exit()).isEqualTo(2);
        assertThat(often.err()).contains("--interval");
    }
}
