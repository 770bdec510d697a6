package dev.leakline.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.read.Formats;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.Derived;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryExplanation.SizeCheck;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why a request failed, by the sizes of its message. */
class MessageExplainerTest {
    private static final String HEAD =
            "CUDA out of memory. Tried to allocate %s. GPU 0 has a total capacity of 79.10 GiB of which %s is free. ";
    private static final String REST =
            "Of the allocated memory %s is allocated by PyTorch, and %s is reserved by PyTorch but unallocated.";
    private static final String THIS = "Including non-PyTorch memory, this process has %s memory in use. ";

    @ParameterizedTest
    @CsvSource({
        "DEVICE_OOM, 2.34 GiB, 1.12 GiB, 76.53 GiB, 222.81 MiB",
        "DEVICE_OOM_FRAGMENTATION, 346.00 MiB, 12.00 MiB, 60.00 GiB, 17.11 GiB",
        "DEVICE_OOM, 346.00 MiB, 12.00 MiB, 77.00 GiB, 1.11 GiB",
        "DEVICE_OOM_BUT_FREE, 346.00 MiB, 511.00 MiB, 77.00 GiB, 1.11 GiB",
        "DEVICE_OOM_REQUEST_TOO_BIG, 79.12 GiB, 1.00 GiB, 77.00 GiB, 1.00 GiB",
        "DEVICE_OOM_OTHER_PROCESSES, 20.00 MiB, 12.00 MiB, 9.00 GiB, 4.00 MiB"
    })
    void theSizesDecide(Kind kind, String asked, String free, String allocated, String cached) throws IOException {
        assertThat(only(HEAD.formatted(asked, free) + REST.formatted(allocated, cached))
                        .kind())
                .isEqualTo(kind);
    }

    @Test
    void whatRoundingMayHaveMadeIsNotClaimed() throws IOException {
        String close = HEAD.formatted("9.34 GiB", "1.11 GiB") + REST.formatted("68.00 GiB", "9.34 GiB");
        assertThat(only(close).kind())
                .as("9.34 may be more than what is cached")
                .isEqualTo(Kind.DEVICE_OOM);
    }

    @Test
    void labelledNumbersKeepTheirNamesInAnyOrderAndOverLines() throws IOException {
        OutOfMemoryExplanation lines = only("RuntimeError: CUDA out of memory.\nTried to allocate: 3.00 GiB\n"
                + "Total memory: 32.00 GiB\nReserved: 30.00 GiB\nAllocated: 26.00 GiB\nFree: 1.25 GiB");
        assertThat(lines.kind()).isEqualTo(Kind.DEVICE_OOM_FRAGMENTATION);
        assertThat(lines.title()).contains("3.00 GiB were requested; 4.00 GiB are cached and 1.25 GiB free");
        OutOfMemoryExplanation pairs = only("RuntimeError: CUDA out of memory. Tried to allocate 4.00 GiB"
                + " [total=48.00 GiB reserved=46.00 GiB allocated=45.00 GiB free=1.00 GiB]");
        assertThat(pairs.title()).contains("4.00 GiB were requested and 1.00 GiB were free", "46.0 GiB");
    }

    @Test
    void theCacheIsMoreThanTheRequestAlsoWhereFreeMemoryIsNotPrinted() throws IOException {
        OutOfMemoryExplanation message =
                only("CUDA out of memory. Tried to allocate 2.00 GiB. Reserved: 14.50 GiB, Allocated: 12.00 GiB");
        assertThat(message.kind()).isEqualTo(Kind.DEVICE_OOM_FRAGMENTATION);
    }

    @Test
    void aLimitExplainsFreeMemory() throws IOException {
        OutOfMemoryExplanation limit = only(HEAD.formatted("2.00 MiB", "64.65 GiB") + "1.05 GiB allowed; "
                + REST.formatted("1017.01 MiB", "56.99 MiB"));
        assertThat(limit.kind()).isEqualTo(Kind.DEVICE_OOM_LIMIT);
        assertThat(limit.advice().getFirst().action()).contains("per_process_memory_fraction");
        assertThat(limit.reasons()).anyMatch(reason -> reason.contains("any tensor of at most 1 MiB"));
    }

    @Test
    void mostOfTheProcessMayBeOthersThanPyTorch() throws IOException {
        OutOfMemoryExplanation message = only(HEAD.formatted("20.00 MiB", "12.00 MiB")
                + THIS.formatted("78.50 GiB")
                + REST.formatted("9.50 GiB", "1.00 MiB"));
        assertThat(message.kind()).isEqualTo(Kind.DEVICE_OOM);
        assertThat(message.title()).contains("outside of PyTorch");
        assertThat(derived(message, Derived.Name.NON_PYTORCH).bytes()).isBetween(74_000_000_000L, 74_100_000_000L);
        assertThat(derived(message, Derived.Name.OTHER_PROCESSES).bytes()).isBetween(600_000_000L, 650_000_000L);
    }

    @Test
    void privatePoolsMayHoldEnough() throws IOException {
        OutOfMemoryExplanation message = only(HEAD.formatted("346.00 MiB", "12.00 MiB")
                + REST.formatted("70.00 GiB", "55.00 MiB")
                        .replace("and 55", "with 1.50 GiB allocated in private pools (e.g., CUDA Graphs), and 55"));
        assertThat(message.kind()).isEqualTo(Kind.DEVICE_OOM_FRAGMENTATION);
        assertThat(derived(message, Derived.Name.LIVE).bytes()).isBetween(73_500_000_000L, 73_600_000_000L);
    }

    @Test
    void inAContainerTheOtherProcessIsThisOne() throws IOException {
        OutOfMemoryExplanation message = only(HEAD.formatted("346.00 MiB", "335.06 MiB")
                + "Process 20398 has 78.52 GiB memory in use. " + REST.formatted("78.06 GiB", "3.42 MiB"));
        assertThat(message.kind()).isEqualTo(Kind.DEVICE_OOM);
        assertThat(message.reasons()).anyMatch(reason -> reason.contains("process 20398 is this process itself"));
        assertThat(message.advice()).noneMatch(advice -> advice.action().contains("20398"));
    }

    @Test
    void aProcessThatMayBeAnotherIsOne() throws IOException {
        OutOfMemoryExplanation message =
                only(HEAD.formatted("346.00 MiB", "35.06 MiB") + "Process 20398 has 60.52 GiB memory in use. "
                        + THIS.formatted("18.50 GiB") + REST.formatted("17.06 GiB", "3.42 MiB"));
        assertThat(message.kind()).isEqualTo(Kind.DEVICE_OOM_OTHER_PROCESSES);
        assertThat(message.advice().getFirst().action()).contains("20398");
    }

    @Test
    void sizesThatDoNotAddUpAreToldOf() throws IOException {
        OutOfMemoryExplanation message = only(HEAD.formatted("2.00 GiB", "1.69 GiB")
                + THIS.formatted("0 bytes")
                + REST.formatted("76.53 GiB", "222.82 MiB"));
        assertThat(message.checks())
                .filteredOn(check -> !check.holds())
                .singleElement()
                .satisfies(check ->
                        assertThat(check.text()).contains("reserved by PyTorch", "more than this process uses"));
        assertThat(message.derivations()).extracting(Derived::name).doesNotContain(Derived.Name.NON_PYTORCH);
    }

    @Test
    void sizesOfRealMessagesAddUp() throws IOException {
        OutOfMemoryExplanation message =
                only("CUDA out of memory. Tried to allocate 160.00 MiB. GPU 2 has a total capacity of 47.40 GiB of"
                        + " which 79.62 MiB is free. " + THIS.formatted("47.31 GiB")
                        + REST.formatted("46.28 GiB", "732.86 MiB"));
        assertThat(message.checks()).hasSizeGreaterThan(3).allMatch(SizeCheck::holds);
    }

    @Test
    void up13PrintsTheTensor() throws IOException {
        OutOfMemoryExplanation message =
                only("CUDA out of memory. Tried to allocate 1.12 MiB (GPU 0; 22.37 GiB total capacity; 21.87 GiB"
                        + " already allocated; 3.56 MiB free; 2.74 MiB cached)");
        assertThat(message.kind()).isEqualTo(Kind.DEVICE_OOM);
        assertThat(message.title()).startsWith("20.0 MiB were requested");
    }

    @Test
    void metalCountsAllOfItsMemory() throws IOException {
        assertThat(
                        only("MPS backend out of memory (MPS allocated: 9.57 GiB, other allocations: 17.35 GiB, max allowed: 27.20 GiB). Tried to"
                                        + " allocate 292.50 MiB on private pool.")
                                .kind())
                .isEqualTo(Kind.DEVICE_OOM_LIMIT);
    }

    @Test
    void errorsOfOthersAndImpossibleSizesAndStumpsAreCalledThat() throws IOException {
        assertThat(only("RuntimeError: CUDA error: out of memory").kind()).isEqualTo(Kind.DEVICE_OOM);
        assertThat(only("CUDA out of memory. Tried to allocate more than 1EB memory.")
                        .kind())
                .isEqualTo(Kind.BAD_SIZE);
        assertThat(only("CUDA out of memory. Tried to allocate 37.25 GiB. [...]")
                        .kind())
                .isEqualTo(Kind.DEVICE_OOM);
        assertThat(only("RuntimeError: CUDA out of memory. Tried to").kind()).isEqualTo(Kind.DEVICE_OOM);
    }

    @Test
    void hugeSizesOverflowNothing() throws IOException {
        String most = "8589934591.99 GiB";
        assertThat(only(HEAD.formatted(most, most) + "Process 1 has " + most + " memory in use. " + THIS.formatted(most)
                                + REST.formatted(most, most))
                        .kind())
                .isNotNull();
    }

    @Test
    void aWarningBelongsToTheErrorThatFollows() throws IOException {
        String warning =
                "memory allocation failed with OOM on device 0 while trying to allocate 362807296 bytes (free: 12583001, total:"
                        + " 84933006131).\n";
        List<OutOfMemoryExplanation> both = explain(warning
                + warning
                + HEAD.formatted("346.00 MiB", "12.00 MiB")
                + REST.formatted("76.00 GiB", "2.00 MiB"));
        assertThat(both).hasSize(1);
        assertThat(both.getFirst().warning().count()).isEqualTo(2);
        assertThat(only(warning).kind()).isEqualTo(Kind.RECOVERED);
    }

    private static Derived derived(OutOfMemoryExplanation message, Derived.Name name) {
        return message.derivations().stream()
                .filter(derived -> derived.name() == name)
                .findFirst()
                .orElseThrow();
    }

    private static OutOfMemoryExplanation only(String text) throws IOException {
        List<OutOfMemoryExplanation> all = explain(text);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private static List<OutOfMemoryExplanation> explain(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Content.Figures log = (Content.Figures)
                new Formats(ReadLimits.DEFAULT, _ -> {}).read(() -> new ByteArrayInputStream(bytes), true);
        return MessageExplainer.explain(List.of(Objects.requireNonNull(log.messages())), List.of());
    }
}
