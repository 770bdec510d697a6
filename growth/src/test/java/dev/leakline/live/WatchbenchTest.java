package dev.leakline.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.OutsideData;
import dev.leakline.columns.ProcessSample;
import dev.leakline.read.samples.SampleLines;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.testkit.Thoroughness;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Recorded and simulated processes whose truth is known: verdicts, alerts where nothing leaks, and more than one where something does. */
class WatchbenchTest {
    private static final JsonMapper JSON = new JsonMapper();
    /** Makes the simulated files of these sets. */
    private static final String MAKE =
            "import sys; sys.path.insert(0, sys.argv[1]); import generate; generate.make(sys.argv[2], 'open',"
                    + " sets=('judged', 'forecast', 'odd'))";

    private int falseAlerts;
    private int flaps;
    private final List<String> wrong = new ArrayList<>();

    @Test
    void recordedProcessesAreJudgedRight() throws IOException {
        Path bench = OutsideData.path("watchbench");
        for (JsonNode truth : JSON.readTree(Files.readString(bench.resolve("truth.json")))) {
            Path file = bench.resolve("series").resolve(truth.get("series").asString() + ".gz");
            try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                judge(truth, in);
            }
        }
        assertThat(wrong).isEmpty();
        // A file that is mapped bit by bit for twenty minutes, and fragmentation, of which the truth has no begin.
        assertThat(falseAlerts).isLessThanOrEqualTo(2);
    }

    @Test
    void simulatedProcessesAreJudgedRight(@TempDir Path folder) throws Exception {
        Path bench = OutsideData.path("watchbench");
        Process python = new ProcessBuilder("python3", "-c", MAKE, bench.toString(), folder.toString())
                .inheritIO()
                .start();
        assumeTrue(python.waitFor() == 0, "python3 could not make the files");
        List<JsonNode> truths = JSON.readTree(Files.readString(folder.resolve("truth.json")))
                .valueStream()
                .toList();
        for (JsonNode truth : Thoroughness.of(truths)) {
            try (InputStream in =
                    Files.newInputStream(folder.resolve(truth.get("series").asString()))) {
                judge(truth, in);
            }
        }
        assertThat(wrong).isEmpty();
        // Caches that fill up at a steady rate, and what comes back after an hour of growth, cannot be told from leaks
        // until they do.
        assertThat(falseAlerts).isLessThanOrEqualTo(9);
        // Leaks under the day's wave, which are resolved at night.
        assertThat(flaps).isLessThanOrEqualTo(2);
    }

    private void judge(JsonNode truth, InputStream in) throws IOException {
        long pid = truth.get("pid").asLong();
        ProcessJudge judge = new ProcessJudge();
        List<WatchEvent> events = new ArrayList<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            ProcessSample sample = SampleLines.read(line);
            if (sample != null && sample.pid() == pid) {
                events.addAll(judge.add(sample));
            }
        }
        String said = judge.last().verdict().name().toLowerCase(Locale.ROOT);
        List<String> accepted = new ArrayList<>(List.of(truth.get("verdict").asString()));
        truth.path("accept").forEach(verdict -> accepted.add(verdict.asString()));
        if (!accepted.contains(said)) {
            wrong.add(truth.get("series") + " " + pid + ": " + said + ", not " + accepted);
        }
        boolean isClean = !truth.has("onset") && !truth.path("either").asBoolean(false);
        long alerts = alerts(events);
        falseAlerts += isClean && alerts > 0 ? 1 : 0;
        flaps += truth.has("onset")
                ? (int) Math.max(0, alerts - 1 - truth.path("restarts").asInt(0))
                : 0;
    }

    private static long alerts(List<WatchEvent> events) {
        return IntStream.range(0, events.size())
                .filter(i -> events.get(i).state() == State.FIRING)
                .filter(i -> i == 0 || events.get(i - 1).state() != State.FIRING)
                .count();
    }
}
