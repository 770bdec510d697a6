package dev.leakline.host;

import dev.leakline.known.FrameOwner;
import dev.leakline.objects.HostCall;
import dev.leakline.objects.HostLook;
import dev.leakline.result.Frame;
import dev.leakline.result.HostMemory.NativeCall;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The calls of native code that were sampled at looks: which of them has grown. */
final class NativeCalls {
    /** Bytes that came by each call, which has none itself here. */
    private final Map<NativeCall, Long> grown = new HashMap<>();

    NativeCalls(List<HostLook> all) {
        List<HostLook> looks =
                all.stream().filter(look -> !look.calls().isEmpty()).toList();
        if (!looks.isEmpty()) {
            looks.getLast().calls().forEach(call -> grown.merge(place(call), call.bytes(), Long::sum));
        }
        if (looks.size() > 1) {
            looks.getFirst().calls().forEach(call -> grown.merge(place(call), -call.bytes(), Long::sum));
        }
    }

    private static NativeCall place(HostCall call) {
        return new NativeCall(
                call.library(), call.function().isEmpty() ? null : call.function(), site(call.frames()), 0);
    }

    /** The innermost line of the user's; without one, the innermost of a package. */
    private static @Nullable Frame site(List<Frame> frames) {
        return frames.stream()
                .min(Comparator.comparing(frame -> FrameOwner.of(frame.file(), frame.line())))
                .orElse(null);
    }

    /** The call with most new bytes, else the line of Python by whose calls of a library most came; empty where that has less than {@code least}. */
    Optional<NativeCall> largest(double least) {
        Map<NativeCall, Long> ofLines = new HashMap<>();
        grown.forEach((call, bytes) ->
                ofLines.merge(new NativeCall(call.library(), null, call.pythonSite(), 0), bytes, Long::sum));
        return largest(grown, least).or(() -> largest(ofLines, least));
    }

    private static Optional<NativeCall> largest(Map<NativeCall, Long> calls, double least) {
        return calls.entrySet().stream()
                .filter(call -> call.getValue() >= Math.max(1, least))
                .max(Map.Entry.comparingByValue())
                .map(call -> call.getKey().with(call.getValue()));
    }
}
