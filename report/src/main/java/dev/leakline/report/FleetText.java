package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.FleetReport;
import dev.leakline.result.FleetReport.Group;
import dev.leakline.result.FleetReport.Leak;
import dev.leakline.result.FleetReport.Outlier;
import dev.leakline.result.FleetReport.Size;
import dev.leakline.result.JobSummary.UnreadableFile;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Prints what the tables of a fleet answer, for people at a terminal. */
public final class FleetText {

    private final FleetReport report;
    private final Page page;
    private final Style style;

    private FleetText(FleetReport report, Style style) {
        this.report = report;
        this.style = style;
        this.page = new Page(style);
    }

    /** The whole text, with a line feed after each line. */
    public static String of(FleetReport report, Style style) {
        FleetText text = new FleetText(report, style);
        text.write();
        return String.join("\n", text.page.lines()) + "\n";
    }

    private void write() {
        page.wrap("", size(report.size()), style::bold);
        switch (report.question()) {
            case SIZE, UNREADABLE -> unreadable();
            case LEAKS -> leaks("leaks by hours of jobs");
            case RATES -> leaks("leaks by their rate");
            case NEW -> leaks("leaks not seen before " + report.since());
            case REGRESSED -> leaks("leaks that began or grew faster with version " + report.since());
            case HOSTS -> groups("host");
            case VERSIONS -> groups("version");
            case TEAMS -> groups("team");
            case OUTLIERS -> outliers();
        }
    }

    private static String size(Size size) {
        String added = size.added() == 0 ? "" : ", " + Numbers.grouped(size.added()) + " of them new";
        return Numbers.counted(size.recordings(), "recording") + " of " + Numbers.counted(size.jobs(), "job") + " in "
                + Numbers.counted(size.files(), "file") + " (" + ByteSize.format(size.bytes()) + ")" + added + "; "
                + Numbers.grouped(size.unreadable()) + " could not be read, or not to the end";
    }

    private void unreadable() {
        for (UnreadableFile file : report.unreadable()) {
            page.text(file.path() + ": " + file.reason());
        }
    }

    private void leaks(String title) {
        page.heading(title);
        if (report.leaks().isEmpty()) {
            page.text("none");
        }
        report.leaks().forEach(this::leak);
    }

    private void leak(Leak leak) {
        page.wrap(
                "  " + hours(leak) + "  ",
                leak.title() + ", at " + leak.site().brief() + " (" + leak.id() + ")",
                style::bold);
        page.wrap(" ".repeat(14), facts(leak), text -> text);
        page.wrap(" ".repeat(14), "most in " + leak.path(), style::faint);
    }

    private static String hours(Leak leak) {
        return String.format(Locale.ROOT, "%10s", Numbers.span(leak.jobMicros()));
    }

    private static String facts(Leak leak) {
        StringBuilder facts =
                new StringBuilder(Numbers.counted(leak.jobs(), "job") + ", " + Numbers.counted(leak.files(), "file"));
        if (leak.hosts() > 0) {
            facts.append(", ").append(Numbers.counted(leak.hosts(), "host"));
        }
        if (!Double.isNaN(leak.bytesPerSecond())) {
            facts.append("; up to ")
                    .append(ByteSize.format(leak.bytesPerSecond()))
                    .append(" per second");
        }
        if (!Double.isNaN(leak.bytesPerStepBefore())) {
            facts.append("; per step ")
                    .append(ByteSize.format(leak.bytesPerStepBefore()))
                    .append(" before, now ")
                    .append(ByteSize.format(leak.bytesPerStep()));
        }
        if (!leak.versions().isEmpty()) {
            facts.append("; versions ").append(String.join(", ", leak.versions()));
        }
        return facts.append("; seen from ")
                .append(date(leak.firstSeenUs()))
                .append(" to ")
                .append(date(leak.lastSeenUs()))
                .toString();
    }

    private static String date(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString().substring(0, "2026-11-22".length());
    }

    private void groups(String column) {
        page.heading("by " + column);
        page.line(style.faint(
                row("files", "jobs", "leaking", "no memory", "unreadable", "middle peak", "largest", column)));
        for (Group group : report.groups()) {
            page.line(row(
                    Numbers.grouped(group.files()),
                    Numbers.grouped(group.jobs()),
                    Numbers.grouped(group.leaking()),
                    Numbers.grouped(group.outOfMemory()),
                    Numbers.grouped(group.unreadable()),
                    ByteSize.format(group.middlePeak()),
                    ByteSize.format(group.largestPeak()),
                    group.name() == null ? "(not known)" : Printable.of(group.name())));
        }
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "  %9s %7s %8s %9s %10s %12s %10s  %s", cells);
    }

    private void outliers() {
        page.heading("processes that differ from those of their job");
        if (report.outliers().isEmpty()) {
            page.text("none");
        }
        String job = "";
        for (Outlier outlier : report.outliers()) {
            if (!outlier.job().equals(job)) {
                job = outlier.job();
                page.text(job, style::bold);
            }
            page.wrap("    ", outlier.sentence() + " (" + outlier.file() + ")", text -> text);
        }
    }
}
