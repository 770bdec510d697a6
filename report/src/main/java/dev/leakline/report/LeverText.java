package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Fit;
import dev.leakline.result.Lever;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Lists what would lower a peak. */
final class LeverText {
    private LeverText() {}

    /** The changes; where {@code missed} is not null, each with whether it is enough for that device. */
    static List<String> lines(List<Lever> levers, @Nullable Fit missed, Style style) {
        Page page = new Page(style);
        if (!levers.isEmpty()) {
            page.heading("what would lower the peak (each alone; together they may save less)");
        }
        for (Lever lever : levers) {
            page.wrap("  ", lever.sentence() + (missed == null ? "" : enough(lever, missed)), style::bold);
            page.wrap("    ", lever.advice(), UnaryOperator.identity());
        }
        return page.lines();
    }

    /** Returns whether a change brings the peak under what the device has, as far as the interval of its savings lets one say. */
    private static String enough(Lever lever, Fit missed) {
        long before = lever.newPeakBytes() + lever.expectedBytes();
        if (!missed.endsEarly() && missed.holds(before - lever.leastBytes())) {
            return "; enough";
        }
        return missed.holds(before - lever.mostBytes()) ? "; may be enough" : "; not enough";
    }
}
