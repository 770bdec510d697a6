package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.cli.common.FailOn;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** When a report ends with exit code 1. */
class FailOnTest {
    private static final long MB = 1 << 20;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Verdict.class,
            names = {"NO_LEAK", "UNDETERMINED"},
            mode = Mode.EXCLUDE)
    void leakMeansEveryVerdictOnLostMemory(Verdict verdict) {
        assertThat(FailOn.LEAK.matches(result(verdict))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(FailOn.class)
    void aResultWithoutFindingsPasses(FailOn failOn) {
        assertThat(failOn.matches(result(Verdict.NO_LEAK))).isFalse();
        assertThat(failOn.matches(result(Verdict.UNDETERMINED))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void leakMeansFindingsOfTheSameKindsToo(Kind kind) {
        boolean isSerious = Arrays.stream(Verdict.values())
                .anyMatch(verdict -> verdict.name().equals(kind.name()));
        assertThat(FailOn.LEAK.matches(result(Verdict.NO_LEAK, finding(kind, Severity.WARNING))))
                .isEqualTo(isSerious);
        assertThat(FailOn.LEAK.matches(result(Verdict.LEAK, finding(Kind.LEAK, Severity.INFO))))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(Severity.class)
    void warningAndCriticalGoBySeverity(Severity severity) {
        AnalysisResult result = result(Verdict.LEAK, finding(Kind.SPIKE, Severity.INFO), finding(Kind.SPIKE, severity));
        assertThat(FailOn.WARNING.matches(result)).isEqualTo(severity != Severity.INFO);
        assertThat(FailOn.CRITICAL.matches(result)).isEqualTo(severity == Severity.CRITICAL);
    }

    @Test
    void aQuietRecordingPassesAndAnUnreadableOneStillFailsAsSuch() throws Exception {
        Files.write(
                folder.resolve("good.pickle"),
                snapshot().alloc("a", 30 * MB, "train.py:41 train").write(Dialect.PROTOCOL_4));
        Program program = new Program(folder);
        Outcome good = program.run("report", "--fail-on", "leak", "--device-memory", "24GiB", "good.pickle");
        assertThat(good.exit()).as(good.err()).isZero();
        Outcome bad = program.run("report", "--fail-on", "leak", "good.pickle", "missing.pickle");
        assertThat(bad.exit()).isEqualTo(3);
        assertThat(bad.out()).contains("train.py:41 (train)");
    }

    private static AnalysisResult result(Verdict verdict, Finding... findings) {
        return new AnalysisResult(
                "1", List.of(), verdict, "", List.of(findings), List.of(), List.of(), List.of(), Map.of());
    }

    private static Finding finding(Kind kind, Severity severity) {
        Site site = new Site(Site.Kind.USER, new Frame("train.py", 41, "train"));
        return new FindingBuilder(kind, "id")
                .severity(severity)
                .confidence(1, List.of())
                .title("")
                .summary("")
                .on(0, 0)
                .site(site)
                .held(MB, 1)
                .build();
    }
}
