package dev.leakline.patterns;

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
record Profiled(List<ProfiledCall> calls, Map<String, List<ProfiledCall>> functions) {
    static Profiled of(List<ProfiledCall> calls) {
        Map<String, List<ProfiledCall>> functions = new LinkedHashMap<>();
        for (ProfiledCall call : calls) {
            functions.computeIfAbsent(call.function(), _ -> new ArrayList<>()).add(call);
        }
        return new Profiled(calls, functions);
    }

    /** The functions that were called at least so often. */
    Map<String, List<ProfiledCall>> calledAtLeast(int fewest) {
        Map<String, List<ProfiledCall>> often = new LinkedHashMap<>(functions);
        often.values().removeIf(calls -> calls.size() < fewest);
        return often;
    }

    /** A figure of each call. */
    static double[] values(Collection<ProfiledCall> calls, ToDoubleFunction<ProfiledCall> figure) {
        return calls.stream().mapToDouble(figure).toArray();
    }
}
