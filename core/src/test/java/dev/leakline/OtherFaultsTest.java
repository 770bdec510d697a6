package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors that users of GPUs meet and that memory is not the reason of are said to be none of memory. */
class OtherFaultsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '"',
            value = {
                "torch.AcceleratorError: CUDA error: device-side assert triggered ~ CUDA_LAUNCH_BLOCKING",
                "ScatterGatherKernel.cu:410: operator(): block: [3,0,0], thread: [31,0,0] Assertion `idx_dim >= 0` failed. ~ token ids",
                "RuntimeError: CUDA error: misaligned address ~ compute-sanitizer",
                "Memory access fault by GPU node-3 on address 0x7f11. Reason: Page not present. ~ compute-sanitizer",
                "NVRM: API mismatch: the client has the version 550.90, but this kernel module has the version 550.54. ~ Restart",
                "OSError: libcublas.so.12: cannot open shared object file: No such file or directory ~ torch.version.cuda",
                "RuntimeError: CUDA error: no kernel image is available for execution on the device ~ torch.version.cuda",
                "[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=91, OpType=ALLREDUCE) ran for 600021 milliseconds ~ py-spy",
                "NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus. ~ nvidia-bug-report",
                "CUDA SETUP: Required library version not found: libbitsandbytes_cuda118.so. Maybe you need to compile it from source? ~ bitsandbytes",
                "RuntimeError: CUDA error: uncorrectable ECC error encountered ~ ROW_REMAPPER",
                "NVRM: Xid (PCI:0000:3b:00): 94, pid=4711, name=python, Contained: SM (0x1). ~ ROW_REMAPPER",
                "Fatal Python error: Segmentation fault ~ pip list",
                "OSError: [Errno 28] No space left on device: '/data/run/epoch_4.ckpt' ~ df -h",
                "{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 2e-05, 'epoch': 0.4} ~ Lower the learning rate"
            })
    void anErrorThatIsNoneOfMemoryIsSaidToBeNoneWithItsOwnStep(String text, String step) throws IOException {
        Conclusion said = PastedTablesTest.explain(text);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.NOT_MEMORY);
        assertThat(said.resource()).isEqualTo(Resource.UNKNOWN);
        assertThat(said.sentence()).containsPattern("no (?:memory problem|shortage)");
        assertThat(said.facts()).isEmpty();
        assertThat(said.unknown()).isEmpty();
        assertThat(said.advice().getFirst().action()).contains(step);
    }

    @Test
    void whatCausesTheOthersComesFirst() throws IOException {
        String text = "RuntimeError: CUDA error: unspecified launch failure\n"
                + "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.";
        assertThat(PastedTablesTest.explain(text).sentence()).contains("lost a GPU");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
                "Gradient overflow. Skipping step, loss scaler 0 reducing loss scale to 32768.0",
                "Could not load dynamic library 'libnvinfer.so.7'; dlerror: libnvinfer.so.7: not found",
                "the bus error is what I get, and space is left on the device"
            })
    void wordsAroundSuchErrorsAreNone(String text) throws IOException {
        assertThat(PastedTablesTest.explain(text).verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is free. ~ device_oom",
                "Process finished with exit code 137 ~ host_oom"
            })
    void memoryThatRanOutComesBeforeThem(String text, String verdict) throws IOException {
        Conclusion said = PastedTablesTest.explain(text + "\nCUDA error: device-side assert triggered");
        assertThat(said.verdict()).hasToString(verdict.toUpperCase(Locale.ROOT));
    }
}
