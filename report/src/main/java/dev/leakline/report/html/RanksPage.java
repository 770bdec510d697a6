package dev.leakline.report.html;

import dev.leakline.report.RanksText;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobComparison.Group;
import dev.leakline.result.JobComparison.Rank;
import dev.leakline.text.ByteSize;
import dev.leakline.text.NumberRanges;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The comparison of a job's ranks as one HTML file without a script: what is odd, in words, and the memory of each line in each rank as a
 * table whose cells are the darker the more they hold, so that it can be read, searched and printed as it is. Ranks that do the same are
 * one column where there are many.
 */
public final class RanksPage {
    /** Columns that fit beside each other; more ranks than that are shown group by group. */
    private static final int MOST_COLUMNS = 64;
    /** Shades of a cell, from nothing to all. */
    private static final int SHADES = 10;

    private static final String STYLE = """
            :root { color-scheme: light dark; }
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
            h1 { font-size: 1.3rem; line-height: 1.4; }
            h2 { font-size: 1.1rem; margin-top: 2rem; }
            pre { overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; }
            .map { overflow-x: auto; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th, td { padding: .15rem .4rem; text-align: right; white-space: nowrap; font-size: 12px; }
            tbody th { text-align: left; font-weight: normal; position: sticky; left: 0; background: Canvas; max-width: 26rem;
                overflow: hidden; text-overflow: ellipsis; }
            thead th { vertical-align: bottom; }
            .odd { outline: 2px solid #c2410c; outline-offset: -2px; }
            """;

    private final JobComparison job;
    private final List<Column> columns = new ArrayList<>();
    private final StringBuilder page = new StringBuilder();

    /** Ranks that are shown in one column: their places among all. */
    private record Column(String label, String title, List<Integer> places, boolean isOdd) {}

    private RanksPage(JobComparison job) {
        this.job = job;
        if (job.ranks().size() <= MOST_COLUMNS) {
            for (int place = 0; place < job.ranks().size(); place++) {
                Rank rank = job.ranks().get(place);
                boolean isOdd = job.groups().get(rank.group()).isOdd();
                columns.add(new Column(String.valueOf(rank.rank()), rank.file(), List.of(place), isOdd));
            }
        } else {
            for (int number = 0; number < job.groups().size(); number++) {
                Group group = job.groups().get(number);
                columns.add(new Column(NumberRanges.of(group.ranks()), group.label(), places(number), group.isOdd()));
            }
        }
    }

    private List<Integer> places(int group) {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < job.ranks().size(); place++) {
            if (job.ranks().get(place).group() == group) {
                places.add(place);
            }
        }
        return places;
    }

    /** Writes the page and flushes, but does not close. */
    public static void write(JobComparison job, Writer out) throws IOException {
        out.write(new RanksPage(job).page());
        out.flush();
    }

    private String page() {
        String style = STYLE + shades();
        String policy =
                "default-src 'none'; style-src '" + HtmlReport.hash(style) + "'; base-uri 'none'; form-action 'none'";
        page.append(
                HtmlReport.beginning(policy, job.tool().version(), Printable.of("Leakline: " + job.headline()), style));
        page.append("<h1>").append(escaped(job.headline())).append("</h1>\n<pre>");
        page.append(HtmlReport.escaped(RanksText.detail(job, new Style(110, false, true))))
                .append("</pre>\n");
        map();
        files();
        return page.append("</body>\n</html>\n").toString();
    }

    /** Dark enough to see the largest at once, light enough to read what stands on it, in both colour schemes. */
    private static String shades() {
        StringBuilder style = new StringBuilder();
        for (int shade = 1; shade <= SHADES; shade++) {
            style.append(".s%d { background: rgb(234 120 30 / %d%%); }\n".formatted(shade, shade * 8));
        }
        return style.toString();
    }

    private void map() {
        page.append("<h2>The most that each line held, in MiB</h2>\n<div class=\"map\" tabindex=\"0\">\n<table>\n")
                .append("<thead><tr><th scope=\"col\">line</th>");
        for (Column column : columns) {
            page.append("<th scope=\"col\"").append(column.isOdd ? " class=\"odd\"" : "");
            page.append(" title=\"").append(escaped(column.title)).append("\">");
            page.append(escaped(column.label)).append("</th>");
        }
        page.append("</tr></thead>\n<tbody>\n");
        row("all: the peak", job.ranks().stream().map(Rank::peak).toList());
        job.lines().forEach(line -> row(line.site().label(), line.bytes()));
        page.append("</tbody>\n</table>\n</div>\n");
    }

    private void row(String label, List<Long> bytes) {
        long most = bytes.stream().mapToLong(Long::longValue).max().orElse(0);
        page.append("<tr><th scope=\"row\" title=\"").append(escaped(label)).append("\">");
        page.append(escaped(label)).append("</th>");
        for (Column column : columns) {
            long held = column.places.stream().mapToLong(bytes::get).max().orElse(0);
            long shade = most == 0 ? 0 : Math.round((double) SHADES * held / most);
            page.append("<td class=\"s").append(shade).append("\" title=\"");
            page.append(ByteSize.format(held)).append("\">");
            page.append(held == 0 ? "" : String.format(Locale.ROOT, "%.1f", (double) held / ByteSize.MIB))
                    .append("</td>");
        }
        page.append("</tr>\n");
    }

    /** Each rank's own page is made from its file. */
    private void files() {
        page.append("<h2>A rank's own page</h2>\n<pre>");
        for (Column column : columns) {
            Rank rank = job.ranks().get(column.places.getFirst());
            page.append(escaped("leakline report " + rank.file() + " --html rank" + rank.rank() + ".html"))
                    .append('\n');
        }
        page.append("</pre>\n");
    }

    private static String escaped(String text) {
        return HtmlReport.escaped(Printable.of(text));
    }
}
