package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Real snapshots of strangers, none of which leaks: no false alarm, and each verdict says why. */
class CorpusVerdictTest {
    private static final Set<Verdict> ALARMS = EnumSet.of(Verdict.LEAK, Verdict.REFERENCE_CYCLE);

    @TestFactory
    Stream<DynamicTest> noFalseAlarmInAnySnapshot() throws IOException {
        return OutsideData.files("corpus/snapshots", "").stream()
                .map(file -> dynamicTest(file.getFileName().toString(), () -> check(file)));
    }

    private static void check(Path file) throws IOException {
        AnalysisResult result = Analysed.path(file);
        assertThat(result.verdict())
                .as("verdict; blamed is " + Analysed.blamed(result))
                .isNotIn(ALARMS);
        assertThat(result.reason()).as("reason for " + result.verdict()).isNotBlank();
    }
}
