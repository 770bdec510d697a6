package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Conclusion;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** How many of 44 public threads are answered from what was attached to them: {@code threads44.txt} has them, and what would answer each. */
class PublicThreadsTest {
    private enum Answer {
        ANSWERED,
        /** Something true that leads on: the verdict, or the step that would answer. */
        TRUE,
        NOTHING
    }

    /** A thread: verdicts that answer it, the resource that its text names, words of the step that would answer, what the conclusion says, what that is worth. */
    private record Question(
            String number,
            List<String> verdicts,
            String resource,
            List<String> steps,
            String words,
            Answer expected,
            String text) {
        static Question of(String section) {
            int line = section.indexOf('\n');
            String[] head = section.substring(0, line).split(";", -1);
            return new Question(
                    head[0].strip(),
                    List.of(head[1].strip().split(" ")),
                    head[2].strip(),
                    List.of(head[3].strip().split(" *\\| *")),
                    head[4].strip(),
                    Answer.valueOf(head[5].strip()),
                    section.substring(line + 1));
        }

        Answer judge() throws IOException {
            Input input = Input.open(
                    InputSource.of("thread", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
                    Demand.ANYTHING);
            AnalysisResult result = Analysis.run(List.of(input), Analysis.Options.ALL);
            Conclusion said = Objects.requireNonNull(result.conclusion());
            String step = said.advice().getFirst().action().toLowerCase(Locale.ROOT);
            boolean isStep = steps.stream().anyMatch(word -> step.contains(word.toLowerCase(Locale.ROOT)));
            boolean isResource = resource.isEmpty()
                    || said.resource() == Conclusion.Resource.UNKNOWN
                    || said.resource().name().toLowerCase(Locale.ROOT).equals(resource);
            boolean isVerdict = verdicts.contains(said.verdict().name().toLowerCase(Locale.ROOT));
            boolean isOpen = said.verdict() == Conclusion.Kind.UNDETERMINED;
            if (isVerdict && isResource && isStep && said.sentence().contains(words)) {
                return Answer.ANSWERED;
            }
            boolean isTrue = isOpen ? isStep && isResource : isStep || isVerdict;
            return isTrue ? Answer.TRUE : Answer.NOTHING;
        }
    }

    @TestFactory
    Stream<DynamicTest> eachThreadIsAnsweredOrLedOn() throws IOException {
        return threads().stream()
                .map(thread -> DynamicTest.dynamicTest(
                        thread.number(), () -> assertThat(thread.judge()).isEqualTo(thread.expected())));
    }

    @Test
    void elevenAreAnsweredAndAllButFourOfTheOthersLedOn() throws IOException {
        assertThat(threads().stream().collect(Collectors.groupingBy(Question::expected, Collectors.counting())))
                .isEqualTo(Map.of(Answer.ANSWERED, 11L, Answer.TRUE, 29L, Answer.NOTHING, 4L));
    }

    private static List<Question> threads() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(PublicThreadsTest.class.getResourceAsStream("conclusion/threads44.txt"))) {
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(all.split("(?m)^==== ", -1))
                    .skip(1)
                    .map(Question::of)
                    .toList();
        }
    }
}
