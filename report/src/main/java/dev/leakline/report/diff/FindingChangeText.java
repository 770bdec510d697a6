package dev.leakline.report.diff;

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
            return amount(change.finding()) + "; id " + change.id();
        }
        String rest = moved(was, is) + "; id " + change.id();
        return was.growth() == null || is.growth() == null ? sizes(was, is) + rest : rates(change, was, is) + rest;
    }

    private static String amount(Finding finding) {
        return finding.growth() == null
                ? held(finding.bytes())
                : rate(finding) + interval(finding) + ", " + (finding.bytes() > 0 ? "at most " : "")
                        + held(finding.bytes());
    }

    private static String held(long bytes) {
        return bytes > 0 ? ByteSize.format(bytes) + " held" : "no bytes of its own";
    }

    private static String sizes(Finding was, Finding is) {
        return ByteSize.format(was.bytes()) + " -> " + ByteSize.format(is.bytes()) + " at most";
    }

    private static String rates(FindingChange change, Finding was, Finding is) {
        String both = rate(was).equals(rate(is))
                ? rate(is) + " on both sides"
                : size(was.bytesPerStep()) + " -> " + rate(is) + times(change.ratio());
        return both
                + switch (change.change()) {
                    case UNCLEAR -> "; their steps differ";
                    case SAME -> rate(was).equals(rate(is)) ? "" : ", within noise" + intervals(was, is);
                    default -> intervals(was, is);
                };
    }

    private static String times(double ratio) {
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, ", %.2f times as much", ratio) : "";
    }

    /** The intervals, where one of them has any width. */
    private static String intervals(Finding was, Finding is) {
        String before = range(was);
        String after = range(is);
        return before == null && after == null ? "" : " (" + shown(before, was) + "; now " + shown(after, is) + ")";
    }

    private static String shown(@Nullable String range, Finding finding) {
        return range == null ? size(finding.bytesPerStep()) : range;
    }

    private static String interval(Finding finding) {
        String range = range(finding);
        return range == null ? "" : " (" + range + ")";
    }

    private static @Nullable String range(Finding finding) {
        Growth growth = finding.growth();
        String low = size(growth == null ? Double.NaN : growth.low());
        String high = size(growth == null ? Double.NaN : growth.high());
        return low.equals(high) ? null : low + " to " + high;
    }

    private static String rate(Finding finding) {
        return size(finding.bytesPerStep()) + " per step";
    }

    private static String moved(Finding was, Finding is) {
        boolean isSame = was.site().equals(is.site());
        return isSame ? "" : "; before it was at " + was.site().brief();
    }

    private static String size(double bytes) {
        return ByteSize.format(Math.round(bytes));
    }
}
