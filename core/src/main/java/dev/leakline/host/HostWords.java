package dev.leakline.host;

import dev.leakline.known.KnownLeak;
import dev.leakline.objects.HostLook;
import dev.leakline.objects.HostPile;
import dev.leakline.result.Frame;
import dev.leakline.result.HostMemory.Kind;
import dev.leakline.result.HostMemory.NativeCall;
import dev.leakline.result.HostMemory.Verdict;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The words for the host's memory of a process.
 *
 * @param last the last look
 * @param bytes the whole
 * @param kind the part that grows
 * @param rate its bytes per second
 * @param pile the collection that keeps it
 * @param site the line that adds to that
 * @param call the call of native code that allocates it
 * @param looks how many looks there were
 */
record HostWords(
        HostLook last,
        long bytes,
        Verdict verdict,
        @Nullable Kind kind,
        double rate,
        @Nullable HostPile pile,
        @Nullable Frame site,
        @Nullable NativeCall call,
        int looks) {

    String sentence() {
        if (kind == null) {
            return verdict == Verdict.NO_LEAK
                    ? "the host's memory does not grow"
                    : "whether the host's memory grows is undetermined: " + Numbers.counted(looks, "look")
                            + " in the time, which is too few";
        }
        String grows =
                kind.words() + (kind.words().endsWith("s") && kind != Kind.PINNED_ROUNDING ? " grow by " : " grows by ")
                        + ByteSize.format(rate) + " per second";
        return switch (verdict) {
            case LEAK -> "the host's memory leaks: " + grows + kept();
            case CACHED ->
                "the host's memory is kept, not lost: " + grows + "; " + ByteSize.format(last.bytes(kind)) + " of "
                        + ByteSize.format(bytes) + (kind == Kind.FILE ? " can be dropped" : " are free");
            case NO_LEAK -> "the host's memory grows up to a bound: " + grows + bound();
            case UNDETERMINED ->
                "whether the host's memory leaks is undetermined: " + grows
                        + ", but too unevenly, or in too few looks, to be sure" + kept();
        };
    }

    private String kept() {
        if (pile == null) {
            return call != null
                    ? "; allocated by " + call.words()
                    : kind == Kind.NATIVE_LIVE ? "; no Python object has it" : "";
        }
        return "; kept by " + pile.title() + (site == null ? "" : " (" + site.fileAndLine() + ")") + ": "
                + Numbers.counted(pile.items(), "item") + ", " + Numbers.grouped(pile.grown())
                + " of them new since the first look";
    }

    private String bound() {
        if (kind == Kind.COPY_ON_WRITE) {
            return "; forked workers copy the pages of what they inherited when they count references to it, and there are no more of those than the parent has";
        }
        if (kind == Kind.HISTORY) {
            return "; it keeps as many events as were requested (--history), for Leakline or by the job";
        }
        String limit = pile != null && pile.most() > 0
                ? ", which keeps " + Numbers.grouped(pile.most()) + " at most"
                : ", which the line adds to only below a limit";
        return kept() + limit;
    }

    private String ofNative() {
        if (call != null) {
            return "free what " + (call.function() == null ? call.library() : call.function())
                    + " returns or keeps, or report it to who makes " + call.library();
        }
        return last.calls().isEmpty() && last.trouble().isEmpty()
                ? "name the call that allocates: leakline attach --native PID, or leakline run --native"
                : last.trouble().isEmpty()
                        ? "look for longer (--growth 30): no call was seen that allocates most of it"
                        : "the sampler of native calls could not be used: " + last.trouble();
    }

    List<String> advice() {
        return kind == null || (verdict == Verdict.UNDETERMINED && pile == null && call == null)
                ? List.of()
                : Stream.concat(known(kind), advice(kind).stream()).toList();
    }

    /** Known leaks of the very call or collection in these versions of its library. */
    private Stream<String> known(Kind of) {
        String named = (pile == null ? "" : pile.title() + " " + pile.file() + " " + pile.module())
                + (call == null ? "" : call.library() + " " + call.function() + " " + call.pythonSite());
        return KnownLeak.all().stream()
                .filter(leak -> leak.fits(last.versions(), of, named))
                .map(leak ->
                        "this looks like a known leak of " + leak.words() + ". " + leak.fixed() + " " + leak.link());
    }

    private List<String> advice(Kind of) {
        return switch (of) {
            case MALLOC_FREE ->
                List.of(
                        "set MALLOC_ARENA_MAX=2 before the start, so that fewer arenas keep free memory",
                        "call malloc_trim(0) (ctypes.CDLL(None).malloc_trim(0)) now and then, which gives it back to the system");
            case PYTHON_FREE ->
                List.of(
                        "keep long-lived results apart from short-lived objects, such as in a process of its own: an arena is given back only when nothing in it lives");
            case PINNED_CACHED ->
                List.of(
                        "call torch.accelerator.memory.empty_host_cache() when a phase ends",
                        "reuse one pinned buffer of the largest size: PyTorch keeps blocks of each size class");
            case PINNED_ROUNDING ->
                List.of(
                        "request sizes that are powers of two: PyTorch rounds pinned blocks up to one",
                        "set pinned_max_power2_size_mb in PYTORCH_ALLOC_CONF, where this PyTorch knows it, so that large blocks are not rounded");
            case COPY_ON_WRITE ->
                List.of(
                        "hold the data set in a numpy array or a tensor instead of a list of Python objects, whose pages workers do not write to");
            case FILE -> List.of("nothing: the system drops pages of files when it needs memory");
            case CHILDREN -> List.of("wait for the processes that have done their work, and end those that have not");
            case SHARED_MEMORY -> List.of("close and unlink each block when its reader is done");
            case NATIVE_LIVE, ANONYMOUS_MAPS -> List.of(ofNative());
            default ->
                verdict == Verdict.NO_LEAK
                        ? List.of()
                        : List.of("bound " + (pile == null ? "what keeps them" : pile.title())
                                + ", or remove what is done with");
        };
    }
}
