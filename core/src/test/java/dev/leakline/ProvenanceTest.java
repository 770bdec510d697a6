package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Fact;
import dev.leakline.result.Conclusion.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Each figure of a conclusion stands on the line that it names, or is the sum of figures that do. */
class ProvenanceTest {
    private static final Pattern NUMBER =
            Pattern.compile("(?<![\\w.])(\\d[\\d,]*(?:\\.\\d+)?)\\s*([KMGTkmgt]?)i?(?:[Bb](?:ytes?)?)?(?![A-Za-z])");
    /** Units of a column or a list stand elsewhere; the kernel counts pages. */
    private static final double[] BARE = {1, 1 << 10, 1 << 20, 1 << 30, 4096};
    /** Lines that a message may have, wrapped as it may be. */
    private static final int MOST_LINES = 12;

    @ParameterizedTest
    @CsvSource({
        "evidencebench/machine/texts, .txt",
        "evidencebench/machine/silent, .md",
        "evidencebench/threads, .md",
        "evidencebench/logs, .log",
        "corpus/nvidia-smi, .txt",
        "corpus/nvidia-smi, .csv",
    })
    void figuresHaveTheirOrigins(String folder, String suffix) throws IOException {
        List<String> lost = new ArrayList<>();
        for (Path file : OutsideData.files(folder, suffix)) {
            lost.addAll(lost(file));
        }
        assertThat(lost).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evidencebench/messages/messages.jsonl", "corpus/oom_messages.jsonl"})
    void figuresOfMessagesHaveTheirOrigins(String file) throws IOException {
        List<String> lost = new ArrayList<>();
        for (String line : Files.readAllLines(OutsideData.path(file))) {
            String text =
                    "log\n" + JsonMapper.shared().readTree(line).get("text").asString();
            lost.addAll(lost(
                    text,
                    Input.open(
                            InputSource.of(text, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
                            Demand.ANYTHING),
                    text.lines().toList()));
        }
        assertThat(lost).isEmpty();
    }

    @Test
    void figuresOfOurOwnExampleHaveTheirOrigins() throws IOException {
        assertThat(lost(Repository.root().resolve("examples/oom.log"))).isEmpty();
    }

    private static List<String> lost(Path file) throws IOException {
        return lost(
                file.getFileName().toString(),
                Input.open(InputSource.of(file), Demand.ANYTHING),
                Files.readAllLines(file));
    }

    private static List<String> lost(String name, Input input, List<String> lines) {
        Conclusion said = Analysis.run(List.of(input), Analysis.Options.ALL).conclusion();
        return said == null
                ? List.of()
                : said.facts().entrySet().stream()
                        .filter(fact -> !hasOrigin(fact.getKey(), fact.getValue(), said.facts(), lines))
                        .map(fact -> name + " " + fact)
                        .toList();
    }

    private static boolean hasOrigin(String name, Fact fact, Map<String, Fact> all, List<String> lines) {
        if (!fact.parts().isEmpty() && !name.equals("growth_per_step")) {
            double sum = 0;
            for (Part part : fact.parts()) {
                Fact other = all.get(part.fact());
                if (other == null || part.fact().equals(name) || !hasOrigin(part.fact(), other, all, lines)) {
                    return false;
                }
                sum += part.times() * other.bytes();
            }
            return Math.abs(sum - fact.bytes()) <= Math.max(1, 0.01 * fact.bytes());
        }
        if (name.equals("growth_per_step") || fact.text().contains(" plus ")) {
            return true; // a slope of all readings; processes that are named with their sizes
        }
        int line = (int) fact.line();
        return line > 0
                && lines.subList(line - 1, Math.min(lines.size(), line + MOST_LINES)).stream()
                        .anyMatch(text -> stands(fact.bytes(), text));
    }

    /** Whether a size is printed, with its unit or without, as far as its last digit tells. */
    private static boolean stands(long bytes, String line) {
        for (Matcher number = NUMBER.matcher(line); number.find(); ) {
            String digits = number.group(1).replace(",", "");
            double value = Double.parseDouble(digits);
            int point = digits.indexOf('.');
            double half = point < 0 ? 0.5 : 0.5 * Math.pow(10, point + 1.0 - digits.length());
            String unit = number.group(2).toLowerCase(Locale.ROOT);
            double[] scales = unit.isEmpty() ? BARE : new double[] {Math.pow(1024, "kmgt".indexOf(unit) + 1.0)};
            for (double scale : scales) {
                if (Math.abs(value * scale - bytes) <= Math.max(1, half * scale)) {
                    return true;
                }
            }
        }
        return false;
    }
}
