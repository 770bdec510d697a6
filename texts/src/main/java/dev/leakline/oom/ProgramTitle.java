package dev.leakline.oom;

import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;

/** Says in a sentence what a message of another program than PyTorch's allocator means, with the arithmetic of its sizes. */
final class ProgramTitle {
    private final OutOfMemoryMessage message;
    private final MessageSizes sizes;

    private ProgramTitle(OutOfMemoryMessage message, MessageSizes sizes) {
        this.message = message;
        this.sizes = sizes;
    }

    /** The sentence for a message of a kind. */
    static String of(OutOfMemoryMessage message, Kind kind, MessageSizes sizes) {
        ProgramTitle title = new ProgramTitle(message, sizes);
        List<String> figures = title.figures(kind);
        String known = message.cause() == null
                ? null
                : AdviceBook.ALL.title(message.cause().advice());
        return (known == null || kind != Kind.HOST_OOM ? title.what(kind) : known)
                + (figures.isEmpty() ? "" : ": " + String.join(", ", figures));
    }

    private String what(Kind kind) {
        String program = message.program();
        return switch (kind) {
            case DEVICE_OOM -> program + " got no more memory of the device";
            case DEVICE_OOM_FRAGMENTATION -> program + " had enough memory of the device, but in pieces";
            case DEVICE_OOM_OTHER_PROCESSES -> program + " found the device's memory in use by others";
            case DEVICE_OOM_LIMIT ->
                program + " reached a limit that is set for it, not the end of the device's memory";
            case DEVICE_OOM_REQUEST_TOO_BIG -> program + " requested more at once than the device gives out";
            case DEVICE_OOM_BUT_FREE -> program + " got no memory although the device had enough";
            case BAD_SIZE -> "the requested size is negative or overflowed; this is not a shortage";
            case LIBRARY_WORKSPACE ->
                program + " got no memory for itself: it asks the driver, and PyTorch's cache is not free for it";
            case STARTUP_REFUSAL -> program + " did not start, because it would not fit";
            case RECOVERED -> program + " was short of memory and went on";
            case HOST_OOM -> "the host's memory ran out, not the device's";
            case HOST_LIMIT -> "the process reached a limit of its memory on the host, not the device's memory";
            case SHARED_MEMORY -> "the host's shared memory (/dev/shm) ran out, not the device's memory";
            case PINNED_MEMORY -> "no pinned memory could be had on the host; the device's memory is not the reason";
            case KERNEL_RESOURCES ->
                "a kernel needs more of a multiprocessor than it has; the device's memory is not the reason";
        };
    }

    private List<String> figures(Kind kind) {
        List<String> figures = new ArrayList<>();
        add(figures, Meaning.REQUESTED, " requested");
        add(figures, Meaning.FREE, kind == Kind.STARTUP_REFUSAL ? " available" : " free");
        add(figures, Meaning.ALLOCATED, " allocated");
        add(figures, Meaning.PROCESS, kind == Kind.HOST_OOM ? " held by the killed process" : " held by the process");
        add(figures, Meaning.USED, " in use");
        add(figures, Meaning.ALLOWED, " allowed");
        PrintedSize total = message.size(Meaning.TOTAL);
        if (total != null) {
            figures.add("of " + ByteSize.format(total.bytes()) + " in all");
        }
        if (sizes.outside != null && MessageSizes.middle(sizes.outside) > 0) {
            figures.add(ByteSize.format(MessageSizes.middle(sizes.outside)) + " held by others");
        }
        return figures;
    }

    private void add(List<String> figures, Meaning meaning, String what) {
        PrintedSize size = message.size(meaning);
        if (size != null) {
            figures.add(ByteSize.format(size.bytes()) + what);
        }
    }
}
