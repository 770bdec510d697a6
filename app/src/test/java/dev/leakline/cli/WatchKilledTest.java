package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What a watch is worth when the process, the driver, or the watch itself is killed. */
final class WatchKilledTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A driver's library with a device of which one process has a GiB. While a file is there, the driver is gone: a library that was initialized
     * before answers nothing from then on until it is shut down and initialized again.
     */
    private static final String DRIVER = """
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            static int isBegun, isLost;
            static int lost(void) {
                if (access(getenv("GONE"), F_OK) == 0) isLost = 1;
                return !isBegun || isLost;
            }
            int nvmlInit_v2(void) {
                if (access(getenv("GONE"), F_OK) == 0) return 9;
                if (!isBegun) isLost = 0;
                isBegun = 1;
                return 0;
            }
            int nvmlShutdown(void) { isBegun = 0; return 0; }
            int nvmlDeviceGetCount_v2(unsigned *n) { *n = 1; return lost() ? 1 : 0; }
            int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **h) { *h = (void *) 1; return lost() ? 1 : 0; }
            int nvmlDeviceGetName(void *h, char *s, unsigned n) { strcpy(s, "GPU"); return 0; }
            int nvmlDeviceGetMemoryInfo(void *h, unsigned long long *m) { m[0] = 8ull << 30; m[2] = 1 << 30; return 0; }
            int nvmlDeviceGetComputeRunningProcesses_v3(void *h, unsigned *n, char *rows) {
                unsigned pid = atoi(getenv("HOLDER"));
                unsigned long long used = 1 << 30, rest = ~0ull;
                if (lost()) return 1;
                if (rows && *n) { memcpy(rows, &pid, 4); memset(rows + 4, 0, 4); memcpy(rows + 8, &used, 8); memcpy(rows + 16, &rest, 8); }
                int isRoom = *n > 0;
                *n = 1;
                return isRoom ? 0 : 7;
            }
            """;

    @TempDir
    private Path folder;

    private Path record;
    private Process job;
    private @Nullable Process watch;

    @BeforeEach
    void begin() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/statm")), "needs Linux");
        record = folder.resolve("samples.jsonl");
        job = new ProcessBuilder("sleep", "1000").start();
    }

    @AfterEach
    void end() {
        job.destroyForcibly();
        if (watch != null) {
            watch.destroyForcibly();
        }
    }

    private Process watch(Map<String, String> environment, String... pids) throws IOException {
        List<String> command = new ArrayList<>(Program.command(
                Map.of(), "watch", "--interval", "0.1", "--format", "jsonl", "--record", record.toString()));
        command.addAll(List.of(pids));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("err").toFile())
                .redirectOutput(folder.resolve("out").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Waits until the last whole line of the record is so. */
    private List<String> await(Process running, Predicate<String> isLast) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Thoroughness.HANGS);
        while (System.nanoTime() < end && running.isAlive()) {
            List<String> lines = Files.exists(record) ? Files.readAllLines(record) : List.of();
            if (lines.size() > 20 && isLast.test(lines.get(lines.size() - 2))) {
                return lines;
            }
            Thread.sleep(50);
        }
        throw new AssertionError("no such sample; " + Files.readString(folder.resolve("err")));
    }

    @Test
    void aDriverThatIsGoneForAWhileEndsNoProcess() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "gcc is installed");
        Path source = Files.writeString(folder.resolve("driver.c"), DRIVER);
        Process compiler = new ProcessBuilder(
                        "gcc",
                        "-shared",
                        "-fPIC",
                        "-o",
                        folder.resolve("libnvidia-ml.so.1").toString(),
                        source.toString())
                .inheritIO()
                .start();
        assertThat(compiler.waitFor()).isZero();
        Path gone = folder.resolve("gone");
        Process running = watch(Map.of(
                "LD_LIBRARY_PATH", folder.toString(), "GONE", gone.toString(), "HOLDER", String.valueOf(job.pid())));
        watch = running;
        await(running, line -> line.contains("\"used\":1073741824"));
        Files.createFile(gone);
        await(running, line -> !line.contains("\"used\":1073741824") && line.contains("\"rss\":"));
        Files.delete(gone);
        await(running, line -> line.contains("\"used\":1073741824"));
        job.destroyForcibly().waitFor();
        List<String> before = Files.readAllLines(folder.resolve("out"));
        assertThat(before.stream().map(line -> JSON.readTree(line).get("state").asString()))
                .containsOnly("ok");
        assertThat(before.stream().filter(line -> line.contains("too few samples")))
                .as("it was begun once: %s", before)
                .hasSizeLessThanOrEqualTo(2);
        List<Double> times = Files.readAllLines(record).stream()
                .map(line -> JSON.readTree(line).get("t").asDouble())
                .toList();
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1)).isLessThan(10);
        }
    }

    @Test
    void aWatchThatIsKilledHasLostNothingThatItWrote() throws Exception {
        Process running = watch(Map.of(), String.valueOf(job.pid()));
        watch = running;
        List<String> seen = await(running, line -> line.contains("\"rss\":"));
        running.destroyForcibly().waitFor();
        List<String> kept = Files.readAllLines(record);
        assertThat(kept).startsWith(seen.subList(0, seen.size() - 1).toArray(String[]::new));
        Outcome again = new Program(folder).run("watch", "--replay", record.toString(), "--format", "jsonl");
        JsonNode last = JSON.readTree(again.out().lines().toList().getLast());
        JsonNode sample = JSON.readTree(kept.get(kept.size() - (isWhole(kept.getLast()) ? 1 : 2)));
        assertThat(last.get("t").asDouble()).isEqualTo(sample.get("t").asDouble());
        assertThat(last.get("pid").asLong()).isEqualTo(job.pid());
    }

    private static boolean isWhole(String line) {
        return line.endsWith("}");
    }

    @Test
    void aWatchEndsWithTheLastOfItsProcessesHoweverThatEnds() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 1000 & echo $!; exec sleep 1001").start();
        String child = parent.inputReader().readLine();
        Process running = watch(Map.of(), child);
        watch = running;
        await(running, line -> line.contains("\"rss\":"));
        ProcessHandle.of(Long.parseLong(child)).orElseThrow().destroyForcibly();
        assertThat(running.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        parent.destroyForcibly();
        JsonNode last = JSON.readTree(Files.readAllLines(folder.resolve("out")).getLast());
        JsonNode sample = JSON.readTree(Files.readAllLines(record).getLast());
        assertThat(last.get("t").asDouble()).isEqualTo(sample.get("t").asDouble());
        assertThat(running.exitValue()).isZero();
    }
}
