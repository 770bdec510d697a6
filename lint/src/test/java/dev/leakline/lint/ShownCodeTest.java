package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Finding.Advice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Code that a text shows is judged beside what its program prints. */
class ShownCodeTest {
    private static final String LOOP = """
            import torch
            losses = []
            for x, y in loader:
                loss = crit(model(x), y)
                loss.backward()
                opt.step()
                losses.append(loss)
            """;
    private static final String GROWS = "step 1 mem 3.1 GB\nstep 2 mem 4.1 GB\nstep 3 mem 5.1 GB\nstep 4 mem 6.1 GB\n";

    @Test
    void whereMemoryGrowsTheLineThatKeepsComesFirst() throws IOException {
        Conclusion said = explain("My job grows\n```python\n" + LOOP + "```\n" + GROWS);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.GROWS);
        assertThat(said.advice().getFirst().action()).startsWith("In line 9 of the code: keep a number");
        assertThat(said.advice().getFirst().why()).contains("LK001", "not measured");
    }

    @Test
    void codeBehindPromptsAndSourceAloneAreJudgedAndAreNoVerdict() throws IOException {
        String session = ">>> " + LOOP.strip().replace("\n", "\n... ") + "\n";
        assertThat(explain(session + GROWS).advice())
                .extracting(Advice::action)
                .anyMatch(action -> action.startsWith("In line 7 of the code"));
        Conclusion source = explain(LOOP);
        assertThat(source.verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
        assertThat(source.facts()).isEmpty();
        assertThat(source.advice().getFirst().action()).startsWith("In line 7");
    }

    @Test
    void whereNothingIsWrongCodeIsNotBlamed() throws IOException {
        String full = """
                | NVIDIA-SMI 570.10 |
                |   0  NVIDIA A40  Off | 00000000:31:00.0 Off |  0 |
                |  0%   51C    P0     201W /  300W |   9000MiB /  46068MiB |     97%      Default |
                """;
        assertThat(explain("```py\n" + LOOP + "```\n" + full).advice())
                .noneMatch(advice -> advice.action().startsWith("In line"));
        assertThat(explain("```bash\npython train.py --mem=4G\n```\n" + GROWS).advice())
                .noneMatch(advice -> advice.action().startsWith("In line"));
    }

    private static Conclusion explain(String text) throws IOException {
        Input input = Input.open(
                InputSource.of("text", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
                Demand.ANYTHING);
        return Objects.requireNonNull(
                Analysis.run(List.of(input), Analysis.Options.ALL).conclusion());
    }
}
