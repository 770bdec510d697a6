package dev.leakline;

import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Figures of a failure are those of its own message: not those of another machine, of a process that is the job's own. */
class OwnersOfFiguresTest {
    private static final String SMALL =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total"
                    + " capacity of 5.80 GiB of which 21.19 MiB is free. Including non-PyTorch memory, this process has 5.71 GiB memory in"
                    + " use. Of the allocated memory 5.45 GiB is allocated by PyTorch, and 112.50 MiB is reserved by PyTorch but unallocated.";

    @Test
    void aFigureOfAMessageIsOfItsOwnLine() throws IOException {
        Conclusion said = explain("""
                torch.cuda.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)
                Currently allocated     : 54.14 GiB
                Requested               : 686.41 MiB
                Device limit            : 79.35 GiB
                Free (according to CUDA): 27.19 MiB
                """);
        assertThat(said.facts().get("allocated").line()).isEqualTo(2);
        assertThat(said.facts().get("free").line()).isEqualTo(5);
        assertThat(said.unread()).isNull();
    }

    @Test
    void whatIsUsedOnAnotherMachineIsNoFactOfThisOne() throws IOException {
        Conclusion said = explain(
                "On the server\n\n    >>> torch.cuda.max_memory_allocated() / 2**30\n    9.87\n\nand here\n\n" + SMALL);
        assertThat(said.facts()).doesNotContainKey("used").containsKey("total");
    }

    @Test
    void messagesWithOtherSizesGiveNoFactsToTheFirst() throws IOException {
        Conclusion said = explain(
                "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 2.00 GiB total capacity; 1.52 GiB already allocated; 0 bytes free; 1.58 GiB reserved in total by PyTorch)\n\nand later\n\n"
                        + SMALL);
        assertThat(said.facts()).doesNotContainKey("process");
    }

    @Test
    void theOnlyListedProcessThatHoldsWhatPyTorchHasIsTheJobItself() throws IOException {
        Conclusion said = explain(
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.02 GiB. GPU 0 has a total capacity"
                        + " of 44.39 GiB of which 566.44 MiB is free. Process 71 has 38.81 GiB memory in use. Process 72 has 5.02 GiB"
                        + " memory in use. Of the allocated memory 4.55 GiB is allocated by PyTorch, and 12.10 MiB is reserved by PyTorch"
                        + " but unallocated.");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.DEVICE_OOM_OTHER_PROCESSES);
        assertThat(said.advice()).noneMatch(step -> step.action().contains("process 72"));
    }
}
