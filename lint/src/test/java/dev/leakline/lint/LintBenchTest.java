package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The score on labelled files, where they are at hand, does not fall. */
final class LintBenchTest {
    private static final double PRECISION = 0.98;
    private static final double RECALL = 0.98;

    @Test
    void findsWhatIsLabelled() throws IOException {
        String data = System.getenv("LEAKLINE_DATA");
        assumeTrue(data != null && Files.isDirectory(Path.of(data, "lintbench", "files")));
        Path bench = Path.of(data, "lintbench");
        Set<String> wanted = new HashSet<>();
        for (String line : Files.readAllLines(bench.resolve("labels.jsonl"))) {
            JsonNode label = new ObjectMapper().readTree(line);
            wanted.add(label.get("file").asString() + ":" + label.get("line").asInt() + ":"
                    + label.get("rule").asString());
        }
        Set<String> found = new HashSet<>();
        for (LintFinding finding : Lint.run(List.of(bench.resolve("files")), Configuration.STANDARD, null)
                .findings()) {
            found.add(Path.of(finding.file()).getFileName() + ":" + finding.line() + ":"
                    + finding.rule().id());
        }
        Set<String> right = new HashSet<>(found);
        right.retainAll(wanted);
        assertThat((double) right.size() / found.size()).as("precision").isGreaterThanOrEqualTo(PRECISION);
        assertThat((double) right.size() / wanted.size()).as("recall").isGreaterThanOrEqualTo(RECALL);
    }
}
