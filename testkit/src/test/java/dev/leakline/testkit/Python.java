package dev.leakline.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The machine's own python3, as an oracle. */
public final class Python {
    private Python() {}

    /** Skips the test where there is no python3 of at least 3.8, the first that knows protocol 5. */
    public static void assumePresent() {
        boolean present;
        try {
            present = start("import sys; sys.exit(sys.version_info < (3, 8))", List.of())
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException absent) {
            present = false;
        }
        assumeTrue(present, "no python3 here");
    }

    /** What a script prints, line by line; its arguments are files of the given content, named by the keys. */
    public static List<String> run(Path folder, String script, Map<String, byte[]> files) throws Exception {
        List<String> arguments = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            arguments.add(
                    Files.write(folder.resolve(file.getKey()), file.getValue()).toString());
        }
        Process python = start(script, arguments);
        String printed = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (python.waitFor() != 0) {
            throw new AssertionError(printed);
        }
        return printed.lines().toList();
    }

    private static Process start(String script, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3", "-c", script));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
