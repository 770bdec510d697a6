package dev.leakline.report;

import dev.leakline.result.JobProcess;
import dev.leakline.result.JobProcess.Collected;
import dev.leakline.result.JobProcess.Cycle;
import dev.leakline.result.JobProcess.ProfiledFunction;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints what the probe counted in processes: profiled functions by their peaks, and what the garbage collector freed. */
public final class CountersText {
    private static final String ROW = "  %10s  %10s  %10s  %9s  %9s  %s";

    private CountersText() {}

    /** The lines of all processes; no line where nothing was counted. At most {@code rows} functions and cycles are shown of each. */
    public static List<String> lines(List<JobProcess> processes, int rows) {
        List<String> lines = new ArrayList<>();
        for (JobProcess process : processes) {
            List<String> own = new ArrayList<>(collected(process.collected(), rows));
            own.addAll(functions(process.functions(), rows));
            if (!own.isEmpty()) {
                lines.add("");
                lines.add("process " + process.pid());
                lines.addAll(own);
            }
        }
        return lines;
    }

    /** Functions, those of the highest peak first. */
    private static List<String> functions(List<ProfiledFunction> functions, int rows) {
        List<String> lines = new ArrayList<>();
        if (!functions.isEmpty()) {
            lines.add("functions by peak");
            lines.add(ROW.formatted("peak", "its own", "keeps", "calls", "longest", "function"));
            functions.stream()
                    .sorted(Comparator.comparingLong(ProfiledFunction::peakBytes)
                            .reversed())
                    .limit(rows)
                    .forEach(function -> lines.add(row(function)));
        }
        if (functions.size() > rows) {
            lines.add("  " + (functions.size() - rows) + " more");
        }
        return lines;
    }

    /** The memory that only the garbage collector freed, and why. */
    private static List<String> collected(@Nullable Collected collected, int cycles) {
        List<String> lines = new ArrayList<>();
        if (collected != null) {
            lines.add("freed only by the garbage collector: "
                    + Numbers.amount(collected.bytes(), collected.collections(), "collection"));
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
                ByteSize.format(function.peakBytes()),
                ByteSize.format(function.mostBytes()),
                signed(function.keptBytes()),
                function.calls(),
                String.format(Locale.ROOT, "%.3f s", function.longestSeconds()),
                Printable.of(function.name()) + raised);
    }

    private static String signed(long bytes) {
        return bytes < 0 ? "-" + ByteSize.format(-bytes) : ByteSize.format(bytes);
    }
}
