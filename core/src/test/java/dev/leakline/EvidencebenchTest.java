package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Fact;
import dev.leakline.result.MeasuredSeries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whole issue reports and logs with their truths: nine of ten are concluded right. */
class EvidencebenchTest {
    private static final double NINE_OF_TEN = 0.9;

    /** A text with its truth and what is said of it. */
    private record Said(JsonNode truth, AnalysisResult result) {
        String id() {
            return truth.get("id").asString();
        }

        Conclusion conclusion() {
            return Objects.requireNonNull(result.conclusion());
        }
    }

    @Test
    void threadsAreConcludedRight() throws IOException {
        List<Said> threads = read("threads", ".md");
        assertMost(
                "verdict",
                threads,
                said -> texts(said.truth.get("verdict"))
                        .contains(said.conclusion().verdict().name().toLowerCase(Locale.ROOT)));
        assertMost("facts", threads, EvidencebenchTest::hasFacts);
        assertMost("unknown", threads, EvidencebenchTest::knowsWhatItCannotSay);
        assertMost("next step", threads, EvidencebenchTest::advisesRight);
    }

    @Test
    void logsAreReadAndJudged() throws IOException {
        List<Said> logs = read("logs", ".log");
        assertMost(
                "series",
                logs,
                said -> !said.truth.has("first")
                        || said.truth.get("verdict").asString().equals("undetermined")
                        || matching(said) != null);
        assertMost("verdict", logs, EvidencebenchTest::isJudged);
    }

    private static boolean hasFacts(Said said) {
        return said.truth.get("facts").properties().stream().allMatch(fact -> {
            Fact found = said.conclusion().facts().get(fact.getKey());
            return found != null && isNear((double) found.bytes(), fact.getValue(), 0.02);
        });
    }

    private static boolean isNear(double found, JsonNode truth, double share) {
        double room =
                truth.get("slack").asDouble() + 1 + share * truth.get("bytes").asDouble();
        return Math.abs(found - truth.get("bytes").asDouble()) <= room
                || (truth.has("or") && Math.abs(found - truth.get("or").asDouble()) <= room);
    }

    private static boolean knowsWhatItCannotSay(Said said) {
        List<String> unknown = said.conclusion().unknown().stream()
                .map(one -> one.name().toLowerCase(Locale.ROOT))
                .toList();
        return unknown.containsAll(texts(said.truth.get("cannot")))
                && texts(said.truth.get("can")).stream().noneMatch(unknown::contains);
    }

    private static boolean advisesRight(Said said) {
        JsonNode next = said.truth.get("next");
        if (next == null || said.conclusion().advice().isEmpty()) {
            return next == null;
        }
        String action = said.conclusion().advice().getFirst().action().toLowerCase(Locale.ROOT);
        Predicate<String> isNamed = word -> action.contains(word.toLowerCase(Locale.ROOT));
        return texts(next.get("any")).stream().anyMatch(isNamed)
                && (!next.has("not") || texts(next.get("not")).stream().noneMatch(isNamed));
    }

    private static MeasuredSeries matching(Said said) {
        double share = 0.002;
        double scale = said.truth.has("scale_or") ? said.truth.get("scale_or").asDouble() : 1;
        return said.result.series().stream()
                .filter(series -> isValue((double) series.first().value(), said.truth, "first", scale, share)
                        && isValue((double) series.last().value(), said.truth, "last", scale, share))
                .filter(series ->
                        series.points() >= NINE_OF_TEN * said.truth.get("n").asInt())
                .findFirst()
                .orElse(null);
    }

    private static boolean isValue(double found, JsonNode truth, String name, double scale, double share) {
        double wanted = truth.get(name).asDouble();
        double room = truth.get("slack").asDouble() + share * wanted;
        return Math.abs(found - wanted) <= room || Math.abs(found - wanted * scale) <= room;
    }

    private static boolean isJudged(Said said) {
        return switch (said.truth.get("verdict").asString()) {
            case "grows" -> said.conclusion().verdict() == Conclusion.Kind.GROWS;
            case "steady" -> said.conclusion().verdict() == Conclusion.Kind.STEADY;
            default -> said.conclusion().verdict() != Conclusion.Kind.GROWS;
        };
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asString()));
        return texts;
    }

    private static List<Said> read(String part, String suffix) throws IOException {
        Path folder = OutsideData.path("evidencebench/" + part);
        List<Said> said = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("truth.jsonl"))) {
            JsonNode truth = JsonMapper.shared().readTree(line);
            Input input =
                    Input.open(InputSource.of(folder.resolve(truth.get("id").asString() + suffix)), Demand.ANYTHING);
            said.add(new Said(truth, Analysis.run(List.of(input), Analysis.Options.ALL)));
        }
        return said;
    }

    private static void assertMost(String what, List<Said> all, Predicate<Said> isRight) {
        List<String> wrong = all.stream().filter(isRight.negate()).map(Said::id).toList();
        assertThat(wrong.size()).as(what + ", wrong: " + wrong).isLessThanOrEqualTo((int)
                ((1 - NINE_OF_TEN) * all.size() + 1e-9));
    }
}
