package dev.leakline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Growth;
import dev.leakline.result.Results;
import dev.leakline.result.Results.Grown;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FindingTextTest {
    private static final Style STYLE = new Style(80, false, true);

    @Test
    void theSiteStandsAboveItsSourceWhoseLineIsMarked() {
        assertThat(leak())
                .contains("  /app/train.py:41 training_step")
                .containsSubsequence(
                        "    39      for batch in loader:",
                        "    40      loss = model(batch).sum()",
                        "  > 41          losses.append(loss)",
                        "    42          loss.backward()");
    }

    @Test
    void theRateComesWithTheMeaningOfAStep() {
        assertThat(leak())
                .containsSubsequence(
                        "  grows    3.00 MiB per step (2.97 MiB to 3.03 MiB), 45.5 MiB per second; a step",
                        "           is one optimizer step",
                        "  when     from step 3 to the last, step 199",
                        "  share    97% of all growth over those steps",
                        "  full in  1,200 steps, about 42 min, at this rate");
    }

    @Test
    void whatIsNotKnownIsNotSaid() {
        List<String> lines = lines(new Results("").grown(Double.NaN, Double.NaN, Double.NaN));
        assertThat(lines)
                .noneMatch(line -> line.contains("full in") || line.contains("second") || line.contains("NaN"));
        assertThat(lines(null)).noneMatch(line -> line.contains("grows") || line.contains("│"));
    }

    @Test
    void whereOthersTakeOfTheDeviceTooTheForecastIsOfAll() {
        long mib = 1 << 20;
        Growth growth = new Growth(5, 5, Double.NaN, 14 * mib, 10, 120, 110, 200, "", List.of());
        assertThat(lines(new Grown(growth, 2 * mib, Double.NaN, 1_679, Double.NaN)))
                .containsSubsequence(
                        "  full in  1,700 steps, if all that leaks on the device goes on: it takes 14.0",
                        "           MiB per step");
    }

    @Test
    void growthThatEndedSaysWhen() {
        Growth growth = new Growth(5, 5, Double.NaN, Double.NaN, 10, 120, 110, 200, "", List.of());
        assertThat(lines(new Grown(growth, 5, Double.NaN, Double.NaN, Double.NaN)))
                .contains("  when     from step 10 to step 120; the last step is 199")
                .noneMatch(line -> line.contains("share") || line.contains("(5 B"));
    }

    @Test
    void theFloorIsDrawnOverTheSteps() {
        assertThat(leak())
                .anyMatch(line -> line.startsWith("    591 MiB │  ") && line.endsWith("█"))
                .anyMatch(line -> line.startsWith("             ▲ grows from step 3  ") && line.endsWith("  step 199"));
        assertThat(leak(new Style(40, false, false))).anyMatch(line -> line.matches(" {4}591 MiB \\| +\\.*#+"));
    }

    @Test
    void evidenceAndAdviceAreInFull() {
        assertThat(leak())
                .containsSubsequence(
                        "  because",
                        "  - all of it was allocated in the forward pass, at train.py:17 (training_step):",
                        "    591 MiB in 197 blocks",
                        "  - nothing of it was ever freed",
                        "  what to do",
                        "  1. Append the number, not the tensor.",
                        "     The tensor holds the graph of its step (about 590 MiB).",
                        "       - losses.append(loss)",
                        "       + losses.append(loss.item())",
                        "     https://example.org/loss",
                        "  sure     97%: it grew in 196 of 197 steps; no times",
                        "  id       leak-5f0c2a9d");
    }

    @Test
    void theStackIsShownOnDemand() {
        AnalysisResult result = Results.leak();
        assertThat(FindingText.lines(result, result.findings().getFirst(), true, STYLE))
                .containsSubsequence(
                        "      ??  at::empty", "      /app/train.py:41  training_step", "      main.py:7  main");
        assertThat(leak()).doesNotContain("      main.py:7  main");
    }

    @Test
    void aLineOfSourceIsCutAndItsTabsAreSpaces() {
        List<String> lines = SourceText.lines(new Results("x".repeat(300)).source(), 40, STYLE);
        assertThat(lines).allMatch(line -> line.length() == 80 && line.endsWith("…"));
        assertThat(lines.get(1)).startsWith("  > 40      loss");
    }

    private static List<String> leak() {
        return leak(STYLE);
    }

    private static List<String> leak(Style style) {
        AnalysisResult result = Results.leak();
        return FindingText.lines(result, result.findings().getFirst(), false, style);
    }

    private static List<String> lines(@Nullable Grown grown) {
        return FindingText.lines(
                Results.leak(), new Results("").finding(Kind.LEAK, Severity.CRITICAL, grown, null), false, STYLE);
    }
}
