package dev.leakline.report.diff;

import dev.leakline.report.html.PageFrame;
import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.DeviceResult;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A device on the page of a comparison: the two charts, its figures, and its lines with a bar for what changed at each. */
final class DeviceSection {
    /** Characters of a line's name; whatever is longer was not made by people. */
    private static final int LONGEST = 1000;
    /** Units of a bar to either side of its middle, as fine as any screen. */
    private static final int HALF = 1000;

    private static final Style STYLE = new Style(LONGEST, false, true);

    private final DeviceChange change;
    private final DeviceRows rows;
    private final StringBuilder html = new StringBuilder();

    DeviceSection(DeviceChange change, int top) {
        this.change = change;
        this.rows = new DeviceRows(change, top);
    }

    String html() {
        charts();
        table("figures");
        rows.figures().forEach(row -> row(row, share(row)));
        html.append("</tbody>\n</table>\n");
        uses();
        if (rows.hasChanges()) {
            sites();
        }
        return html.toString();
    }

    private void charts() {
        long top = Math.max(MemoryChart.top(change.before()), MemoryChart.top(change.after()));
        html.append("<div class=\"charts\">\n");
        chart("before", change.before(), top, 0);
        chart("after", change.after(), top, change.peakBefore());
        html.append("</div>\n");
    }

    private void chart(String side, @Nullable DeviceResult device, long top, long reference) {
        html.append("<figure>\n<figcaption><b>").append(side).append("</b> ");
        html.append(device == null ? "no such device" : MemoryChart.caption(device))
                .append("</figcaption>\n");
        html.append(device == null ? "" : new MemoryChart(device, top).svg(side, reference))
                .append("</figure>\n");
    }

    private void table(String caption) {
        html.append("<table>\n<caption>").append(caption).append("</caption>\n<thead><tr><td></td>");
        Stream.of("before", "after", "change")
                .forEach(name -> html.append("<th scope=\"col\">").append(name).append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
    }

    private void uses() {
        List<ChangeRow> uses = rows.uses();
        if (uses.isEmpty()) {
            return;
        }
        table(DeviceRows.USES);
        long most = uses.stream().mapToLong(row -> Math.abs(row.rise())).max().orElse(0);
        uses.forEach(row -> row(row, bar(row.rise(), most)));
        html.append("</tbody>\n</table>\n");
    }

    private void sites() {
        table(DeviceRows.LINES);
        long most = Stream.concat(
                        rows.sites().stream().map(SiteChange::change),
                        rows.others().stream().map(ChangeRow::rise))
                .mapToLong(Math::abs)
                .max()
                .orElse(0);
        for (SiteChange site : rows.sites()) {
            String label = Labels.site(site.use().site(), LONGEST, STYLE) + DeviceRows.moved(site);
            row(ChangeRow.bytes(label, site.bytesBefore(), site.bytesAfter()), bar(site.change(), most));
        }
        rows.others().forEach(row -> row(row, bar(row.rise(), most)));
        html.append("</tbody>\n</table>\n");
    }

    private void row(ChangeRow row, String besides) {
        String tone = row.rise() > 0 ? "rise" : row.rise() < 0 ? "fall" : "level";
        html.append("<tr><th scope=\"row\">")
                .append(PageFrame.text(row.label()))
                .append("</th>");
        html.append("<td>%s</td><td>%s</td>".formatted(row.before(), row.after()));
        html.append("<td class=\"%s\">%s%s</td></tr>\n".formatted(tone, row.change(), besides));
    }

    private static String share(ChangeRow row) {
        return row.share().isEmpty() ? "" : " <small>" + row.share() + "</small>";
    }

    /** Draws a rise to the right, a fall to the left. */
    private static String bar(long rise, long most) {
        long length = most == 0 ? 0 : Math.round((double) HALF * Math.abs(rise) / most);
        return """
                <svg class="bar" viewBox="0 0 %d 1" preserveAspectRatio="none" aria-hidden="true">\
                <rect x="%d" width="%d" height="1"/></svg>""".formatted(2 * HALF, rise > 0 ? HALF : HALF - length, length);
    }
}
