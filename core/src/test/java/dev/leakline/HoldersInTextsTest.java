package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Finding.Advice;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is concluded of who holds the memory, what was being made when it ran out, and what of it may be advised. */
class HoldersInTextsTest {
    private static final String OUT =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 31.50 GiB of which 100.00 MiB is free. ";
    private static final String OWN =
            "Including non-PyTorch memory, this process has %s GiB memory in use. Of the allocated memory %s GiB is allocated by PyTorch, and 30.00 MiB is reserved by PyTorch but unallocated.\n";
    private static final String ITERATIONS =
            "step 1: 5.1 GiB\nstep 2: 7.3 GiB\nstep 3: 9.5 GiB\nstep 4: 11.7 GiB\nstep 5: 13.9 GiB\n";

    @Test
    void processesThatHoldTheSameAreCountedEach() throws IOException {
        Conclusion said = explain(OUT
                + "Process 71 has 7.80 GiB memory in use. Process 72 has 7.80 GiB memory in use. Process 73 has 7.80 GiB memory in use. "
                + OWN.formatted("7.90", "7.50"));
        assertThat(bytes(said, "held_by_others")).isEqualTo(3 * Math.round(7.8 * ByteSize.GIB));
        assertThat(first(said)).contains("fewer copies");
    }

    @Test
    void aProcessThatHoldsTheDeviceIsAdvisedAboutOnce() throws IOException {
        Conclusion said = explain(OUT + "Process 905 has 20.00 GiB memory in use. " + OWN.formatted("11.40", "11.00")
                + "|    0   N/A  N/A             905      C   /srv/bin/indexer                      20480MiB |\n");
        assertThat(said.advice())
                .extracting(Advice::action)
                .filteredOn(action -> action.contains("process 905"))
                .hasSize(1);
    }

    @Test
    void whatJaxTookBesidePytorchIsAdvisedAsThat() throws IOException {
        Conclusion said = explain("import jax\n" + OUT + OWN.formatted("31.40", "6.00"));
        assertThat(first(said)).contains("XLA_PYTHON_CLIENT_PREALLOCATE=false");
    }

    @Test
    void whereTheOptimizerMakesItsStateThatIsWhatHasToBeSmaller() throws IOException {
        Conclusion said = explain("  File \"/opt/x/torch/optim/adamw.py\", line 152, in _init_group\n" + OUT
                + OWN.formatted("31.40", "30.90"));
        assertThat(first(said)).contains("optimizer's state").contains("8-bit");
    }

    @ParameterizedTest
    @CsvSource({"12.00, 7.00, true", "12.00, 5.00, false"})
    void aCacheOfHalfTheSizeIsAdvisedOnlyWhereItFits(String needed, String free, boolean isAdvised) throws IOException {
        Conclusion said = explain("ValueError: To serve at least one request with the models's max seq len (65536), ("
                + needed + " GiB KV cache is needed, which is larger than the available KV cache memory (" + free
                + " GiB).");
        assertThat(first(said).contains("fp8")).isEqualTo(isAdvised);
    }

    @Test
    void growthExplainsAFailureOfWhichTheMessageTellsNothingFree() throws IOException {
        Conclusion said = explain(
                ITERATIONS
                        + "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 96.00 MiB. GPU 0 has a total capacity of 15.11 GiB. Of the allocated memory 14.60 GiB is allocated by PyTorch, and 120.00 MiB is reserved by PyTorch but unallocated.\n");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.GROWS);
    }

    @Test
    void whatAServerReservesForKeysAndValuesIsNoLeak() throws IOException {
        Conclusion said = explain("""
                INFO weights take 8.10GiB; the rest of the memory reserved for KV Cache is 30.25GiB.
                INFO vllm is ready
                nvidia-smi shows 41.2 GB in use. Is that a leak?
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.FINE);
        assertThat(said.sentence()).contains("weights 8.10 GiB, KV cache 30.3 GiB");
    }

    private static String first(Conclusion said) {
        return said.advice().getFirst().action();
    }
}
