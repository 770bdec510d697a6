package dev.leakline.profile;

import static dev.leakline.profile.SimulatedDevice.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Options;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.RuleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way of a program that profiles itself: from its calls to what is wrong with them. */
class MemoryAnalyzerTest {
    private final SimulatedDevice device = new SimulatedDevice();
    private final GpuMemoryProfiler profiler = GpuMemoryProfiler.of(device);

    @Test
    void whatAProfilerSawIsJudged() {
        train(30, 2);
        List<Finding> findings = new MemoryAnalyzer().findings(profiler.calls());
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.LEAK);
            assertThat(finding.site().frame().function()).isEqualTo("log");
            assertThat(finding.bytesPerStep()).isEqualTo(2.0 * MIB);
        });
    }

    @Test
    void aLoopThatGivesBackHasAnA() {
        train(30, 0);
        FunctionReport report = new MemoryAnalyzer().analyze(profiler.calls());
        assertThat(report.rules()).isEqualTo(RuleSet.LEAKLINE);
        assertThat(report.thresholds())
                .containsEntry("min_calls_for_analysis", 3.0)
                .hasSize(10);
        assertThat(report.profiles()).singleElement().satisfies(profile -> {
            assertThat(profile.summary().calls()).isEqualTo(120);
            assertThat(profile.allPatterns()).isEmpty();
            assertThat(profile.optimizationScore().grade()).isEqualTo("A");
        });
    }

    /** What a program says of itself and what leakline report says of its file are the same. */
    @Test
    void aFileOfTheCallsIsJudgedAsTheyAre(@TempDir Path folder) throws IOException {
        train(30, 2);
        Path file = folder.resolve("profile.json");
        ProfileFile.write(file, profiler.results(), List.of());
        AnalysisResult read = Analysis.run(List.of(Input.open(InputSource.of(file), Demand.EVIDENCE)), Options.ALL);

        assertThat(read.functions()).isEqualTo(new MemoryAnalyzer().analyze(profiler.calls()));
        assertThat(read.verdict()).isEqualTo(Verdict.LEAK);
        Finding leak = read.findings().getFirst();
        assertThat(leak.id())
                .isEqualTo(new MemoryAnalyzer()
                        .findings(profiler.calls())
                        .getFirst()
                        .id());
        assertThat(leak.bytesPerStep()).isEqualTo(2.0 * MIB);
    }

    @Test
    void nothingHasNoGradeButByTheRulesOfGpumemprof() {
        assertThat(grade(new MemoryAnalyzer())).isEqualTo("none");
        assertThat(grade(new MemoryAnalyzer(RuleSet.GPUMEMPROF, Map.of()))).isEqualTo("A");
    }

    @Test
    void thresholdsGoByTheirNames() {
        train(5, 0);
        Map<String, Double> many = Map.of("min_calls_for_analysis", 10.0);
        FunctionReport report = new MemoryAnalyzer(RuleSet.LEAKLINE, many).analyze(profiler.calls());
        assertThat(report.profiles().getFirst().optimizationScore().grade()).isEqualTo("none");
        assertThatThrownBy(() -> new MemoryAnalyzer(RuleSet.LEAKLINE, Map.of("calls", 10.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'calls' is not a threshold");
    }

    private static String grade(MemoryAnalyzer analyzer) {
        return analyzer.analyze(List.of())
                .profiles()
                .getFirst()
                .optimizationScore()
                .grade();
    }

    private void train(int steps, long kept) {
        for (int step = 0; step < steps; step++) {
            profiler.profile("step", () -> {
                profiler.profile("forward", () -> allocate(90));
                profiler.profile("backward", () -> allocate(-90));
                return profiler.profile("log", () -> allocate(kept));
            });
        }
    }

    private long allocate(long mebibytes) {
        device.allocate(mebibytes * MIB);
        return mebibytes;
    }
}
