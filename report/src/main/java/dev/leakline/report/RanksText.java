package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Finding;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobComparison.Group;
import dev.leakline.result.JobComparison.LineDifference;
import dev.leakline.result.JobComparison.Odd;
import dev.leakline.result.JobComparison.Rank;
import dev.leakline.text.ByteSize;
import dev.leakline.text.NumberRanges;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Prints the comparison of a job's ranks for people at a terminal; ranks that do the same are one line where there are many. */
public final class RanksText {
    /** Ranks that are listed each by itself. */
    private static final int FEW = 16;
    /** Odd ranks that are told of in full. */
    private static final int MOST_ODD = 8;
    /** Groups that are listed; where there are more, nobody looks for the differences among all of them. */
    private static final int MOST_GROUPS = 24;
    /** Files that are listed; a folder of a thousand torn files has one reason. */
    private static final int MOST_FILES = 5;

    private static final int BAR = 14;
    private static final int LABEL = 9;

    private final JobComparison job;
    private final Style style;
    private final Page page;

    private RanksText(JobComparison job, Style style) {
        this.job = job;
        this.style = style;
        this.page = new Page(style);
    }

    /** The whole text, with a line feed after each line. */
    public static String of(JobComparison job, Style style) {
        RanksText text = new RanksText(job, style);
        text.write();
        return String.join("\n", text.page.lines()) + "\n";
    }

    /** The text without its headline. */
    public static String detail(JobComparison job, Style style) {
        RanksText text = new RanksText(job, style);
        text.writeDetail();
        return String.join("\n", text.page.lines()).strip() + "\n";
    }

    /** The odd ranks that are told of in full. */
    public static List<Odd> told(JobComparison job) {
        return job.odd().subList(0, Math.min(job.odd().size(), MOST_ODD));
    }

    private void write() {
        page.wrap("", job.headline(), job.odd().isEmpty() && job.leakRanks().isEmpty() ? style::bold : this::alarm);
        writeDetail();
    }

    private void writeDetail() {
        odd();
        leaks();
        groups();
        ranks();
        page.heading("the job");
        page.text(job.parallelism().sentence());
        page.text(job.balance());
        if (job.firstOom() != null && !job.firstOom().hasFailed()) {
            page.text(job.firstOom().sentence());
        } else if (job.firstOom() == null && !job.leakRanks().isEmpty()) {
            page.text("When memory will be full is not known; give --device-memory 80GiB.");
        }
        files();
    }

    private String alarm(String text) {
        return style.bold(style.alarm(text));
    }

    private void odd() {
        if (job.odd().isEmpty()) {
            return;
        }
        told(job).forEach(this::odd);
        if (job.odd().size() > MOST_ODD) {
            page.text("and " + Numbers.counted(job.odd().size() - (long) MOST_ODD, "more rank") + ", all in the JSON");
        }
    }

    private void odd(Odd odd) {
        page.heading("odd: rank " + odd.rank());
        page.text(sentence(odd.why()));
        page.line(style.faint(row("  ", "rank " + odd.rank(), "its peers", "", "at")));
        for (LineDifference line : odd.lines()) {
            page.line(row(
                    "  ",
                    ByteSize.format(line.bytes()),
                    ByteSize.format(line.peers()),
                    "",
                    Printable.of(line.site().label())));
        }
    }

    private static String sentence(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
    }

    private String row(String indent, String first, String second, String third, String last) {
        String figures = String.format(Locale.ROOT, "%s%10s  %10s%s  ", indent, first, second, third);
        return figures + cut(last, style.columns() - figures.length());
    }

    /** The end of a text, which tells more of a path than its beginning. */
    private String cut(String text, int most) {
        int width = Math.max(most, 8);
        return text.length() <= width
                ? text
                : style.ellipsis()
                        + text.substring(
                                text.length() - width + style.ellipsis().length());
    }

    private void leaks() {
        if (job.findings().isEmpty()) {
            return;
        }
        page.heading("leaks");
        for (Finding leak : job.findings()) {
            String ranks = leak.ranks().size() == job.ranks().size()
                    ? "all ranks"
                    : (leak.ranks().size() == 1 ? "rank " : "ranks ") + NumberRanges.of(leak.ranks());
            page.text(ranks + ": " + leak.title() + ", at " + leak.site().brief() + "; grows by up to "
                    + ByteSize.format(leak.bytesPerStep()) + " per step (" + leak.id() + ")");
            if (leak.source() != null) {
                page.lines(SourceText.lines(leak.source(), leak.site().frame().line(), style));
                page.blank();
                page.lines(AdviceText.lines(leak.advice(), style));
            }
        }
    }

    private void groups() {
        page.heading("ranks that do the same");
        for (Group group : shownGroups()) {
            String note = group.isOdd() ? ", odd" : "";
            page.text(
                    group.label() + note + ": " + Numbers.counted(group.ranks().size(), "rank") + ", peak "
                            + ByteSize.format(group.peak()) + ", of it " + ByteSize.format(group.modelBytes())
                            + " model and optimizer");
        }
        if (job.groups().size() > MOST_GROUPS) {
            page.text("and " + Numbers.counted(job.groups().size() - (long) MOST_GROUPS, "more group")
                    + ", all in the JSON");
        }
    }

    private List<Group> shownGroups() {
        return job.groups().subList(0, Math.min(job.groups().size(), MOST_GROUPS));
    }

    /** Each rank where they are few; else those of a group in one line, with the largest peak among them. */
    private void ranks() {
        page.heading("peaks");
        List<Bar> bars = new ArrayList<>();
        if (job.ranks().size() <= FEW) {
            job.ranks().forEach(rank -> bars.add(new Bar(String.valueOf(rank.rank()), rank.peak(), noted(rank))));
        } else {
            for (Group group : shownGroups()) {
                String files = Numbers.counted(group.ranks().size(), "rank");
                bars.add(new Bar(NumberRanges.of(group.ranks()), group.peak(), files));
            }
        }
        int width = Math.max(
                LABEL, bars.stream().mapToInt(bar -> bar.label.length()).max().orElse(0));
        bars.forEach(bar -> draw(bar, Math.min(width, style.columns() / 3)));
    }

    private record Bar(String label, long bytes, String note) {}

    private void draw(Bar bar, int width) {
        double share = (double) bar.bytes / Math.max(job.largestPeak(), 1);
        String label = cut(bar.label, width);
        String figures = "  " + " ".repeat(Math.max(width - label.length(), 0)) + label
                + String.format(Locale.ROOT, "  %9s  ", ByteSize.format(bar.bytes)) + style.bar(share, BAR) + "  ";
        page.line((figures + cut(Printable.of(bar.note), style.columns() - figures.length())).stripTrailing());
    }

    private static String noted(Rank rank) {
        return rank.note().isEmpty() ? rank.file() : rank.note();
    }

    private void files() {
        List<String> lines = new ArrayList<>();
        if (!job.missing().isEmpty()) {
            lines.add(
                    "no file of " + (job.missing().size() == 1 ? "rank " : "ranks ") + NumberRanges.of(job.missing()));
        }
        job.unreadable().stream()
                .limit(MOST_FILES)
                .forEach(file -> lines.add("not compared: " + file.file() + ": " + file.reason()));
        if (job.unreadable().size() > MOST_FILES) {
            lines.add("and " + Numbers.counted(job.unreadable().size() - (long) MOST_FILES, "more file")
                    + " that could not be read");
        }
        if (!job.replaced().isEmpty()) {
            lines.add(Numbers.counted(job.replaced().size(), "file") + " of earlier iterations left out, such as "
                    + job.replaced().getFirst().file());
        }
        for (Rank rank : job.ranks()) {
            if (!rank.note().isEmpty() && job.ranks().size() > FEW && lines.size() < 2 * MOST_FILES) {
                lines.add("rank " + rank.rank() + ": " + rank.note());
            }
        }
        if (!lines.isEmpty()) {
            page.heading("files");
            lines.forEach(line -> page.wrap("  - ", line, UnaryOperator.identity()));
        }
    }
}
