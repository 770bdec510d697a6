package dev.leakline.read.log;

import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Hint;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The words by which messages are known and sizes get their meaning: the knowledge of the log reader, as data.
 *
 * <p>{@code #} stands for a size, {@code %} for a number without a unit, {@code :} for a colon after a word; other punctuation, capitals
 * and blanks do not count. What is longer is looked for first. Source: the texts of torch 0.4 to 2.14.
 *
 * @param words the words, in small letters
 * @param effect what they tell
 */
record Phrase(List<String> words, Effect effect) {
    /** Effects of a phrase. */
    sealed interface Effect {}

    /** A message begins; {@code isSure} where nothing else is written like this. */
    record Opens(Form form, Device device, boolean isSure) implements Effect {}

    /** The open message is of this form, surely; a foreign one only where it was open already. */
    record Turns(Form form) implements Effect {}

    /** The size in the phrase has a meaning; {@code isSure} where nobody but the allocator writes it like this. */
    record Says(Meaning meaning, boolean isSure) implements Effect {}

    /** The number in the phrase is that of the device. */
    record Names() implements Effect {}

    /** The message gives a hint; null for words that are merely part of it. */
    record Hints(@Nullable Hint hint) implements Effect {}

    static final String SIZE = "#";
    static final String NUMBER = "%";
    static final String COLON = ":";

    /** Words that stand in messages and in no phrase. Others are skipped within a message: time stamps, ranks, new wordings. */
    static final List<String> FILLERS = List.of(
            "of",
            "which",
            "and",
            "but",
            "not",
            "if",
            "large",
            "try",
            "setting",
            "including",
            "non-pytorch",
            "see",
            "documentation",
            "for",
            "pytorch_cuda_alloc_conf",
            "pytorch_alloc_conf",
            "pytorch_hip_alloc_conf");

    /** All phrases. */
    static final List<Phrase> ALL = all();

    private static List<Phrase> all() {
        List<Phrase> all = new ArrayList<>();
        openings(all);
        foreign(all);
        for (Meaning meaning : Meaning.values()) {
            prints(meaning).forEach(text -> add(all, text, new Says(meaning, text.contains("by pytorch"))));
        }
        add(all, "the allocated memory", new Hints(null));
        add(all, "preemptively rejected", new Turns(Form.PREEMPTIVE));
        add(all, "tried to allocate more than 1eb", new Turns(Form.IMPOSSIBLE_REQUEST));
        add(all, "gpu %", new Names());
        add(all, "on device %", new Names());
        add(all, "max_split_size_mb", new Hints(Hint.MAX_SPLIT_SIZE));
        add(all, "expandable_segments : true", new Hints(Hint.EXPANDABLE_SEGMENTS));
        add(all, "empty_cache", new Hints(Hint.EMPTY_CACHE));
        add(all, "pytorch_mps_high_watermark_ratio", new Hints(Hint.HIGH_WATERMARK));
        add(all, "to avoid fragmentation", new Hints(null));
        add(all, "memory management", new Hints(null));
        return List.copyOf(all);
    }

    private static void openings(List<Phrase> all) {
        for (Device device : List.of(Device.CUDA, Device.HIP, Device.XPU, Device.NPU)) {
            add(all, name(device) + " out of memory", new Opens(Form.ALLOCATOR, device, false));
        }
        add(all, "mps backend out of memory", new Opens(Form.ALLOCATOR, Device.MPS, false));
        add(all, "out of memory", new Opens(Form.ALLOCATOR, Device.OTHER, false));
        add(
                all,
                "allocation on device % would exceed allowed memory out of memory",
                new Opens(Form.ASYNC_BACKEND, Device.CUDA, true));
        add(all, "memory allocation failed with oom", new Opens(Form.WARNING, Device.CUDA, false));
        add(all, "memory mapping failed with oom", new Opens(Form.WARNING, Device.CUDA, false));
        add(all, "preemptively rejecting allocation", new Opens(Form.PREEMPTIVE, Device.CUDA, true));
    }

    private static void foreign(List<Phrase> all) {
        for (String text : List.of(
                "cuda error : out of memory",
                "cuda driver error : out of memory",
                "cuda runtime error % : out of memory",
                "cuda failure out of memory",
                "cuda failure % out of memory",
                "cudaerrormemoryallocation",
                "cublas_status_alloc_failed",
                "cusparse_status_alloc_failed",
                "cusolver_status_alloc_failed",
                "cudnn_status_alloc_failed",
                "cudnn_status_internal_error_device_allocation_failed")) {
            add(all, text, new Opens(Form.FOREIGN, Device.CUDA, true));
        }
        add(all, "thcudacheck fail", new Opens(Form.FOREIGN, Device.CUDA, false)); // other errors begin so too
        add(all, "error % : out of memory", new Turns(Form.FOREIGN));
        for (String text : List.of(
                "hip error : out of memory",
                "hip failure out of memory",
                "hip failure % out of memory",
                "hiperroroutofmemory",
                "hipblas_status_alloc_failed",
                "miopen_status_alloc_failed")) {
            add(all, text, new Opens(Form.FOREIGN, Device.HIP, true));
        }
    }

    /** How a size of a meaning is printed. */
    private static List<String> prints(Meaning meaning) {
        return switch (meaning) {
            case REQUESTED ->
                List.of(
                        "tried to allocate #",
                        "while trying to allocate #",
                        "while trying to map #",
                        "requested size : #",
                        "requested : #",
                        "rejecting allocation : requested #");
            case TOTAL ->
                List.of(
                        "# total capacity",
                        "total capacity of #",
                        "total capacty of #", // as torch 2.1 spells it
                        "total : #",
                        "device limit : #",
                        "exceed memory limit # % of #");
            case FREE -> List.of("# free", "# is free", "free : #", "free according to cuda : #");
            case ALLOWED ->
                List.of(
                        "# allowed",
                        "max allowed : #",
                        "pytorch limit set by user-supplied memory fraction : #",
                        "pytorch limit set by user-supplied memory fraction #", // a colon at a line's start is not seen
                        "exceed memory limit #");
            case PROCESS -> List.of("this process has # memory in use");
            case OTHER_PROCESS -> List.of("process % has # memory in use");
            case ALLOCATED ->
                List.of(
                        "# already allocated",
                        "# is allocated by pytorch",
                        "currently allocated : #",
                        "mps allocated : #",
                        "total_allocated_memory #");
            case PRIVATE_POOLS -> List.of("# allocated in private pools");
            case UNALLOCATED -> List.of("# is reserved by pytorch but unallocated");
            case CACHED -> List.of("# cached");
            case RESERVED -> List.of("# reserved in total by pytorch");
            case OTHER_ALLOCATIONS -> List.of("other allocations : #");
            case UNKNOWN -> List.of();
        };
    }

    private static String name(Device device) {
        return device.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static void add(List<Phrase> all, String text, Effect effect) {
        all.add(new Phrase(Arrays.asList(text.split(" ", -1)), effect));
    }
}
