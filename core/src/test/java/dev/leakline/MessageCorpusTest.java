package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real messages: those that people have posted, and those that the real allocator printed beside its snapshots. */
class MessageCorpusTest {
    private static final String SIZE = "(\\d+(?:\\.\\d+)? (?:bytes|KiB|MiB|GiB))";

    /** The meaning of each size once more, by other means: a pattern for every way of printing it. */
    private static final Map<Meaning, Pattern> PRINTS = new EnumMap<>(Map.ofEntries(
            print(Meaning.REQUESTED, "Tried to allocate " + SIZE),
            print(Meaning.TOTAL, SIZE + " total capacity|total capaci?ty of " + SIZE),
            print(Meaning.FREE, SIZE + "(?: is)? free"),
            print(Meaning.ALLOWED, SIZE + " allowed|max allowed: " + SIZE),
            print(Meaning.PROCESS, "this process has " + SIZE),
            print(Meaning.OTHER_PROCESS, "Process \\d+ has " + SIZE),
            print(
                    Meaning.ALLOCATED,
                    SIZE + " already allocated|" + SIZE + " is allocated by PyTorch|MPS allocated: " + SIZE),
            print(Meaning.PRIVATE_POOLS, SIZE + " allocated in private pools"),
            print(Meaning.UNALLOCATED, SIZE + " is reserved"),
            print(Meaning.CACHED, SIZE + " cached"),
            print(Meaning.RESERVED, SIZE + " reserved in total"),
            print(Meaning.OTHER_ALLOCATIONS, "other allocations: " + SIZE)));

    private static Map.Entry<Meaning, Pattern> print(Meaning meaning, String pattern) {
        return Map.entry(meaning, Pattern.compile(pattern));
    }

    @Test
    void everyPostedMessageIsTakenApartAndNothingElseIs() throws IOException {
        int messages = 0;
        for (String line : Files.readAllLines(OutsideData.path("corpus/oom_messages.jsonl"))) {
            String text = JsonMapper.shared().readTree(line).get("text").asString();
            AnalysisResult result = Analysis.run(List.of(input(text)), Analysis.Options.ALL);
            assertThat(result.messages()).as(text).hasSize(1);
            assertThat(result.logs().getFirst().mentions()).isZero();
            if (!text.contains("tensorflow")) {
                assertSizes(text, result.messages().getFirst().found().message().figures());
                messages++;
            }
        }
        assertThat(messages).isGreaterThan(40);
    }

    private static void assertSizes(String text, List<Figure> figures) {
        String line = text.replaceAll("\\s+", " ");
        List<String> printed = new ArrayList<>();
        Matcher sizes = Pattern.compile(SIZE).matcher(line);
        while (sizes.find()) {
            printed.add(sizes.group());
        }
        assertThat(figures).extracting(figure -> figure.size().text()).as(text).isEqualTo(printed);
        for (Figure figure : figures) {
            assertThat(figure.meaning()).as(text).isNotEqualTo(Meaning.UNKNOWN);
            List<String> same = PRINTS.get(figure.meaning())
                    .matcher(line)
                    .results()
                    .map(result -> result.group().replaceFirst(".*?(?:Process \\d+ has )?" + SIZE + ".*", "$1"))
                    .toList();
            assertThat(same)
                    .as("%s in %s", figure.meaning(), text)
                    .contains(figure.size().text());
        }
    }

    @Test
    void aMessageIsJoinedToTheRequestInTheSnapshot() throws IOException {
        Input snapshot =
                Input.open(InputSource.of(OutsideData.path("allocator-golden/oom.pickle.gz")), Demand.ANYTHING);
        Input log = input(written("oom").get("extra").get("message").asString());
        AnalysisResult result = Analysis.run(List.of(log, snapshot), Analysis.Options.ALL);
        assertThat(result.messages()).singleElement().satisfies(message -> {
            assertThat(message.failures()).hasSize(1);
            assertThat(message.failures().getFirst().request().requestedBytes()).isEqualTo(125_829_120);
            assertThat(message.failures().getFirst().request().deviceFreeBytes())
                    .isEqualTo(104_857_600);
        });
        assertThat(result.hasFailedRequests()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"golden_tight", "golden_tight_expandable", "golden_tight_frac", "golden_tight_streams"})
    void everyMessageOfTheAllocatorIsJoinedToItsRequest(String name) throws IOException {
        Input snapshot = Input.open(
                InputSource.of(OutsideData.path("allocator-golden/" + name + ".pickle.gz")), Demand.ANYTHING);
        List<String> refusals = refusals(name);
        AnalysisResult result =
                Analysis.run(List.of(input(String.join("\n", refusals)), snapshot), Analysis.Options.ALL);
        assertThat(result.logs().getFirst().messages()).isEqualTo(refusals.size());
        assertThat(result.messages()).isNotEmpty().allSatisfy(message -> {
            assertThat(message.failures()).as(message.found().message().text()).isNotEmpty();
            assertThat(message.checks()).allMatch(check -> check.holds());
        });
    }

    /** The messages of the requests that the allocator refused. */
    private static List<String> refusals(String name) throws IOException {
        List<String> texts = new ArrayList<>();
        for (JsonNode operation : written(name).get("ops")) {
            if (operation.size() == 6) {
                texts.add(operation.get(5).asString());
            }
        }
        return texts;
    }

    private static JsonNode written(String name) throws IOException {
        try (InputStream file =
                new GZIPInputStream(Files.newInputStream(OutsideData.path("allocator-golden/" + name + ".json.gz")))) {
            return JsonMapper.shared().readTree(file);
        }
    }

    private static Input input(String text) throws IOException {
        return Input.open(
                InputSource.of("log", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
                Demand.ANYTHING);
    }
}
