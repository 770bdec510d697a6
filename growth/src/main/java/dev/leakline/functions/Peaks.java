package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The most that was allocated in the calls of functions on a device. */
final class Peaks {
    private String highestFunction = "";
    private long highest;
    private long second;

    Peaks(Map<String, List<ProfiledCall>> functions) {
        functions.forEach((function, calls) -> {
            long peak = of(calls);
            if (peak > highest) {
                second = highest;
                highest = peak;
                highestFunction = function;
            } else {
                second = Math.max(second, peak);
            }
        });
    }

    /** The highest peak of all functions. */
    long highest() {
        return highest;
    }

    /** The highest peak of all functions but one. */
    long highestBut(String function) {
        return function.equals(highestFunction) ? second : highest;
    }

    /** The highest peak of some calls. */
    static long of(Collection<ProfiledCall> calls) {
        return calls.stream().mapToLong(Peaks::of).max().orElse(0);
    }

    /** The peak of a call; some files give peaks below the memory at its end. */
    static long of(ProfiledCall call) {
        return Math.max(call.peak().allocated(), call.after().allocated());
    }

    /** The most that a call took for itself: what it gave back before it returned. */
    static long ownOf(ProfiledCall call) {
        long ends = Math.max(call.before().allocated(), call.after().allocated());
        return Math.max(call.peak().allocated() - ends, 0);
    }

    /** The most that a call added to what there was. */
    static long takenBy(ProfiledCall call) {
        return Math.max(of(call) - call.before().allocated(), 0);
    }
}
