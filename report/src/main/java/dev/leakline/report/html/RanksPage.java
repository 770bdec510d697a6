package dev.leakline.report.html;

import dev.leakline.report.RanksText;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobComparison.Group;
import dev.leakline.result.JobComparison.LineAcross;
import dev.leakline.result.JobComparison.Rank;
import dev.leakline.text.ByteSize;
import dev.leakline.text.NumberRanges;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The comparison of a job's ranks as one HTML file without a script: what is odd, in words, and the memory of each line in each rank, at
 * its most and when the last step ends, as a table whose cells are the darker the more they hold, so that it can be read, searched and
 * printed as it is. Where there are many ranks, those that do the same are one column, and beside it all ranks are one strip.
 */
public final class RanksPage {
    /** Columns that fit beside each other; more ranks than that are shown group by group. */
    private static final int MOST_COLUMNS = 64;
    /** Shades of a cell, from nothing to all. */
    private static final int SHADES = 10;
    /** Pixels of the strip of all ranks; of a job with more ranks, neighbours share one. */
    private static final int STRIP = 1024;
    /** Pixels that a pointer still hits. */
    private static final int NARROW = 4;

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private static final String RULES = """
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
            svg { display: block; height: 1.2em; fill: rgb(234 120 30); }
            #floor:not(:checked) ~ .floor, #most:not(:checked) ~ .most { display: none; }
            """;

    /** The style of each page. */
    public static final String STYLE = RULES + shades();

    private final JobComparison job;
    private final Map<Integer, String> pages;
    private final List<Column> columns = new ArrayList<>();
    private final StringBuilder page = new StringBuilder();

    /** Ranks that are shown in one column: their places among all. */
    private record Column(String label, String title, List<Integer> places, boolean isOdd) {}

    private RanksPage(JobComparison job, Map<Integer, String> pages) {
        this.job = job;
        this.pages = pages;
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

    /** Writes the page and flushes, but does not close; {@code pages} are links to the ranks' own, by rank. */
    public static void write(JobComparison job, Map<Integer, String> pages, Writer out) throws IOException {
        out.write(new RanksPage(job, pages).page());
        out.flush();
    }

    private String page() {
        page.append(PageFrame.withoutScript(job.tool().version(), "Leakline: " + job.headline(), STYLE));
        page.append("<h1>").append(PageFrame.text(job.headline())).append("</h1>\n<pre>");
        page.append(PageFrame.escaped(RanksText.detail(job, new Style(110, false, true))))
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

    /** Two maps, of which one is seen: radio buttons need no script. */
    private void map() {
        page.append("<h2>Memory of each line in each rank, in MiB</h2>\n")
                .append(
                        "<input type=\"radio\" name=\"map\" id=\"most\" checked><label for=\"most\">at its most</label>\n")
                .append(
                        "<input type=\"radio\" name=\"map\" id=\"floor\"><label for=\"floor\">when the last step ends</label>\n");
        map("most", "all: the peak", Rank::peak, LineAcross::bytes);
        map("floor", "all: at the end", Rank::end, LineAcross::floor);
    }

    private void map(String kind, String all, Function<Rank, Long> ofAll, Function<LineAcross, List<Long>> ofLine) {
        page.append("<div class=\"map ").append(kind).append("\" tabindex=\"0\">\n<table>\n");
        page.append("<thead><tr><th scope=\"col\">line</th>");
        columns.forEach(this::heading);
        page.append(hasStrip() ? "<th scope=\"col\">every rank</th>" : "").append("</tr></thead>\n<tbody>\n");
        row(all, job.ranks().stream().map(ofAll).toList());
        job.lines().forEach(line -> row(line.site().label(), ofLine.apply(line)));
        page.append("</tbody>\n</table>\n</div>\n");
    }

    private void heading(Column column) {
        page.append("<th scope=\"col\"").append(column.isOdd ? " class=\"odd\"" : "");
        page.append(" title=\"").append(PageFrame.text(column.title)).append("\">");
        page.append(NUMBER.matcher(PageFrame.text(column.label)).replaceAll(number -> {
                    String link = pages.get(Integer.valueOf(number.group()));
                    return link == null ? number.group() : Matcher.quoteReplacement(link(link, number.group()));
                }))
                .append("</th>");
    }

    private Rank rank(Column column) {
        return job.ranks().get(column.places.getFirst());
    }

    private static String link(String to, String label) {
        return "<a href=\"" + PageFrame.text(to) + "\">" + PageFrame.text(label) + "</a>";
    }

    private boolean hasStrip() {
        return columns.size() < job.ranks().size();
    }

    private void row(String label, List<Long> bytes) {
        long most = bytes.stream().mapToLong(Long::longValue).max().orElse(0);
        page.append("<tr><th scope=\"row\" title=\"")
                .append(PageFrame.text(label))
                .append("\">");
        page.append(PageFrame.text(label)).append("</th>");
        for (Column column : columns) {
            long held = column.places.stream().mapToLong(bytes::get).max().orElse(0);
            page.append("<td class=\"s").append(shade(held, most)).append("\" title=\"");
            page.append(ByteSize.format(held)).append("\">");
            page.append(held == 0 ? "" : String.format(Locale.ROOT, "%.1f", (double) held / ByteSize.MIB))
                    .append("</td>");
        }
        if (hasStrip()) {
            strip(bytes, most);
        }
        page.append("</tr>\n");
    }

    private static long shade(long held, long most) {
        return most == 0 ? 0 : Math.round((double) SHADES * held / most);
    }

    /**
     * All ranks side by side. Neighbours of one shade are one rectangle; those too narrow to point at are drawn together, shade by shade, so
     * that a thousand of them are few bytes. Odd ranks come last and are wide enough to be seen.
     */
    private void strip(List<Long> bytes, long most) {
        page.append("<td><svg width=\"%d\" viewBox=\"0 0 %d 1\" preserveAspectRatio=\"none\">"
                .formatted(STRIP, bytes.size()));
        Map<Long, StringBuilder> narrow = new TreeMap<>();
        for (int begin = 0; begin < bytes.size(); ) {
            long shade = shade(bytes.get(begin), most);
            int end = begin + 1;
            while (end < bytes.size() && shade(bytes.get(end), most) == shade) {
                end++;
            }
            if (shade > 0 && (end - begin) * STRIP >= NARROW * bytes.size()) {
                rectangle(begin, end - begin, shade, titled(begin, end, bytes.get(begin)));
            } else if (shade > 0) {
                narrow.computeIfAbsent(shade, _ -> new StringBuilder())
                        .append("M%d 0h%dv1h-%dz".formatted(begin, end - begin, end - begin));
            }
            begin = end;
        }
        narrow.forEach(
                (shade, path) -> page.append("<path fill-opacity=\".%02d\" d=\"%s\"/>".formatted(shade * 8, path)));
        marks(bytes, most);
        page.append("</svg></td>");
    }

    /** The odd ranks, as links to their pages where they have one. */
    private void marks(List<Long> bytes, long most) {
        int wide = Math.ceilDiv(NARROW * bytes.size(), STRIP);
        for (int place = 0; place < bytes.size(); place++) {
            Rank rank = job.ranks().get(place);
            long shade = shade(bytes.get(place), most);
            if (shade > 0 && job.groups().get(rank.group()).isOdd()) {
                String link = pages.get(rank.rank());
                page.append(link == null ? "" : "<a href=\"" + PageFrame.text(link) + "\">");
                rectangle(place, wide, shade, titled(place, place + 1, bytes.get(place)));
                page.append(link == null ? "" : "</a>");
            }
        }
    }

    private void rectangle(int x, int width, long shade, String title) {
        page.append("<rect x=\"%d\" width=\"%d\" height=\"1\" fill-opacity=\".%02d\"><title>%s</title></rect>"
                .formatted(x, width, shade * 8, title));
    }

    private String titled(int begin, int end, long held) {
        int first = job.ranks().get(begin).rank();
        int last = job.ranks().get(end - 1).rank();
        String ranks = first == last ? "rank " + first : "ranks " + first + "-" + last + ", such as " + first;
        return ranks + ": " + ByteSize.format(held);
    }

    /** Each rank's own page, or the command that makes it from its file. */
    private void files() {
        page.append("<h2>A rank's own page</h2>\n<pre>");
        for (Rank rank : job.ranks()) {
            String link = pages.get(rank.rank());
            if (link != null) {
                page.append(link(link, "rank " + rank.rank())).append('\n');
            }
        }
        for (Column column : columns) {
            Rank rank = rank(column);
            if (!pages.containsKey(rank.rank())) {
                page.append(PageFrame.text("leakline report " + rank.file() + " --html rank" + rank.rank() + ".html"))
                        .append('\n');
            }
        }
        page.append("</pre>\n");
    }
}
