package dev.leakline.cli;

import dev.leakline.attach.ProbeCounters.Collected;
import dev.leakline.attach.ProbeCounters.Cycle;
import dev.leakline.attach.ProfiledFunction;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Prints the probe's counters when a job ends: functions by their peaks, and what the garbage collector freed. */
final class CountersText {
    private static final String ROW = "  %10s  %10s  %10s  %9s  %9s  %s";

    private CountersText() {}

    /** Functions, those of the highest peak first, at most {@code rows}; no line where there are none. */
    static List<String> functions(List<ProfiledFunction> functions, int rows) {
        List<String> lines = new ArrayList<>();
        if (!functions.isEmpty()) {
            lines.add("functions by peak");
            lines.add(ROW.formatted("peak", "its own", "keeps", "calls", "longest", "function"));
            functions.stream()
                    .sorted(Comparator.comparingLong(ProfiledFunction::peak).reversed())
                    .limit(rows)
                    .forEach(function -> lines.add(row(function)));
        }
        if (functions.size() > rows) {
            lines.add("  " + (functions.size() - rows) + " more");
        }
        return lines;
    }

    /** The memory that only the garbage collector freed, and why; no line if there is none. */
    static List<String> collected(Collected collected, int cycles) {
        List<String> lines = new ArrayList<>();
        if (collected.runs() > 0) {
            lines.add("freed only by the garbage collector: "
                    + Numbers.amount(collected.bytes(), collected.runs(), "collection"));
            for (Cycle cycle : collected.cycles().stream().limit(cycles).toList()) {
                lines.add("  cycle     " + Printable.of(cycle.text()));
                lines.add("  leads to  " + Printable.of(cycle.leadsTo()));
            }
        }
        return lines;
    }

    private static String row(ProfiledFunction function) {
        String raised = function.raised() == 0 ? "" : ", " + function.raised() + " raised an error";
        return ROW.formatted(
                ByteSize.format(function.peak()),
                ByteSize.format(function.most()),
                signed(function.kept()),
                function.calls(),
                String.format(Locale.ROOT, "%.3f s", function.longest()),
                Printable.of(function.name()) + raised);
    }

    private static String signed(long bytes) {
        return bytes < 0 ? "-" + ByteSize.format(-bytes) : ByteSize.format(bytes);
    }
}
