package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.report.ExplainText;
import dev.leakline.report.Given;
import dev.leakline.report.TextReport;
import dev.leakline.report.document.MarkdownReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A saved report says the same whatever words of its sentences are changed, as the next version may word them otherwise. */
class EditedSentencesTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Path EXAMPLES = Path.of("../examples");
    private static final Path SCENARIOS = Path.of("../testkit/scenarios/recorded");
    private static final Style STYLE = new Style(100, false, true);
    private static final TextReport.Options ALL = new TextReport.Options(5, true, true);
    /** Stands in no sentence of ours. */
    private static final char EDITED = '\u00f8';

    static Stream<String> texts() {
        return Stream.of(
                "step 100 allocated 3.0 GiB\nstep 200 allocated 4.0 GiB\nstep 300 allocated 5.0 GiB\n",
                "VRAM allocated: 3.1 GiB\nVRAM allocated: 3.1 GiB\nVRAM allocated: 3.1 GiB\nVRAM allocated: 3.1 GiB\n",
                "RuntimeError: CUDA error: device-side assert triggered\n",
                "|  0%  38C  P2  58W / 450W |  24064MiB / 24564MiB |  0%  Default |\n",
                read(EXAMPLES.resolve("oom.log")));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void ofTexts(String text) throws IOException {
        check(Input.open(
                InputSource.of("text", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
                Demand.ANYTHING));
    }

    static Stream<Path> recordings() {
        return Stream.of(
                EXAMPLES.resolve("train_with_a_leak.pickle.gz"),
                SCENARIOS.resolve("attention_maps.pickle.gz"),
                SCENARIOS.resolve("clean_ema_replaced.pickle.gz"));
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void ofRecordings(Path file) throws IOException {
        check(Input.open(InputSource.of(file), Demand.EVIDENCE));
    }

    private static void check(Input input) throws IOException {
        String saved = Reports.json(Analysis.run(List.of(input), Analysis.Options.ALL), true);
        List<String> shown = shown(Reports.read(saved));
        Set<String> sentences = new LinkedHashSet<>();
        collect(JSON.readTree(saved), sentences);
        assertThat(sentences).isNotEmpty();
        for (String sentence : sentences) {
            String edited = saved.replace(inJson(sentence), inJson(edited(sentence)));
            assertSame(shown(Reports.read(edited)), shown, sentence);
        }
    }

    /** All sentences of a result, which may stand in it more than once. */
    private static void collect(JsonNode node, Set<String> sentences) {
        if (node.isString() && node.asString().split(" ", -1).length > 2) {
            sentences.add(node.asString());
        }
        node.forEach(child -> collect(child, sentences));
    }

    /** A sentence with another word in the place of its first long one. */
    private static String edited(String sentence) {
        StringBuilder edited = new StringBuilder(sentence);
        for (int i = 0; i < edited.length(); i++) {
            if (Character.isLetter(edited.charAt(i))) {
                edited.setCharAt(i, EDITED);
            } else if (i > 0 && edited.charAt(i) == ' ' && edited.charAt(i - 1) == EDITED) {
                break;
            }
        }
        return edited.toString();
    }

    private static String inJson(String text) {
        return JSON.writeValueAsString(text);
    }

    private static List<String> shown(AnalysisResult result) {
        List<String> shown = new ArrayList<>();
        shown.add(TextReport.of(result, ALL, STYLE));
        shown.add(ExplainText.of(result, Given.of(), STYLE));
        shown.add(MarkdownReport.of(result));
        return shown;
    }

    private static void assertSame(List<String> edited, List<String> original, String sentence) {
        for (int i = 0; i < original.size(); i++) {
            assertThat(restored(edited.get(i), original.get(i))).as(sentence).isEqualTo(original.get(i));
        }
    }

    /** A text with the original's letters wherever it has edited ones. */
    private static String restored(String edited, String original) {
        StringBuilder restored = new StringBuilder(edited);
        for (int i = 0; i < Math.min(edited.length(), original.length()); i++) {
            if (edited.charAt(i) == EDITED) {
                restored.setCharAt(i, original.charAt(i));
            }
        }
        return restored.toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
