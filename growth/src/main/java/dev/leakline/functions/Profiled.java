package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The calls of a profile, all of them and by function.
 *
 * @param calls in the order in which the profiler wrote them
 * @param functions the calls of each function, in the order of the functions' first calls
 */
public record Profiled(List<ProfiledCall> calls, Map<String, List<ProfiledCall>> functions) {
    /** Groups calls; those whose times are no numbers cannot be compared, and are left out. */
    static Profiled of(List<ProfiledCall> all) {
        List<ProfiledCall> calls = all.stream().filter(Profiled::isTimed).toList();
        Map<String, List<ProfiledCall>> functions = new LinkedHashMap<>();
        for (ProfiledCall call : calls) {
            functions.computeIfAbsent(call.function(), _ -> new ArrayList<>()).add(call);
        }
        return new Profiled(calls, functions);
    }

    private static boolean isTimed(ProfiledCall call) {
        return Double.isFinite(call.seconds())
                && Double.isFinite(call.before().time())
                && Double.isFinite(call.after().time());
    }

    /** The device of the first call; the only one in most profiles. */
    public int device() {
        return calls.isEmpty() ? 0 : calls.getFirst().after().device();
    }

    /** The functions that were called at least so often. */
    public Map<String, List<ProfiledCall>> calledAtLeast(int fewest) {
        Map<String, List<ProfiledCall>> often = new LinkedHashMap<>(functions);
        often.values().removeIf(calls -> calls.size() < fewest);
        return often;
    }

    /** A figure of each call. */
    public static double[] values(Collection<ProfiledCall> calls, ToDoubleFunction<ProfiledCall> figure) {
        return calls.stream().mapToDouble(figure).toArray();
    }
}
