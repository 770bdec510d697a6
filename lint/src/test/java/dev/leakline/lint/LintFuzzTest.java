package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import dev.leakline.testkit.ChangedPrograms;
import dev.leakline.testkit.Fuzzing;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changed programs: each is judged or said to be no Python, and with its fixes it is Python if it was before. */
class LintFuzzTest {
    @Test
    void changedProgramsAreJudged() throws IOException {
        ChangedPrograms programs = new ChangedPrograms();
        long[] found = new long[1];
        Fuzzing.runs(1_000, random -> {
            String text = "import torch\n" + programs.next(random);
            List<LintFinding> findings = Linted.findings(text);
            found[0] += findings.size();
            for (LintFinding finding : findings) {
                String fixed = Fixer.apply(text, List.of(finding));
                if (errors(text) == 0) {
                    assertThat(errors(fixed))
                            .as(text + "\n--- " + finding.rule().id() + "\n" + fixed)
                            .isZero();
                }
            }
        });
        assertThat(found[0]).as("findings").isPositive();
    }

    /** What the changes found: a decorator that keeps, of a function that is being written. */
    @Test
    void aDecoratedFunctionWithoutABodyIsJudged() {
        assertThat(Linted.findings("""
                        import functools
                        import torch


                        class Model(torch.nn.Module):
                            @functools.lru_cache(maxsize=64)
                            def at(self, x):
                            y = torch.ones(x)
                        """)).isNotNull();
    }

    private static int errors(String text) {
        return PythonFile.parse(PythonText.of(text)).errors().size();
    }
}
