package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.ModuleUse;
import dev.leakline.result.Peak.Use;
import dev.leakline.result.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One run, seen by the profiler and by the allocator at once: the same is said of both. The runs are those of record_traces.py. */
class TraceAndSnapshotTest {
    private static final Path RECORDED = Path.of("src/test/resources/traces");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kept_tensors",
                "kept_graphs",
                "kept_outputs",
                "healthy",
                "without_stacks",
                "other_thread",
                "out_of_memory"
            })
    void theVerdictIsTheSameAndSoAreTheSums(String run) throws IOException {
        AnalysisResult trace = trace(run);
        AnalysisResult snapshot = snapshot(run);
        assertThat(trace.verdict()).isEqualTo(snapshot.verdict());
        DeviceResult ofTrace = device(trace);
        DeviceResult ofSnapshot = device(snapshot);
        assertThat(ofTrace.peak().bytes()).isEqualTo(ofSnapshot.peak().bytes());
        assertThat(ofTrace.endBytes()).isEqualTo(ofSnapshot.endBytes());
        assertThat(ofTrace.coverage().isTrace()).isTrue();
        assertThat(ofTrace.peak().requestedBytes())
                .as("profilers do not record it")
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kept_tensors", "kept_graphs", "kept_outputs"})
    void aLeakIsNamedAndMeasuredAlike(String run) throws IOException {
        Finding ofTrace = trace(run).findings().getFirst();
        Finding ofSnapshot = snapshot(run).findings().getFirst();
        assertThat(ofTrace.kind()).isEqualTo(Finding.Kind.LEAK);
        assertThat(ofTrace.id()).isEqualTo(ofSnapshot.id());
        assertThat(ofTrace.cause()).isEqualTo(ofSnapshot.cause());
        assertThat(ofTrace.site().frame().fileName())
                .isEqualTo(ofSnapshot.site().frame().fileName());
        assertThat(ofTrace.site().frame().function())
                .isEqualTo(ofSnapshot.site().frame().function());
        assertThat(ofTrace.site().frame().line())
                .as("the line at which the function begins")
                .isLessThan(ofSnapshot.site().frame().line());
        double rate = ofSnapshot.bytesPerStep();
        assertThat(ofTrace.bytesPerStep()).isCloseTo(rate, within(0.02 * rate));
        assertThat(ofTrace.stepsToOom())
                .as("known, since the trace says what the device has")
                .isPositive();
    }

    @Test
    void whatCublasKeepsIsNoPartOfALeak() throws IOException {
        long batch = 40 * 384 * 4;
        long output = 40 * 10 * 4 + 448; // rounded up
        assertThat(snapshot("kept_outputs").findings())
                .singleElement()
                .satisfies(leak -> assertThat(leak.bytes()).isEqualTo(29 * (2 * batch + output)));
        assertThat(trace("kept_outputs").findings())
                .as("steps begin elsewhere where no lines are known: a batch earlier")
                .singleElement()
                .satisfies(leak -> assertThat(leak.bytes()).isEqualTo(29 * (2 * batch + output) - batch));
    }

    @Test
    void memoryIsToldApartByUse() throws IOException {
        Map<Category, Long> uses = new EnumMap<>(Category.class);
        for (Use use : device(trace("healthy")).peak().byCategory()) {
            uses.put(use.category(), use.bytes());
        }
        long parameters = 384 * 384 * 4 + 384 * 4 + 384 * 10 * 4 + 512;
        assertThat(uses).containsEntry(Category.PARAMETERS, parameters);
        assertThat(uses).containsEntry(Category.OPTIMIZER_STATE, 2 * parameters);
        assertThat(uses).containsEntry(Category.GRADIENTS, parameters);
        assertThat(uses)
                .as("the workspaces of cuBLAS, of two threads, and the loss of the step before")
                .containsEntry(Category.OTHER, 2 * 8_519_680L + 512);
    }

    @Test
    void withoutStacksTheOperatorStandsForTheLine() throws IOException {
        List<Site> sites = device(trace("without_stacks")).peak().bySite().stream()
                .map(use -> use.site())
                .toList();
        assertThat(sites).extracting(Site::kind).contains(Site.Kind.OPERATOR, Site.Kind.ANNOTATION);
        assertThat(sites)
                .extracting(site -> site.frame().function())
                .contains("Optimizer.step#Adam.step", "forward", "AddmmBackward0");
    }

    @Test
    void modulesAreNamedWithThoseThatTheyLieIn() throws IOException {
        List<ModuleUse> modules = device(trace("healthy")).peak().byModule();
        assertThat(modules).extracting(ModuleUse::name).contains("Network_0/Linear_0", "(outside of modules)");
        long sum = modules.stream().mapToLong(ModuleUse::bytes).sum();
        assertThat(sum).isEqualTo(device(trace("healthy")).peak().bytes());
    }

    @Test
    void aLeakOfTheHostIsSaidToBeOne() throws IOException {
        AnalysisResult result = trace("on_the_host");
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.reason()).contains("host memory grows by 586 KiB per step");
        assertThat(result.devices()).extracting(DeviceResult::name).containsExactly("host memory");
        assertThat(result.findings().getFirst().advice())
                .noneMatch(advice -> advice.after().contains(".cpu()"));
    }

    @Test
    void whatAnotherThreadLeaksIsFoundWithoutItsLine() throws IOException {
        Finding finding = trace("other_thread").findings().getFirst();
        assertThat(finding.site().kind()).isEqualTo(Site.Kind.NO_STACK);
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    }

    @Test
    void aRequestThatFailedIsExplained() throws IOException {
        AnalysisResult result = trace("out_of_memory");
        assertThat(result.findings().getFirst().kind()).isEqualTo(Finding.Kind.OOM);
        assertThat(device(result).outOfMemory().getFirst().deviceFreeBytes()).isNegative();
        assertThat(result.findings().getFirst().evidence().stream()
                        .map(Finding.Proof::text)
                        .collect(Collectors.joining()))
                .doesNotContain("the device had");
    }

    private static DeviceResult device(AnalysisResult result) {
        return Objects.requireNonNull(result.worst());
    }

    private static AnalysisResult trace(String run) throws IOException {
        return analysed(run + ".json.gz");
    }

    private static AnalysisResult snapshot(String run) throws IOException {
        return analysed(run + ".pickle.gz");
    }

    private static AnalysisResult analysed(String file) throws IOException {
        return Analysis.run(List.of(Snapshot.open(RECORDED.resolve(file))), Analysis.Options.ALL);
    }
}
