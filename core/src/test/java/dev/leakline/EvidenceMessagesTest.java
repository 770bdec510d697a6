package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.PrintedSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Messages of many programs, labelled: kinds, sizes, and silence where nothing failed. */
class EvidenceMessagesTest {
    /** The share of messages whose kind must be right. */
    private static final double LEAST_RIGHT = 0.95;

    @Test
    void kindsAndSizesAreRightAndTalkIsNone() throws IOException {
        List<String> texts = Files.readAllLines(OutsideData.path("evidencebench/messages/messages.jsonl"));
        List<String> truths = Files.readAllLines(OutsideData.path("evidencebench/messages/truth.jsonl"));
        List<String> wrongKinds = new ArrayList<>();
        List<String> wrongSizes = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            String text = JsonMapper.shared().readTree(texts.get(i)).get("text").asString();
            JsonNode truth = JsonMapper.shared().readTree(truths.get(i));
            List<OutOfMemoryExplanation> found = found(text);
            List<String> kinds =
                    truth.get("kinds").valueStream().map(JsonNode::asString).toList();
            String kind = found.isEmpty()
                    ? "not_memory"
                    : found.getFirst().kind().name().toLowerCase(Locale.ROOT);
            if (!kinds.contains(kind)) {
                wrongKinds.add(kind + " for " + kinds + ": " + text);
            }
            if (!found.isEmpty() && !areRight(found.getFirst(), truth.get("numbers"))) {
                wrongSizes.add(text);
            }
        }
        assertThat(wrongSizes).isEmpty();
        assertThat(wrongKinds).hasSizeLessThan((int) ((1 - LEAST_RIGHT) * texts.size()));
        assertThat(wrongKinds).noneMatch(wrong -> wrong.contains("for [not_memory]"));
    }

    private static boolean areRight(OutOfMemoryExplanation message, JsonNode numbers) {
        Map<String, PrintedSize> sizes = message.sizes();
        return numbers.propertyStream().allMatch(number -> {
            PrintedSize size = sizes.get(number.getKey());
            JsonNode want = number.getValue();
            return size == null
                    ? want.has("optional")
                    : Math.abs(size.bytes() - want.get("bytes").asLong())
                            <= want.get("slack").asLong() + 1;
        });
    }

    private static List<OutOfMemoryExplanation> found(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Input input = Input.open(InputSource.of("a.log", new ByteArrayInputStream(bytes)), Demand.ANYTHING);
        return Analysis.run(List.of(input), Analysis.Options.ALL).messages();
    }
}
