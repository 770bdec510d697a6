package dev.leakline.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.OutsideData;
import dev.leakline.Repository;
import dev.leakline.Snapshot;
import dev.leakline.Sources;
import dev.leakline.report.Given;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is said in little room. */
class BriefReportTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    static Stream<Path> recordings() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve("testkit/scenarios/recorded"))) {
            return files.filter(file -> file.toString().endsWith(".pickle.gz")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void verdictLineHolderAndFirstAdviceFitIntoFifteenHundredBytes(Path recording) throws IOException {
        AnalysisResult result = analysed(recording);
        String line = BriefReport.of(result, Given.of(recording.toString()));
        assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(BriefReport.MOST);
        JsonNode brief = JSON.readTree(line);
        assertThat(brief.get("verdict").asString())
                .isEqualTo(result.verdict().name().toLowerCase(Locale.ROOT));
        assertThat(brief.get("findings").asInt()).isEqualTo(result.findings().size());
        assertThat(brief.get("next").asString()).contains("leakline ");
        if (!result.findings().isEmpty()) {
            check(brief, result.findings().getFirst());
        }
    }

    static Stream<Path> benchmarks() throws IOException {
        return OutsideData.files("leakbench/recorded", ".pickle.gz").stream();
    }

    /** Twenty-two jobs with their source: what is wrong, at which line, which line keeps it or is edited by the patch, what to do and what to run next. */
    @ParameterizedTest
    @MethodSource("benchmarks")
    void ofARecordedBenchmarkAllOfTheTruthIsThere(Path recording) throws IOException {
        JsonNode truth =
                JSON.readTree(Files.readString(Path.of(recording.toString().replace(".pickle.gz", ".truth.json"))));
        Sources sources = Sources.of(List.of(OutsideData.path("leakbench/scenarios")));
        AnalysisResult result = Analysis.run(List.of(Snapshot.open(recording)), Analysis.Options.ALL.with(sources));
        String line = BriefReport.of(result, Given.of(recording.toString()));
        assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(BriefReport.MOST);
        JsonNode brief = JSON.readTree(line);
        assertThat(brief.get("verdict").asString().replace("reference_", ""))
                .isEqualTo(truth.get("verdict").asString());
        assertThat(brief.get("next").asString()).startsWith("leakline ");
        if (truth.get("sites").isEmpty()) {
            return;
        }
        JsonNode finding = brief.get("finding");
        String place = Path.of(finding.get("file").asString()).getFileName() + ":" + finding.get("line");
        assertThat(texts(truth.get("sites"))).contains(place);
        assertThat(brief.at("/steps/0/action").asString()).isNotBlank();
        String kept = finding.get("kept_at").asString("");
        String patch = brief.at("/steps/0/patch").asString("");
        if (truth.get("verdict").asString().equals("cycle")) {
            return; // their patches are lint's, which is not on this class path
        }
        assertThat(texts(truth.get("holders")))
                .allMatch(holder ->
                        holder.equals(kept) || isEdited(patch, Integer.parseInt(holder.replaceFirst(".*:", ""))));
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    /** Returns whether a line lies within a hunk of a patch. */
    private static boolean isEdited(String patch, int line) {
        return Pattern.compile("@@ -(\\d+),(\\d+) ").matcher(patch).results().anyMatch(hunk -> {
            int first = Integer.parseInt(hunk.group(1));
            return line >= first && line < first + Integer.parseInt(hunk.group(2));
        });
    }

    private static void check(JsonNode brief, Finding first) {
        JsonNode finding = brief.get("finding");
        assertThat(finding.get("id").asString()).isEqualTo(first.id());
        if (first.site().isLine()) {
            assertThat(finding.get("line").asInt())
                    .isEqualTo(first.site().frame().line());
            assertThat(first.site().frame().file())
                    .endsWith(finding.get("file").asString().replace("…", ""));
        }
        if (first.keptAt() != null) {
            assertThat(finding.get("kept_at").asString())
                    .endsWith(":" + first.keptAt().line());
        }
        if (!first.holders().isEmpty()) {
            assertThat(first.holders().getFirst().way())
                    .endsWith(finding.get("path").asString().replace("…", ""));
            assertThat(first.holders().getFirst().title())
                    .startsWith(finding.get("held_by").asString().replace("…", ""));
        }
        if (!first.advice().isEmpty()) {
            assertThat(first.advice().getFirst().action())
                    .startsWith(brief.at("/steps/0/action").asString().replace("…", ""));
        }
    }

    private static AnalysisResult analysed(Path recording) throws IOException {
        List<Input> inputs = new ArrayList<>(List.of(Snapshot.open(recording)));
        Path dump = Path.of(recording.toString().replace(".pickle.gz", ".holders.gz"));
        if (Files.exists(dump)) {
            inputs.add(HolderDump.open(dump));
        }
        return Analysis.run(inputs, Analysis.Options.ALL);
    }
}
