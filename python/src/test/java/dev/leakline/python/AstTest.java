package dev.leakline.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.testkit.Thoroughness;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds our trees against those of CPython's parser, node for node and place for place, over the library and the packages of the Python at hand. */
final class AstTest {
    private static final int ON_PUSH = 200;
    private static final String FOLDERS =
            "import sysconfig; print(sysconfig.get_path('stdlib')); print(sysconfig.get_path('purelib'))";
    private static final Path DUMP = Path.of("src/test/python/dump_ast.py");

    @Test
    void treesAreThoseOfCPython() throws Exception {
        List<String> python = List.of(
                System.getenv().getOrDefault("LEAKLINE_PYTHON", "python3").split(" ", -1));
        List<Path> files = files(python);
        assumeTrue(!files.isEmpty(), "no Python is at hand");
        List<Object> differences = new ArrayList<>();
        int compared = 0;
        Process process = start(python, DUMP.toString());
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                Writer names = process.outputWriter(StandardCharsets.UTF_8)) {
            for (Path file : files) {
                names.write(file + "\n");
                names.flush();
                compared += compare(file, lines.readLine(), differences) ? 1 : 0;
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).as("files that are Python").isGreaterThan(files.size() * 9 / 10);
    }

    /** Compares the trees of a file, if CPython has one. */
    private static boolean compare(Path file, String theirs, List<Object> differences) throws IOException {
        PythonFile parsed = PythonFile.parse(PythonText.decode(Files.readAllBytes(file)));
        if (theirs == null) {
            throw new IOException("no tree of " + file);
        }
        if (theirs.equals("no Python")) {
            return false;
        }
        String ours = TreeDump.of(parsed);
        if (!ours.equals(theirs)) {
            differences.add(file + " " + TreeDump.difference(ours, theirs));
        }
        if (!parsed.errors().isEmpty()) {
            differences.add(file + " " + parsed.errors());
        }
        return true;
    }

    /** On a push some of them, at equal distances. */
    private static List<Path> files(List<String> python) throws IOException, InterruptedException {
        List<Path> all = new ArrayList<>();
        for (String folder : output(python)) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                files.filter(file -> file.toString().endsWith(".py") && Files.isRegularFile(file))
                        .sorted()
                        .forEach(all::add);
            }
        }
        int count = Math.min(all.size(), Thoroughness.of(ON_PUSH, all.size()));
        return IntStream.range(0, count)
                .mapToObj(i -> all.get((int) ((long) i * all.size() / count)))
                .toList();
    }

    private static List<String> output(List<String> python) throws IOException, InterruptedException {
        try {
            Process process = start(python, "-c", FOLDERS);
            List<String> output =
                    process.inputReader(StandardCharsets.UTF_8).lines().toList();
            return process.waitFor() == 0 ? output : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Process start(List<String> python, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(python);
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
