package dev.leakline;

import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no grammar reads gives no figure and no verdict, and the answer says so. */
class UnreadTextsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Our corpus went from 100 GB to 300 GB over 3 days.",
                "I moved the job from an A100 40GB to an A100 80GB and memory usage went from 38 GB to 61 GB.",
                "RSS per hour: 4.1, 4.6, 5.2, 5.7, 6.3, 6.8 GB. It never comes back.",
                "The provider guarantees at least 64 GB of memory.",
                "Read the log where it says `gpu_mem=9.1GB`, please."
            })
    void aSentenceIsNoMeasurement(String text) throws IOException {
        Conclusion said = explain("Dear all,\n" + text);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
        assertThat(said.facts()).isEmpty();
        assertThat(said.unread()).isNotNull();
        assertThat(said.unread().line()).isEqualTo(2);
        assertThat(said.unread().sentence()).startsWith("the size in line 2 was not read");
        assertThat(said.advice().getFirst().action()).contains("nvidia-smi", "leakline watch", "leakline run");
    }

    @Test
    void whatWasReadIsNotCounted() throws IOException {
        Conclusion said = explain("""
                step 1 allocated 3.0 GiB
                step 2 allocated 3.0 GiB
                CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is free.
                $ sbatch --mem=64G job.sh
                Downloading model.safetensors: 4.98G/4.98G
                It has 24 GB, the other one 48 GB.
                """);
        assertThat(said.unread()).isEqualTo(new Conclusion.Unread(2, 0, 5));
        assertThat(explain("step 1 allocated 3.0 GiB\nstep 2 allocated 3.0 GiB\n")
                        .unread())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "```python\n%s```\n"})
    void sourceCodeIsForLint(String form) throws IOException {
        Conclusion said = explain(form.formatted("""
                import torch

                LIMIT_GB = 40  # the card has 48 GB

                def train(model, loader):
                    \"\"\"Trains, and needs 12 GB of memory.

                    It says CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity) otherwise.
                    \"\"\"
                    for batch in loader:
                        loss = model(
                            batch,
                        ).loss
                        print("allocated 3 GiB")
                """));
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
        assertThat(said.facts()).isEmpty();
        assertThat(said.sentence()).contains("source code in Python");
        assertThat(said.advice().getFirst().action()).contains("leakline lint");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "If the job is killed with exit code 137, the container exceeded its limit.",
                "- A kill by a failed liveness probe is no shortage.",
                "| `low on resource: ephemeral-storage` | the disk |"
            })
    void whatASentenceTellsOfAFaultIsNone(String text) throws IOException {
        assertThat(explain(text).verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mem=61.4GB", "gpu_mem_allocated: 61.4 GB", "allocated: 61.4 GB | reserved: 70.0 GB"})
    void aNameOfAProgramIsReadOnce(String line) throws IOException {
        assertThat(explain(line).sentence()).contains("at this moment");
        assertThat(explain("allocated 61.4 GB").sentence()).contains("no figures of memory");
    }

    /** 800 kB of lines that begin with long runs of word characters; a pattern that begins with such a run takes minutes. */
    @Test
    void linesOfLongWordsTakeLinearTime() {
        String line = "memory_" + "a1_b2.c3-d4".repeat(1800) + " allocated\n";
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> explain(line.repeat(40)));
    }
}
