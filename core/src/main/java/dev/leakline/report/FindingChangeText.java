package dev.leakline.report;

import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Finding;
import dev.leakline.result.Growth;
import dev.leakline.text.ByteSize;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The figures of a finding before and after, in a sentence. */
final class FindingChangeText {
    private FindingChangeText() {}

    static String of(FindingChange change) {
        Finding was = change.before();
        Finding is = change.after();
        if (was == null || is == null) {
            return amount(change.finding()) + "; id " + change.finding().id();
        }
        String rest = moved(was, is) + "; id " + is.id();
        Growth slow = was.growth();
        Growth fast = is.growth();
        return slow == null || fast == null ? sizes(was, is) + rest : rates(change, slow, fast) + rest;
    }

    private static String amount(Finding finding) {
        Growth growth = finding.growth();
        return growth == null
                ? held(finding.bytes())
                : rate(growth) + interval(growth) + ", " + held(finding.bytes()) + " when most was";
    }

    private static String held(long bytes) {
        return bytes > 0 ? ByteSize.format(bytes) + " held" : "no bytes are its own";
    }

    private static String sizes(Finding was, Finding is) {
        return ByteSize.format(was.bytes()) + " -> " + ByteSize.format(is.bytes()) + " held when most was";
    }

    private static String rates(FindingChange change, Growth was, Growth is) {
        String both = rate(was).equals(rate(is))
                ? rate(is) + " on both sides"
                : size(was.bytesPerStep()) + " -> " + rate(is) + times(change.ratio());
        return both
                + switch (change.change()) {
                    case UNCLEAR -> ", where a step is not the same";
                    case SAME -> rate(was).equals(rate(is)) ? "" : ", which is within the noise" + intervals(was, is);
                    default -> intervals(was, is);
                };
    }

    private static String times(double ratio) {
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, ", %.2f times as much", ratio) : "";
    }

    /** The intervals, where one of them has any width. */
    private static String intervals(Growth was, Growth is) {
        String before = range(was);
        String after = range(is);
        return before == null && after == null ? "" : " (" + shown(before, was) + "; now " + shown(after, is) + ")";
    }

    private static String shown(@Nullable String range, Growth growth) {
        return range == null ? size(growth.bytesPerStep()) : range;
    }

    private static String interval(Growth growth) {
        String range = range(growth);
        return range == null ? "" : " (" + range + ")";
    }

    private static @Nullable String range(Growth growth) {
        String low = size(growth.lowBytesPerStep());
        String high = size(growth.highBytesPerStep());
        return low.equals(high) ? null : low + " to " + high;
    }

    private static String rate(Growth growth) {
        return size(growth.bytesPerStep()) + " per step";
    }

    private static String moved(Finding was, Finding is) {
        boolean isSame = was.site().equals(is.site());
        return isSame ? "" : "; before it was at " + Labels.brief(was.site());
    }

    private static String size(double bytes) {
        return ByteSize.format(Math.round(bytes));
    }
}
