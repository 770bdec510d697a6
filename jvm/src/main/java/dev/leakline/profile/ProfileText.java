package dev.leakline.profile;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Formats a summary as a table for people: one name a line, those that keep most in front. */
public final class ProfileText {
    private static final String ROW = "%12s  %10s  %11s  %9s  %9s  %s";

    private final ProfileSummary summary;
    private final List<String> lines = new ArrayList<>();

    private ProfileText(ProfileSummary summary) {
        this.summary = summary;
    }

    /** The lines, none longer than {@code columns} characters. */
    public static List<String> of(ProfileSummary summary, int columns) {
        ProfileText text = new ProfileText(summary);
        text.head();
        text.table();
        text.notes();
        return text.lines.stream().map(line -> Printable.of(line, columns)).toList();
    }

    private void head() {
        lines.add(summary.basis() == Basis.NONE ? "in use: unknown" : used());
        lines.add("");
    }

    private String used() {
        String now = ByteSize.format(summary.basis().used(summary.last()));
        String growth = summary.growth().isEmpty()
                ? ""
                : ", " + signed(summary.growth().getAsLong()) + " in " + time(summary.elapsed());
        return "in use: " + now + growth + "; by what is " + summary.basis().words();
    }

    private void table() {
        lines.add(ROW.formatted("kept a call", "kept", "rises by", "calls", "time", "call"));
        summary.calls().forEach(this::row);
        summary.growthBetween()
                .ifPresent(bytes -> lines.add(ROW.formatted("", signed(bytes), "", "", "", "(between the calls)")));
    }

    private void row(CallSummary call) {
        boolean isMeasured = call.measured() > 0;
        String failed = call.failures() == 0 ? "" : "  (" + call.failures() + " failed)";
        lines.add(ROW.formatted(
                isMeasured ? signed(Math.round(call.ownGrowthPerCall())) : "?",
                isMeasured ? signed(call.ownGrowth()) : "?",
                isMeasured ? (call.peak().isExact() ? "" : "≥ ") + ByteSize.format(call.rise()) : "?",
                Numbers.grouped(call.calls()),
                time(call.time()),
                call.name() + failed));
    }

    private void notes() {
        note(CallSummary::unmeasured, "could not be measured: " + reason());
        note(CallSummary::shared, "ran in parallel with other threads' calls; their figures include what those kept");
    }

    private void note(ToLongFunction<CallSummary> count, String what) {
        long calls = summary.calls().stream().mapToLong(count).sum();
        if (calls > 0) {
            lines.add("");
            lines.add(calls + " calls " + what);
        }
    }

    private String reason() {
        return summary.lastFailure() == null
                ? "more than " + PeakWindows.MOST + " were open at the same time"
                : "the source failed " + summary.sourceFailures() + " times; last error: " + summary.lastFailure();
    }

    private static String signed(long bytes) {
        return (bytes > 0 ? "+" : "") + ByteSize.format(bytes);
    }

    private static String time(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        return seconds < 1
                ? String.format(Locale.ROOT, "%.3g ms", seconds * 1e3)
                : String.format(Locale.ROOT, "%.2f s", seconds);
    }
}
