package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.testkit.Thoroughness;
import dev.leakline.watch.WatchSamples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The real program on real terminals, which tmux has. Screens that differ from the golden ones are written to {@code target}. */
final class WatchScreenTest {
    private static final Path GOLDEN = Path.of("src/test/resources/watch");
    private static final Path FOUND = Path.of("target/watch");
    private static final long LOOK_MILLIS = 200;

    @TempDir
    private Path folder;

    /** A server that ends is there for a moment, and would take what the next one is to do. */
    private int servers;

    @BeforeEach
    void findTmux() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tmux")), "tmux is installed");
        WatchSamples.write(folder.resolve("samples.jsonl"));
    }

    @AfterEach
    void end() throws Exception {
        tmux("kill-server");
    }

    @ParameterizedTest
    @CsvSource({"80,24", "100,40", "140,50"})
    void screensAreTheGoldenOnes(int columns, int rows) throws Exception {
        start(columns, rows, "NO_COLOR=1");
        String size = columns + "x" + rows;
        keep(size + "-list", await(screen -> screen.contains("14:53:10")));
        tmux("send-keys", "Enter");
        keep(size + "-process", await(screen -> screen.contains("full at")));
        tmux("send-keys", "?");
        keep(size + "-help", await(screen -> screen.contains("this help")));
        for (String page : List.of("list", "process", "help")) {
            String name = size + "-" + page + ".txt";
            assertThat(GOLDEN.resolve(name))
                    .as("golden file; %s holds what was found", FOUND.toAbsolutePath())
                    .hasSameTextualContentAs(FOUND.resolve(name));
        }
    }

    @Test
    void theDocsShowAScreen() throws IOException {
        assertThat(Files.readString(Path.of("../docs/watch.md")))
                .contains("```text\n"
                        + Files.readString(GOLDEN.resolve("80x24-process.txt")).stripTrailing());
    }

    /** docs/watch.py makes it. */
    @Test
    void thePictureIsOfTheGoldenScreen() throws IOException {
        String picture = Files.readString(Path.of("../docs/watch.svg"));
        assertThat(Files.readAllLines(GOLDEN.resolve("100x40-process.txt")).stream()
                        .filter(line -> !line.isBlank()))
                .allSatisfy(line -> assertThat(picture).contains(">" + line + "</text>"));
    }

    @Test
    void theTerminalIsAsBeforeHoweverItEnds() throws Exception {
        start(80, 24, "A=b");
        String before = Files.readString(folder.resolve("before"));
        await(screen -> screen.contains("14:53:10"));
        tmux("resize-window", "-x", "100", "-y", "30");
        await(screen -> screen.lines().anyMatch(line -> line.length() == 100 && line.endsWith("14:53:10")));
        tmux("send-keys", "q");
        assertThat(await(screen -> screen.contains("exit 0")))
                .contains("PID 4242 train.py: ")
                .doesNotContain("q: quit");
        assertThat(Files.readString(folder.resolve("after"))).isEqualTo(before);
        for (String signal : List.of("TERM", "HUP", "INT")) {
            Files.delete(folder.resolve("after"));
            Files.delete(folder.resolve("pid"));
            tmux("kill-server");
            servers++;
            start(80, 24, "A=b");
            await(screen -> screen.contains("14:53:10"));
            long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
            assertThat(new ProcessBuilder("kill", "-" + signal, String.valueOf(pid))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(await(screen -> screen.contains("exit "))).doesNotContain("q: quit");
            assertThat(Files.readString(folder.resolve("after"))).as(signal).isEqualTo(before);
        }
    }

    /** Starts the program on a terminal; the shell around it notes the terminal's settings before and after. */
    private void start(int columns, int rows, String variable) throws Exception {
        List<String> words = new ArrayList<>();
        for (String word : Program.command(
                Map.of("leakline.stdout", "tty", "user.timezone", "UTC", "stdout.encoding", "UTF-8"),
                "watch",
                "--replay",
                folder.resolve("samples.jsonl").toString())) {
            words.add("'" + word + "'");
        }
        Path script = folder.resolve("script");
        Files.writeString(script, """
                cd %1$s
                stty -a | sed 's/rows.*line/line/' > before
                (echo $(exec sh -c 'echo $PPID') > pid; exec env %2$s LC_ALL=C.UTF-8 %3$s 2> err)
                code=$?
                stty -a | sed 's/rows.*line/line/' > after.new
                mv after.new after
                echo exit $code
                sleep 1000
                """.formatted(folder, variable, String.join(" ", words)));
        tmux("new-session", "-d", "-x", String.valueOf(columns), "-y", String.valueOf(rows), "sh " + script);
        await(screen -> Files.exists(folder.resolve("pid")));
    }

    private String await(Predicate<String> isThere) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Thoroughness.HANGS);
        String screen = "";
        while (System.nanoTime() < end) {
            String before = screen;
            screen = tmux("capture-pane", "-p");
            if (isThere.test(screen) && screen.equals(before)) { // not while it is being drawn
                return screen;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        throw new AssertionError("after " + Thoroughness.HANGS + " s the screen is\n" + screen);
    }

    private static void keep(String name, String screen) throws IOException {
        Files.createDirectories(FOUND);
        Files.writeString(FOUND.resolve(name + ".txt"), screen);
    }

    /** A server of this test's own; answers what tmux prints. */
    private String tmux(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "tmux",
                "-f",
                "/dev/null",
                "-S",
                folder.resolve("tmux" + servers).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("TMUX");
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
