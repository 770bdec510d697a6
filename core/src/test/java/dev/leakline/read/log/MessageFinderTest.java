package dev.leakline.read.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.read.Formats;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.result.OutOfMemoryLog.Found;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Hint;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.source.Content;
import dev.leakline.source.FoundMessages;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.snapshot.Wrapping;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of every version, in all the ways that logs hold them. */
class MessageFinderTest {
    private static final String HINT = " If reserved but unallocated memory is large try setting"
            + " PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management "
            + " (https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)";
    private static final String LATEST =
            "CUDA out of memory. Tried to allocate 346.00 MiB. GPU 5 has a total capacity of 47.53 GiB of which"
                    + " 112.44 MiB is free. Process 412345 has 3.21 GiB memory in use. Including non-PyTorch memory, this process has 44.21 GiB"
                    + " memory in use. 45.15 GiB allowed; Of the allocated memory 42.73 GiB is allocated by PyTorch, with 37.00 MiB allocated in"
                    + " private pools (e.g., CUDA Graphs), and 913.62 MiB is reserved by PyTorch but unallocated.";
    private static final String LATEST_SIZES =
            "REQUESTED 346.00 MiB; TOTAL 47.53 GiB; FREE 112.44 MiB; OTHER_PROCESS 412345 3.21 GiB;"
                    + " PROCESS 44.21 GiB; ALLOWED 45.15 GiB; ALLOCATED 42.73 GiB; PRIVATE_POOLS 37.00 MiB; UNALLOCATED 913.62 MiB";

    // ---- versions

    @Test
    void torch04() throws IOException {
        assertSizes(
                "RuntimeError: CUDA out of memory. Tried to allocate 31.25 MiB (GPU 1; 10.73 GiB total capacity; 9.21 GiB already"
                        + " allocated; 18.44 MiB free; 512.50 KiB cached)",
                "REQUESTED 31.25 MiB; TOTAL 10.73 GiB; ALLOCATED 9.21 GiB; FREE 18.44 MiB; CACHED 512.50 KiB");
    }

    @Test
    void torch14WithALimit() throws IOException {
        assertSizes(
                "RuntimeError: CUDA out of memory. Tried to allocate 34.00 MiB (GPU 1; 10.73 GiB total capacity; 9.21 GiB already"
                        + " allocated; 0 bytes free; 9.75 GiB allowed; 9.64 GiB reserved in total by PyTorch)",
                "REQUESTED 34.00 MiB; TOTAL 10.73 GiB; ALLOCATED 9.21 GiB; FREE 0 bytes; ALLOWED 9.75 GiB; RESERVED 9.64 GiB");
    }

    @Test
    void torch111() throws IOException {
        OutOfMemoryMessage message =
                only("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 34.00 MiB (GPU 1; 10.73 GiB"
                        + " total capacity; 9.21 GiB already allocated; 3.56 MiB free; 9.64 GiB reserved in total by PyTorch) If reserved memory is"
                        + " >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and"
                        + " PYTORCH_CUDA_ALLOC_CONF");
        assertThat(sizes(message))
                .isEqualTo(
                        "REQUESTED 34.00 MiB; TOTAL 10.73 GiB; ALLOCATED 9.21 GiB; FREE 3.56 MiB; RESERVED 9.64 GiB");
        assertThat(message.hints()).containsExactly(Hint.MAX_SPLIT_SIZE);
        assertThat(message.exception()).isEqualTo("torch.cuda.OutOfMemoryError");
    }

    @Test
    void torch21SpellsCapacityItsWay() throws IOException {
        assertSizes(
                LATEST.replace("capacity", "capacty").replace("45.15 GiB allowed; ", ""),
                LATEST_SIZES.replace(" ALLOWED 45.15 GiB;", ""));
    }

    @Test
    void torch26() throws IOException {
        OutOfMemoryMessage message = only("torch.OutOfMemoryError: " + LATEST + HINT);
        assertThat(sizes(message)).isEqualTo(LATEST_SIZES);
        assertThat(message.hints()).containsExactly(Hint.EXPANDABLE_SEGMENTS);
        assertThat(message.device()).isEqualTo(Device.CUDA);
        assertThat(message.ordinal()).isEqualTo(5);
        assertThat(message.form()).isEqualTo(Form.ALLOCATOR);
    }

    @Test
    void expandableSegmentsGiveNoHint() throws IOException {
        assertThat(only(LATEST).hints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HIP", "XPU", "NPU"})
    void otherDevicesSayTheSame(String device) throws IOException {
        OutOfMemoryMessage message = only(LATEST.replace("CUDA out", device + " out"));
        assertThat(message.device().name()).isEqualTo(device);
        assertThat(sizes(message)).isEqualTo(LATEST_SIZES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"KiB MiB GiB", "KB MB GB"})
    void metal(String units) throws IOException {
        String[] unit = units.split(" ", -1);
        OutOfMemoryMessage message = only("RuntimeError: MPS backend out of memory (MPS allocated: 9.57 " + unit[2]
                + ", other allocations: 384.00 " + unit[0] + ", max allowed: 9.61 " + unit[2]
                + "). Tried to allocate 292.50 " + unit[1]
                + " on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause"
                + " system failure).");
        assertThat(message.device()).isEqualTo(Device.MPS);
        assertThat(message.size(Meaning.REQUESTED).bytes()).isEqualTo(306_708_480);
        assertThat(message.size(Meaning.ALLOWED).bytes()).isEqualTo(10_318_658_929L);
        assertThat(message.size(Meaning.OTHER_ALLOCATIONS).bytes()).isEqualTo(393_216);
        assertThat(message.hints()).containsExactly(Hint.HIGH_WATERMARK);
    }

    @Test
    void cudaMallocAsync() throws IOException {
        String text = """
                torch.OutOfMemoryError: Allocation on device 2 would exceed allowed memory. (out of memory)
                Currently allocated     : 9.43 GiB
                Requested               : 640.00 MiB
                Device limit            : 11.59 GiB
                Free (according to CUDA): 7.12 MiB
                PyTorch limit (set by user-supplied memory fraction)
                                        : \
                """;
        OutOfMemoryMessage message = only(text + "10.25 GiB\n");
        assertThat(message.form()).isEqualTo(Form.ASYNC_BACKEND);
        assertThat(message.ordinal()).isEqualTo(2);
        assertThat(sizes(message))
                .isEqualTo(
                        "ALLOCATED 9.43 GiB; REQUESTED 640.00 MiB; TOTAL 11.59 GiB; FREE 7.12 MiB; ALLOWED 10.25 GiB");
        assertThat(only(text + "17179869184.00 GiB\n").size(Meaning.ALLOWED))
                .as("no limit")
                .isNull();
    }

    @Test
    void moreThanAnExbibyte() throws IOException {
        assertThat(only("RuntimeError: CUDA out of memory. Tried to allocate more than 1EB memory.")
                        .form())
                .isEqualTo(Form.IMPOSSIBLE_REQUEST);
    }

    @Test
    void preemptiveRejection() throws IOException {
        OutOfMemoryMessage message =
                only("torch.OutOfMemoryError: CUDA out of memory. Allocation was preemptively rejected because it"
                        + " would exceed per_process_memory_fraction limit. Requested size: 1.53 GiB");
        assertThat(message.form()).isEqualTo(Form.PREEMPTIVE);
        assertThat(sizes(message)).isEqualTo("REQUESTED 1.53 GiB");
    }

    @Test
    void itsWarningInBytesOrInUnits() throws IOException {
        String warning =
                "[W1121 06:10:32.845734198 CUDACachingAllocator.cpp:3934] Preemptively rejecting allocation: requested %s but"
                        + " total_allocated_memory (%s) + requested size would exceed memory limit (%s = 80%% of %s)."
                        + " Set throw_on_cudamalloc_oom:false to disable.";
        assertThat(sizes(only(warning.formatted("1073741837", "2147483671", "3221225499", "4026531899"))))
                .isEqualTo("REQUESTED 1073741837; ALLOCATED 2147483671; ALLOWED 3221225499; TOTAL 4026531899");
        assertThat(sizes(only(warning.formatted("1.25 GiB", "2.26 GiB", "3.27 GiB", "4.28 GiB"))))
                .isEqualTo("REQUESTED 1.25 GiB; ALLOCATED 2.26 GiB; ALLOWED 3.27 GiB; TOTAL 4.28 GiB");
    }

    @Test
    void warningsHaveExactSizes() throws IOException {
        OutOfMemoryMessage message = only(
                "[rank0]:[W1121 06:10:32.845734198 CUDACachingAllocator.cpp:3934] expandable_segments: memory"
                        + " mapping failed with OOM on device 3 while trying to map 20971520 bytes (free: 8847361, total: 17179869185).");
        assertThat(message.form()).isEqualTo(Form.WARNING);
        assertThat(message.ordinal()).isEqualTo(3);
        assertThat(message.figures()).allMatch(figure -> figure.size().isExact());
        assertThat(sizes(message)).isEqualTo("REQUESTED 20971520 bytes; FREE 8847361; TOTAL 17179869185");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RuntimeError: CUDA error: out of memory",
                "torch.AcceleratorError: CUDA error: out of memory\nSearch for `cudaErrorMemoryAllocation' in https://docs.nvidia.com",
                "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
                "RuntimeError: cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/THCTensorRandom.cu:25",
                "THCudaCheck FAIL file=/pytorch/torch/lib/THC/generic/THCStorage.cu line=58 error=2 : out of memory",
                "ncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nCuda failure 2 'out of memory'",
                "RuntimeError: HIP error: out of memory"
            })
    void textsOfOthersAreKnownAndHaveNoSizes(String text) throws IOException {
        OutOfMemoryMessage message = only(text);
        assertThat(message.form()).isEqualTo(Form.FOREIGN);
        assertThat(message.figures()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "THCudaCheck FAIL file=/pytorch/THCGeneral.cpp line=74 error=35 : CUDA driver version is insufficient",
                "java.lang.OutOfMemoryError is caught by the supervisor",
                "Set OOMScoreAdjust=-500 to spare it; see the manual about out of memory",
                "Model loading took 12.50 GiB memory, 3.00 GiB is free",
                "    except torch.cuda.OutOfMemoryError:"
            })
    void nearMissesAreNone(String text) throws IOException {
        FoundMessages log = read(text);
        assertThat(log.found()).isEmpty();
        assertThat(log.mentionCount()).isZero();
    }

    @Test
    void talkAboutItIsAMention() throws IOException {
        FoundMessages log =
                read("fine\n    if \"CUDA out of memory\" in str(e):\nCUDA out of memory, skipping batch\n");
        assertThat(log.found()).isEmpty();
        assertThat(log.mentionCount()).isEqualTo(2);
        assertThat(log.mentions()).extracting(OutOfMemoryLog.Place::line).containsExactly(2L, 3L);
    }

    @Test
    void futureWordingsGiveTheNumbersThatCanBeRead() throws IOException {
        assertThat(sizes(only(
                        "torch.OutOfMemoryError: MLU out of memory. Tried to allocate 7.25 GiB. Card 3 wants 2.50 GiB beyond the"
                                + " 63.75 GiB it owns, of which 1.12 GiB is presently free.")))
                .isEqualTo("REQUESTED 7.25 GiB; UNKNOWN 2.50 GiB; UNKNOWN 63.75 GiB; UNKNOWN 1.12 GiB");
    }

    // ---- logs

    @ParameterizedTest
    @ValueSource(ints = {44, 60, 72, 80, 100, 120})
    void wrapsAtAnyWidth(int width) throws IOException {
        assertThat(sizes(only(wrap("torch.OutOfMemoryError: " + LATEST + HINT, width, ""))))
                .isEqualTo(LATEST_SIZES);
    }

    /** A terminal breaks lines in the middle of words and numbers. */
    @ParameterizedTest
    @ValueSource(ints = {40, 61, 72, 80, 97, 100, 120, 131})
    void aTerminalCutsWordsAndNumbers(int width) throws IOException {
        String lines = ("torch.OutOfMemoryError: " + LATEST + HINT).replaceAll("(.{" + width + "})", "$1\n");
        assertSizes("step 1 of many, 3.21 GiB so far\n" + lines + "\nstep 2\n", LATEST_SIZES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[rank3]: ",
                "2026-11-21 06:10:32,845 ERROR trainer.py:160 ",
                "[2026-11-21T06:10:32.845Z] [rank3] ",
                "3: ",
                "(RayTrainWorker pid=41234) ",
                "INFO 11-21 06:10:32 [engine.py:160] ",
                "│ "
            })
    void prefixesStandInTheMiddleOfWrappedMessages(String prefix) throws IOException {
        assertThat(sizes(only(wrap("torch.OutOfMemoryError: " + LATEST + HINT, 70, prefix))))
                .isEqualTo(LATEST_SIZES);
    }

    @Test
    void whatStandsBeforeAMessageIsItsOwnThoughAnotherRankSpeaksInBetween() throws IOException {
        List<String> lines = List.of(
                "bfc_allocator.cc:680] Stats:",
                "Limit:                 10625279591",
                "InUse:                  7350513920",
                "MaxInUse:               7464792320",
                "NumAllocs:                      82",
                "MaxAllocSize:           3656908800",
                "W tensorflow/core/framework/op_kernel.cc:1202] OP_REQUIRES failed at tile_ops.cc:123 :"
                        + " Resource exhausted: OOM when allocating tensor with shape[16,1] and type float by allocator GPU_0_bfc");
        String mixed = lines.stream()
                .map(line -> "[rank3]: " + line + "\n[rank4]: CUDA out of memory. Tried to allocate 2.00 GiB\n")
                .collect(Collectors.joining());
        assertThat(read(mixed).found().stream().filter(found -> found.ranks().contains(3)))
                .singleElement()
                .satisfies(found -> assertThat(found.message().figures())
                        .extracting(Figure::meaning)
                        .contains(Meaning.ALLOWED, Meaning.ALLOCATED));
    }

    @Test
    void ranksInterleaveByLines() throws IOException {
        List<String> first = wrap(LATEST, 60, "[rank0]: ").lines().toList();
        List<String> second = wrap(LATEST.replace("346.00", "348.00"), 60, "[rank12]: ")
                .lines()
                .toList();
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < first.size(); i++) {
            log.append(first.get(i)).append('\n').append(second.get(i)).append('\n');
        }
        List<Found> found = read(log.toString()).found();
        assertThat(found).extracting(Found::ranks).containsExactly(List.of(0), List.of(12));
        assertThat(sizes(found.get(1).message())).isEqualTo(LATEST_SIZES.replace("346.00", "348.00"));
    }

    @Test
    void theSameTextIsOneMessage() throws IOException {
        List<Found> found = read("[rank1]: torch.OutOfMemoryError: " + LATEST + "\nstep 7\n[rank0]: " + LATEST
                        + "\nERROR " + LATEST + HINT)
                .found();
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().count()).isEqualTo(3);
        assertThat(found.getFirst().ranks()).containsExactly(0, 1);
        assertThat(found.getFirst().places())
                .extracting(OutOfMemoryLog.Place::line)
                .containsExactly(1L, 3L, 4L);
    }

    @Test
    void placesAreLinesAndBytes() throws IOException {
        String before = "größer\r\n\033[31mred\033[0m ";
        OutOfMemoryLog.Place place =
                read(before + LATEST).found().getFirst().places().getFirst();
        assertThat(place).isEqualTo(new OutOfMemoryLog.Place(2, before.getBytes(StandardCharsets.UTF_8).length));
    }

    @Test
    void coloursAndNulsAndProgressBarsAreNotSeen() throws IOException {
        String coloured = LATEST.replace("out", "\033[1;31mout\033[0m").replace("is free", "is\0 \033[Kfree");
        assertThat(sizes(only(" 12%|##   | 3/25\r 16%|###  | 4/25\r" + coloured)))
                .isEqualTo(LATEST_SIZES);
    }

    @Test
    void jsonHoldsItEscapedOnceOrTwice() throws IOException {
        String once =
                "{\"level\": \"error\", \"gpu\": \"5.00 GiB\", \"msg\": \"Traceback\\n\\u001b[31mtorch.OutOfMemoryError: "
                        + LATEST.replace(". ", ".\\n") + "\\n\", \"swap\": \"6.00 GiB\"}";
        assertThat(sizes(only(once))).isEqualTo(LATEST_SIZES);
        assertThat(sizes(only("{\"a\": \"" + once.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}")))
                .isEqualTo(LATEST_SIZES);
    }

    @Test
    void utf16AndCompression() throws IOException {
        byte[] bytes = ("\ufeffo\r\n" + LATEST).getBytes(StandardCharsets.UTF_16LE);
        Content.Figures text = (Content.Figures) new Formats(ReadLimits.DEFAULT, _ -> {})
                .read(() -> new ByteArrayInputStream(Wrapping.gzip(bytes)), true);
        FoundMessages log = Objects.requireNonNull(text.messages());
        assertThat(text.format()).isEqualTo("text, UTF-16, gzip");
        assertThat(text.bytes()).isEqualTo(bytes.length);
        assertThat(sizes(log.found().getFirst().message())).isEqualTo(LATEST_SIZES);
        assertThat(log.found().getFirst().places()).containsExactly(new OutOfMemoryLog.Place(2, 8));
    }

    @Test
    void whatIsCutOffKeepsItsNumbers() throws IOException {
        for (int end = LATEST.indexOf("346.00 MiB") + 10; end < LATEST.length(); end++) {
            List<Figure> figures = only(LATEST.substring(0, end)).figures();
            assertThat(sizes(figures.stream()
                            .filter(figure -> figure.meaning() != Meaning.UNKNOWN)
                            .toList()))
                    .as("cut after %d characters", end)
                    .satisfies(print -> assertThat(LATEST_SIZES).startsWith(print));
        }
    }

    @Test
    void whatHasNoBeginningIsAFragment() throws IOException {
        OutOfMemoryMessage message = only("4.77 GiB allowed; 4.74 GiB reserved in total by PyTorch)\nnext");
        assertThat(message.form()).isEqualTo(Form.FRAGMENT);
        assertThat(sizes(message)).isEqualTo("ALLOWED 4.77 GiB; RESERVED 4.74 GiB");
    }

    @Test
    void whatFollowsAMessageIsNotItsOwn() throws IOException {
        assertSizes(LATEST + "\nepoch 3: 5.55 GiB free, 6.66 GiB cached, 7.77 GiB total capacity\n", LATEST_SIZES);
    }

    @Test
    void aLineOfAnyLengthIsRead() throws IOException {
        String filler = "{\"loss\": 0.25, \"mem\": \"5.5 GiB\"}, ".repeat(5000);
        List<Found> found = read("x".repeat(300_000)
                        + filler
                        + LATEST
                        + filler
                        + LATEST.replace("346.00", "348.00")
                        + filler)
                .found();
        assertThat(found)
                .extracting(one -> sizes(one.message()))
                .containsExactly(LATEST_SIZES, LATEST_SIZES.replace("346.00", "348.00"));
    }

    private static String wrap(String text, int width, String prefix) {
        StringBuilder lines = new StringBuilder(prefix);
        int column = 0;
        for (String word : text.split(" +", -1)) {
            if (column > 0 && column + word.length() > width) {
                lines.append('\n').append(prefix);
                column = 0;
            }
            lines.append(column == 0 ? "" : " ").append(word);
            column += word.length() + 1;
        }
        return lines.append('\n').toString();
    }

    private static void assertSizes(String text, String sizes) throws IOException {
        assertThat(sizes(only(text))).isEqualTo(sizes);
    }

    private static OutOfMemoryMessage only(String text) throws IOException {
        List<Found> found = read(text).found();
        assertThat(found).as(text).hasSize(1);
        return found.getFirst().message();
    }

    private static FoundMessages read(String text) throws IOException {
        Content.Figures read = (Content.Figures) new Formats(ReadLimits.DEFAULT, _ -> {})
                .read(() -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), true);
        return Objects.requireNonNull(read.messages());
    }

    private static String sizes(OutOfMemoryMessage message) {
        return sizes(message.figures());
    }

    private static String sizes(List<Figure> figures) {
        return figures.stream()
                .map(figure -> figure.meaning()
                        + (figure.pid() == 0 ? " " : " " + figure.pid() + " ")
                        + figure.size().text())
                .collect(Collectors.joining("; "));
    }
}
