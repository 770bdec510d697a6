package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.MemoryPattern.Kind;
import dev.leakline.statistics.Quantile;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.Map;

/**
 * Finds functions whose calls ask the driver for memory again and again.
 *
 * <p>To allocate the same again and again is cheap as long as the allocator has it in its cache, and no reason to change a program. It is dear
 * where what is reserved rises in a call and has fallen before the next: each time the driver waits for all that runs on the device.
 */
final class RepetitionRule {
    /** Fewer calls say little of a loop. */
    private static final int FEWEST = 10;
    /** Where fewer than half of the calls ask, most run at full speed; warm-up is over in the second half. */
    private static final double MOST = 0.5;
    /** Where less than half of it goes back, memory grows; that is for others to judge. */
    private static final double GIVEN_BACK = 0.5;

    private RepetitionRule() {}

    /** The pattern in the calls of a function on a device. */
    static void find(int device, String function, List<ProfiledCall> calls, List<FoundPattern> found) {
        if (calls.size() < FEWEST || calls.stream().noneMatch(RepetitionRule::hasCache)) {
            return;
        }
        List<ProfiledCall> late = calls.subList(calls.size() / 2, calls.size());
        double[] asked = Profiled.values(late, RepetitionRule::asked);
        long often = late.stream().filter(call -> asked(call) > 0).count();
        double sum = 0;
        for (double bytes : asked) {
            sum += bytes;
        }
        long grown =
                late.getLast().after().reserved() - late.getFirst().before().reserved();
        if (often >= MOST * late.size() && sum - grown >= GIVEN_BACK * sum) {
            double median = Quantile.median(asked);
            Map<String, Object> metrics = NamedFigures.of(
                    "call_count",
                    (long) calls.size(),
                    "driver_calls_share",
                    (double) often / late.size(),
                    "memory_per_call",
                    median);
            found.add(FoundPattern.of(
                    Kind.REPEATED_ALLOCATIONS,
                    Severity.INFO,
                    List.of(function),
                    FunctionNames.quoted(function) + " requests memory from the driver in "
                            + Numbers.percent((double) often / late.size()) + " of its calls, "
                            + ByteSize.format(median) + " each, and returns it",
                    metrics,
                    Suggestion.DRIVER,
                    device,
                    (long) median));
        }
    }

    /** Returns whether more is reserved than allocated; where that is never so, nobody measured what is reserved. */
    private static boolean hasCache(ProfiledCall call) {
        return call.after().reserved() > call.after().allocated();
    }

    /** By how much what is reserved rises within a call. */
    private static double asked(ProfiledCall call) {
        return Math.max(call.peak().reserved() - call.before().reserved(), 0);
    }
}
