package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.PatchSafety;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every patch that the recorded programs get: applied, it is Python; in the full ring the program runs with it, as it did without. */
class ShippedPatchesTest {
    private static final Path PROGRAMS = Repository.root().resolve("testkit/scenarios/programs");
    private static final String RECORDED = ".pickle.gz";
    private static final Pattern HUNK = Pattern.compile("@@ -(?<line>\\d+),(?<count>\\d+) .*");
    /** Programs take seconds; one that hangs by its patch is none that runs. */
    private static final int SECONDS = 120;

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> eachPatchLeavesPythonThatRuns() throws IOException {
        List<Path> recordings;
        try (Stream<Path> files = Files.list(PROGRAMS.resolve("recorded"))) {
            recordings = files.filter(file -> file.toString().endsWith(RECORDED))
                    .filter(file -> Files.exists(PROGRAMS.resolve(name(file) + ".py")))
                    .sorted()
                    .toList();
        }
        assertThat(recordings).isNotEmpty();
        return recordings.stream().map(recording -> dynamicTest(name(recording), () -> check(recording)));
    }

    private static String name(Path recording) {
        String file = recording.getFileName().toString();
        return file.substring(0, file.length() - RECORDED.length());
    }

    private void check(Path recording) throws Exception {
        Sources sources = Sources.of(List.of(PROGRAMS));
        for (Finding finding : sources.attach(Analysed.path(recording)).findings()) {
            for (Advice advice : finding.advice()) {
                if (advice.patch() != null) {
                    assertThat(advice.patchSafety()).isIn(PatchSafety.SAFE, PatchSafety.REVIEW);
                    assertThat(advice.patchReason()).isNotBlank();
                    assertThat(finding.keptAt()).isNotNull();
                    check(name(recording), advice.patch());
                }
            }
        }
    }

    private void check(String name, String patch) throws Exception {
        Path patched = Files.createDirectories(folder.resolve(name));
        for (String file : patch.split("(?m)^(?=--- a/)", -1)) {
            if (!file.isEmpty()) {
                String path = file.lines().findFirst().orElseThrow().substring("--- a/".length());
                String text = applied(Files.readAllLines(PROGRAMS.resolve(path)), file);
                assertThat(PythonFile.parse(PythonText.of(text)).errors())
                        .as(patch)
                        .isEmpty();
                Files.writeString(patched.resolve(path), text);
            }
        }
        String python = System.getenv("LEAKLINE_PYTHON");
        if (python != null && Thoroughness.of(0, 1) == 1) {
            assertThat(run(python, name, PROGRAMS)).as("as it is").isZero();
            assertThat(run(python, name, patched)).as(patch).isZero();
        }
    }

    /** Runs a program and gives its exit status; beside a patched file lie those that it imports. */
    private static int run(String python, String name, Path folder) throws Exception {
        List<String> command = new ArrayList<>(List.of(python.split(" ", -1)));
        command.add(folder.resolve(name + ".py").toString());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PYTHONPATH", PROGRAMS.toString());
        Process process = builder.start();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return -1;
        }
        return process.exitValue();
    }

    /** A file's text after the hunks of a diff, each of which must fit exactly where it says. */
    private static String applied(List<String> lines, String diff) {
        List<String> after = new ArrayList<>();
        int next = 0;
        for (String line : diff.lines().skip(2).toList()) {
            Matcher hunk = HUNK.matcher(line);
            if (hunk.matches()) {
                int first = Integer.parseInt(hunk.group("line")) - 1;
                after.addAll(lines.subList(next, first));
                next = first;
                continue;
            }
            String text = line.substring(1);
            if (line.charAt(0) != '+') {
                assertThat(lines.get(next++)).isEqualTo(text);
            }
            if (line.charAt(0) != '-') {
                after.add(text);
            }
        }
        after.addAll(lines.subList(next, lines.size()));
        return String.join("\n", after) + "\n";
    }
}
