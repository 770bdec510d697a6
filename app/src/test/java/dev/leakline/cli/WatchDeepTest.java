package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.columns.ProcessSample;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Cause;
import dev.leakline.result.WatchEvent.Rung;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.text.ByteSize;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import dev.leakline.watch.ladder.AttachedLooks;
import dev.leakline.watch.ladder.Ladder;
import dev.leakline.watch.ladder.Looks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All looks into real jobs that leak, that know nothing of Leakline or have the probe inside, in the Python that LEAKLINE_PYTHON names. The samples are
 * made up, as an alert takes a quarter of an hour.
 */
final class WatchDeepTest {
    private static final String JOB = """
            import os, sys, time, torch
            class Trainer:
                def __init__(self):
                    self.model = torch.nn.Linear(512, 512).cuda()
                    self.losses = []
                def step(self):
                    batch = torch.zeros(512, 512, device="cuda")
                    self.losses.append(self.model(batch))
            def recording():
                return str(torch._C._cuda_isHistoryEnabled()) + " " + str("leakline_probe" in sys.modules)
            trainer = Trainer()
            trainer.step()
            before = recording()
            while not os.path.exists("stop"):
                trainer.step()
                if len(trainer.losses) == 200:
                    with open("part", "w") as file:
                        file.write(str(os.getpid()))
                    os.rename("part", "pid")
                time.sleep(0.02)
            with open("result", "w") as file:
                file.write(before + ", " + recording())
            """;
    private static final String LINE = "job.py:8";
    private static final int MOMENTS = 240;
    private static final int SECONDS = 10;

    @TempDir
    private Path folder;

    private final List<WatchEvent> explained = new ArrayList<>();
    private final List<String> trouble = new ArrayList<>();

    /** Those of the product, with a shorter recording. */
    private record Brief(Looks looks) implements Looks {
        @Override
        public Light light(int pid) throws IOException {
            return looks.light(pid);
        }

        @Override
        public Held holders(int pid) throws IOException {
            return looks.holders(pid);
        }

        @Override
        public Recorded history(int pid, Duration length) throws IOException {
            return looks.history(pid, Duration.ofSeconds(4));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeakIsFollowedToTheLineThatReportNames(boolean hasProbe) throws Exception {
        String python = System.getenv("LEAKLINE_PYTHON");
        assumeTrue(python != null, "LEAKLINE_PYTHON is not set, and this test needs a Python with torch and a GPU");
        Files.writeString(folder.resolve("job.py"), JOB);
        Process job = start(python, hasProbe);
        try {
            await("pid", job);
            watch(Long.parseLong(Files.readString(folder.resolve("pid"))));
        } finally {
            Files.createFile(folder.resolve("stop"));
            if (!job.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)) {
                job.destroyForcibly();
            }
        }
        assumeTrue(trouble.stream().noneMatch(one -> one.contains("sudo")), "this system lets nobody trace");
        assertThat(explained).as("%s", trouble).hasSize(1);
        Cause cause = explained.getFirst().cause();
        assertThat(cause).isNotNull();
        assertThat(cause.rung()).isEqualTo(Rung.HISTORY);
        assertThat(cause.site()).contains(LINE);
        assertThat(cause.holder()).contains("losses");
        isWhatReportFinds(cause);
        String result = Files.readString(folder.resolve("result"));
        assertThat(result).isEqualTo(hasProbe ? "True True, True True" : "False False, False False");
    }

    private void isWhatReportFinds(Cause cause) throws Exception {
        List<String> command = new ArrayList<>(List.of("report"));
        cause.files().stream()
                .filter(file -> !file.equals(cause.files().getFirst()))
                .forEach(command::add);
        Outcome report = new Program(folder).run(command.toArray(String[]::new));
        assertThat(report.out()).contains(LINE, cause.holder());
    }

    private Process start(String python, boolean hasProbe) throws IOException {
        // Of its own children Java waits for every stop, and so would take those that tracing waits for.
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\"; exit $?", "sh"));
        if (hasProbe) {
            command.addAll(Program.command(Map.of(), "run", "--keep", "kept", "--"));
        }
        command.addAll(Arrays.asList(python.split(" ", -1)));
        command.add("job.py");
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    private void await(String file, Process job) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Thoroughness.HANGS);
        while (!Files.exists(folder.resolve(file)) && job.isAlive() && System.nanoTime() < end) {
            Thread.sleep(50);
        }
        assertThat(folder.resolve(file))
                .as(Files.readString(folder.resolve("said")))
                .exists();
    }

    private void watch(long pid) throws Exception {
        Watcher watcher;
        try (Ladder ladder = new Ladder(new Brief(new AttachedLooks(folder, () -> {})), true, trouble::add)) {
            watcher = new Watcher(List.of(ladder, new WatchListener() {
                @Override
                public void changed(WatchedProcess process, WatchEvent event) {
                    if (event.cause() != null) {
                        explained.add(event);
                    }
                }
            }));
            for (int i = 0; i < MOMENTS; i++) {
                watcher.look(List.of(sample(pid, i)), true);
            }
        }
        watcher.look(List.of(sample(pid, MOMENTS)), true);
    }

    private static ProcessSample sample(long pid, int i) {
        long used = (400L + i) * ByteSize.MIB;
        long total = 24 * ByteSize.GIB;
        return new ProcessSample(SECONDS * (1000.0 + i), pid, "job", 1, 0, used, -1, -1, -1, -1, -1, total, -1);
    }
}
