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
import java.util.regex.Pattern;
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
 * @param child the process below that grows most, 0 where ever more of them begin
 * @param call the call of native code that allocates it
 * @param looks how many looks there were
 * @param mayBeGarbage whether the collector may not have come to what grows
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
        long child,
        int looks,
        boolean mayBeGarbage) {

    private static final Pattern SINGULAR = Pattern.compile("free|rounding|data|PyTorch's");

    String sentence() {
        return judged() + (last.remark().isEmpty() ? "" : "; " + last.remark());
    }

    private String judged() {
        if (kind == null) {
            return verdict == Verdict.NO_LEAK
                    ? "the host's memory does not grow"
                    : "whether the host's memory grows is undetermined: "
                            + (rate > 0 ? "what is in use grows by " + ByteSize.format(rate) + " per second, but " : "")
                            + (rate > 0 && looks >= RowGrowth.FEWEST_LOOKS
                                    ? "too little in the time to say for what: look for longer"
                                    : Numbers.counted(looks, "look") + " in the time, which is too few");
        }
        boolean isPlural =
                kind.words().endsWith("s") && !SINGULAR.matcher(kind.words()).lookingAt();
        String grows = kind.words() + (isPlural ? " grow by " : " grows by ") + ByteSize.format(rate) + " per second";
        return switch (verdict) {
            case LEAK -> "the host's memory leaks: " + grows + kept();
            case CACHED ->
                "the host's memory is kept, not lost: " + grows + "; " + ByteSize.format(last.bytes(kind)) + " of "
                        + ByteSize.format(bytes) + (kind == Kind.FILE ? " can be dropped" : " are free");
            case NO_LEAK -> "the host's memory grows up to a bound: " + grows + bound();
            case UNDETERMINED ->
                "whether the host's memory leaks is undetermined: " + grows
                        + (mayBeGarbage
                                ? ", and no collection keeps most of it: it may be garbage that refers to itself,"
                                        + " which Python's collector has not come to in the time"
                                : last.isCoarse()
                                        ? ", free or in use"
                                        : ", but too unevenly, or in too few looks, to be sure")
                        + kept();
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
            return "; forked workers copy the pages of what they inherited when they count references to it, and there"
                    + " are no more of those than the parent has";
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
            return "free what " + (call.function() == null ? call.library() : call.function()) + " returns"
                    + (call.library().startsWith("libc.")
                            ? ""
                            : " or keeps, or report it to who makes " + call.library());
        }
        if (!last.trouble().isEmpty()) {
            return "the sampler of native calls could not be used: " + last.trouble();
        }
        return last.isSampled()
                ? "let it run, and look at it, for longer: no call was seen that allocates most of it"
                : "name the call that allocates: --native samples the calls of C and C++ code, from the start of a job"
                        + " or in a running one";
    }

    private String ofChildren() {
        return child == 0
                ? "wait for the processes that have done their work, and end those that have not"
                : "bound what process " + child
                        + " keeps, which grows most: what that is, the same look at that process tells while it runs";
    }

    List<String> advice() {
        return mayBeGarbage
                ? List.of("call gc.collect() in the job, or look for longer than its collector's period: what is still"
                        + " there afterwards is kept")
                : kind == null || (verdict == Verdict.UNDETERMINED && pile == null && call == null)
                        ? List.of()
                        : Stream.concat(known(kind), advice(kind).stream()).toList();
    }

    /** The known leak of the very call or collection in these versions of its library. */
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
                        "call malloc_trim(0) (ctypes.CDLL(None).malloc_trim(0)) now and then, which gives it back to"
                                + " the system");
            case PYTHON_FREE ->
                List.of("keep long-lived results apart from short-lived objects, such as in a process of its own: an"
                        + " arena is given back only when nothing in it lives");
            case PINNED_CACHED ->
                List.of(
                        "call torch.accelerator.memory.empty_host_cache() when a phase ends",
                        "reuse one pinned buffer of the largest size: PyTorch keeps blocks of each size class");
            case PINNED_ROUNDING ->
                List.of(
                        "request sizes that are powers of two: PyTorch rounds pinned blocks up to one",
                        "set pinned_max_power2_size_mb in PYTORCH_ALLOC_CONF, where this PyTorch knows it, so that"
                                + " large blocks are not rounded");
            case COPY_ON_WRITE ->
                List.of("hold the data set in a numpy array or a tensor instead of a list of Python objects, whose"
                        + " pages workers do not write to");
            case FILE -> List.of("nothing: the system drops pages of files when it needs memory");
            case CHILDREN -> List.of(ofChildren());
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
