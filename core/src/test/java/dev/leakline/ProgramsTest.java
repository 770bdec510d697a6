package dev.leakline;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Programs whose truth and correction are known: verdict, line, rate, cause and what the first advice must say. What is still wrong is listed in the
 * file {@code known-misses}; an entry that has become right must go from it.
 */
class ProgramsTest {
    private static final Path PROGRAMS = Repository.root().resolve("testkit/scenarios/programs");
    private static final JsonMapper JSON = new JsonMapper();
    private static final String TRUTH = ".truth.json";
    private static final String DUMP = ".holders.gz";

    /** An entry: a recording, with {@code +dump} if a holder dump lies beside it, what is wrong, and why. */
    private static final Pattern MISS = Pattern.compile("([\\w+]+): ([a-z, ]+) # \\S.*");

    private static final Set<String> ASPECTS = Set.of("verdict", "line", "rate", "cause", "advice", "reason", "crash");

    /** The analysis fails by an assertion, so that nothing can be said of the rest. */
    private static final Set<String> CRASH = Set.of("crash");

    /** What a finding names a cause of. */
    private static final Set<Verdict> CAUSED = Set.of(Verdict.LEAK, Verdict.REFERENCE_CYCLE);

    /** Steps are not cut at the same places by everybody; a fifth is what leakbench allows. */
    private static final double NEAR = 0.2;

    @TestFactory
    Stream<DynamicTest> asTheirTruthsSayButForKnownMisses() throws IOException {
        Map<String, Set<String>> misses = knownMisses();
        return truths().stream().flatMap(truth -> tests(truth, misses));
    }

    @Test
    void everyKnownMissIsOfARecording() throws IOException {
        Set<String> recordings = new HashSet<>();
        for (Path truth : truths()) {
            recordings.add(name(truth));
            recordings.add(name(truth) + "+dump");
        }
        assertThat(recordings).containsAll(knownMisses().keySet());
    }

    /** Only its source tells a line that calls the collector from one that clears a list. */
    @Test
    void pilesThatAnExplicitCollectionFreesAreCyclesWhereTheSourceIsAtHand() throws IOException {
        Snapshot recording = Snapshot.open(PROGRAMS.resolve("recorded/batches_and_samples.pickle.gz"));
        AnalysisResult result =
                Analysis.run(List.of(recording), Analysis.Options.ALL.with(Sources.of(List.of(PROGRAMS))));
        assertThat(result.verdict()).isEqualTo(Verdict.REFERENCE_CYCLE);
        assertThat(Analysed.blamed(result)).isEqualTo("batches_and_samples.py:22");
        assertThat(result.findings().getFirst().cause()).isEqualTo("reference_cycle");
    }

    @Test
    void soTheyAreWhereTheProbeSawTheCall() throws IOException {
        Snapshot recording = Snapshot.open(PROGRAMS.resolve("recorded/batches_and_samples.pickle.gz"));
        byte[] dump = new HolderDumpBuilder()
                .header("gc", "{\"called\": [[\"/app/batches_and_samples.py\", 36, \"main\"], [1], 2]}")
                .write();
        AnalysisResult result = Analysis.run(
                List.of(recording, HolderDump.read("job.holders", new ByteArrayInputStream(dump))),
                Analysis.Options.ALL);
        assertThat(result.verdict()).isEqualTo(Verdict.REFERENCE_CYCLE);
        assertThat(Analysed.blamed(result)).isEqualTo("batches_and_samples.py:22");
    }

    /** What keeps the memory often shows in the source alone; then the first advice is a patch of it. */
    @TestFactory
    Stream<DynamicTest> sourcesShowTheCauseAndArePatched() throws IOException {
        return truths().stream()
                .filter(truth -> read(truth).has("shown"))
                .map(truth -> dynamicTest(name(truth), () -> {
                    Snapshot recording = Snapshot.open(truth.resolveSibling(name(truth) + ".pickle.gz"));
                    AnalysisResult result = Sources.of(List.of(PROGRAMS))
                            .attach(Analysis.run(List.of(recording), Analysis.Options.ALL));
                    Finding first = result.findings().getFirst();
                    assertThat(first.cause()).isEqualTo(read(truth).get("shown").asString());
                    if (read(truth).path("patched").asBoolean()) {
                        assertThat(first.advice().getFirst().patch()).startsWith("--- a/" + name(truth) + ".py");
                    }
                }));
    }

    private static JsonNode read(Path truth) {
        return JSON.readTree(truth.toFile());
    }

    private static Stream<DynamicTest> tests(Path truth, Map<String, Set<String>> misses) {
        Stream<DynamicTest> alone = Stream.of(test(name(truth), truth, misses));
        return Files.exists(dump(truth))
                ? Stream.concat(alone, Stream.of(test(name(truth) + "+dump", truth, misses)))
                : alone;
    }

    private static DynamicTest test(String name, Path truth, Map<String, Set<String>> misses) {
        return dynamicTest(name, () -> {
            List<Input> inputs =
                    new ArrayList<>(List.of(Snapshot.open(truth.resolveSibling(name(truth) + ".pickle.gz"))));
            if (name.endsWith("+dump")) {
                inputs.add(HolderDump.open(dump(truth)));
            }
            Set<String> known = misses.getOrDefault(name, Set.of());
            if (known.equals(CRASH)) {
                assertThatThrownBy(() -> Analysis.run(inputs, Analysis.Options.ALL))
                        .as(name)
                        .isInstanceOf(AssertionError.class);
                return;
            }
            AnalysisResult result = Analysis.run(inputs, Analysis.Options.ALL);
            assertThat(wrong(JSON.readTree(Files.readString(truth)), result))
                    .as("what is wrong of %s; found: %s", name, told(result))
                    .isEqualTo(known);
        });
    }

    private static Set<String> wrong(JsonNode truth, AnalysisResult result) {
        Set<String> wrong = new TreeSet<>();
        Finding first = result.findings().isEmpty() ? null : result.findings().getFirst();
        note(wrong, "verdict", result.verdict() == VerdictsTest.verdict(truth));
        Set<String> sites = texts(truth, "sites");
        note(wrong, "line", sites.isEmpty() || sites.contains(Analysed.blamed(result)));
        if (truth.has("bytes_per_step")) {
            double stated = truth.get("bytes_per_step").asDouble();
            note(wrong, "rate", Math.abs(Analysed.bytesPerStep(result) - stated) <= NEAR * stated);
        }
        if (truth.has("advice")) {
            note(wrong, "advice", first != null && says(truth.get("advice"), firstAdvice(first)));
        }
        if (CAUSED.contains(VerdictsTest.verdict(truth))) {
            Set<String> causes = texts(truth, "also");
            causes.add(truth.get("cause").asString());
            note(wrong, "cause", first != null && causes.contains(String.valueOf(first.cause())));
        }
        note(wrong, "reason", !truth.has("says") || says(truth.get("says"), result.reason()));
        return wrong;
    }

    private static void note(Set<String> wrong, String aspect, boolean isRight) {
        if (!isRight) {
            wrong.add(aspect);
        }
    }

    private static boolean says(JsonNode words, String text) {
        return Pattern.compile(words.asString(), Pattern.CASE_INSENSITIVE)
                .matcher(text)
                .find();
    }

    private static String firstAdvice(Finding finding) {
        if (finding.advice().isEmpty()) {
            return "";
        }
        Finding.Advice advice = finding.advice().getFirst();
        return String.join(" ", advice.action(), advice.why(), advice.before(), advice.after());
    }

    private static String told(AnalysisResult result) {
        String first = result.findings().isEmpty()
                ? "no finding"
                : Analysed.blamed(result) + ", " + Analysed.bytesPerStep(result) + " B/step, cause "
                        + result.findings().getFirst().cause() + ", advice: "
                        + firstAdvice(result.findings().getFirst());
        return result.verdict() + ", " + result.reason() + ", " + first;
    }

    private static Set<String> texts(JsonNode truth, String key) {
        Set<String> texts = new HashSet<>();
        truth.path(key).valueStream().map(JsonNode::asString).forEach(texts::add);
        return texts;
    }

    private static Map<String, Set<String>> knownMisses() throws IOException {
        return Files.readAllLines(PROGRAMS.resolve("known-misses")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> {
                    var entry = MISS.matcher(line);
                    assertThat(entry.matches())
                            .as("NAME: what is wrong # why: %s", line)
                            .isTrue();
                    return entry;
                })
                .collect(toMap(entry -> entry.group(1), entry -> aspects(entry.group(2))));
    }

    private static Set<String> aspects(String list) {
        Set<String> aspects = Set.of(list.split(", ", -1));
        assertThat(ASPECTS).containsAll(aspects);
        return aspects;
    }

    private static List<Path> truths() throws IOException {
        try (Stream<Path> files = Files.list(PROGRAMS.resolve("recorded"))) {
            List<Path> truths = files.filter(file -> file.toString().endsWith(TRUTH))
                    .sorted()
                    .toList();
            assertThat(truths).isNotEmpty();
            return truths;
        }
    }

    private static Path dump(Path truth) {
        return truth.resolveSibling(name(truth) + DUMP);
    }

    private static String name(Path truth) {
        return truth.getFileName().toString().replace(TRUTH, "");
    }
}
