package dev.leakline.report.diff;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.SiteChange;
import java.util.List;

/** The rows of a device at a terminal. */
final class DeviceChangeText {
    /** Width of three sizes in a row of the table, with the gaps after them. */
    private static final int FIGURES = 35;
    /** The same without what was before, which must go where the terminal is narrow. */
    private static final int FEWER_FIGURES = 24;
    /** Below this width a line of code needs the room of a size. */
    private static final int NARROW = 64;

    private final DeviceRows rows;
    private final Style style;
    private final Page page;

    private DeviceChangeText(DeviceRows rows, Style style) {
        this.rows = rows;
        this.style = style;
        this.page = new Page(style);
    }

    static List<String> lines(DeviceChange change, int top, Style style) {
        DeviceChangeText text = new DeviceChangeText(new DeviceRows(change, top), style);
        text.page.line(style.faint(text.row("change", "before", "after").stripTrailing()));
        text.figures();
        text.uses();
        text.sites();
        return text.page.lines();
    }

    private void figures() {
        for (ChangeRow row : rows.figures()) {
            String share = row.share().isEmpty() ? "" : ", " + row.share();
            page.line(figures(row) + Labels.end(row.label() + share, room(), style));
        }
    }

    private void uses() {
        List<ChangeRow> uses = rows.uses();
        if (!uses.isEmpty()) {
            page.heading(DeviceRows.USES);
        }
        uses.forEach(row -> page.line(figures(row) + row.label()));
    }

    private void sites() {
        if (rows.hasChanges()) {
            page.heading(DeviceRows.LINES);
        }
        rows.sites().forEach(this::site);
        rows.others().forEach(row -> page.line(figures(row) + style.faint(Labels.end(row.label(), room(), style))));
    }

    private void site(SiteChange change) {
        String moved = DeviceRows.moved(change);
        String label = Labels.site(change.use().site(), room() - moved.length(), style) + moved;
        ChangeRow row = ChangeRow.bytes(label, change.bytesBefore(), change.bytesAfter());
        page.line(figures(row) + (change.use().site().isLine() ? label : style.faint(label)));
    }

    private int room() {
        return style.columns() - (isNarrow() ? FEWER_FIGURES : FIGURES);
    }

    private boolean isNarrow() {
        return style.columns() < NARROW;
    }

    private String figures(ChangeRow change) {
        String row = row(change.change(), change.before(), change.after());
        return change.rise() > 0 ? style.alarm(row) : change.rise() < 0 ? style.good(row) : row;
    }

    private String row(String change, String before, String after) {
        return isNarrow()
                ? String.format("%11s %10s  ", change, after)
                : String.format("%11s %10s %10s  ", change, before, after);
    }
}
