package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lint --with}: of programs that all leak, the one that was recorded comes first. */
final class RecordedTest {
    private static final Path PROGRAMS = Path.of("../core/src/test/resources/causes");

    @ParameterizedTest
    @ValueSource(strings = {"outs_list", "retain", "errors", "lru", "layer_maps", "qkv_kept"})
    void whatWasSeenToGrowComesFirst(String name) throws IOException {
        LintResult all = Lint.run(List.of(PROGRAMS), Configuration.STANDARD, null);
        List<LintFinding> ranked =
                Recorded.read(PROGRAMS.resolve(name + ".pickle.gz")).rank(all).findings();
        assertThat(ranked).hasSameSizeAs(all.findings());
        assertThat(ranked.getFirst().file()).endsWith("/" + name + ".py");
        assertThat(ranked)
                .allSatisfy(finding -> assertThat(finding.grownBytes() > 0)
                        .isEqualTo(finding.file().endsWith("/" + name + ".py")));
    }
}
