package dev.leakline.report.diff;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.DeviceResult;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A device before and after: its figures, and the lines that account for the difference of its peaks. */
final class DeviceChangeText {
    /** Width of three sizes in a row of the table, with the gaps after them. */
    private static final int FIGURES = 35;
    /** The same without what was before, which must go where the terminal is narrow. */
    private static final int FEWER_FIGURES = 24;
    /** Below this width a line of code needs the room of a size. */
    private static final int NARROW = 64;

    private final DeviceChange change;
    private final int top;
    private final Style style;
    private final Page page;

    private DeviceChangeText(DeviceChange change, int top, Style style) {
        this.change = change;
        this.top = top;
        this.style = style;
        this.page = new Page(style);
    }

    static List<String> lines(DeviceChange change, int top, Style style) {
        DeviceChangeText text = new DeviceChangeText(change, top, style);
        text.page.line(style.faint(text.row("change", "before", "after").stripTrailing()));
        text.figures();
        text.sites();
        return text.page.lines();
    }

    private void figures() {
        bytes("live at the peak", device -> device.peak().bytes());
        bytes("reserved at that moment", device -> device.peak().reservedBytes());
        bytes("reserved at the end", DeviceResult::endReservedBytes);
        bytes("live at the end", DeviceResult::endBytes);
        if (of(change.before(), DeviceChangeText::older) != of(change.after(), DeviceChangeText::older)) {
            bytes("of it allocated before the recording", DeviceChangeText::older);
        }
        share();
        count("steps", device -> device.steps().count());
        count("events", DeviceResult::events);
    }

    private static long older(DeviceResult device) {
        return device.coverage().olderLiveBytes();
    }

    private void share() {
        String was = share(change.before());
        String is = share(change.after());
        if (!was.equals(is)) {
            page.line(row("", was, is) + Labels.end("of the peak has a line of code", room(), style));
        }
    }

    private static String share(@Nullable DeviceResult device) {
        return device == null || device.peak().bytes() == 0
                ? ""
                : Numbers.percent(device.coverage().explainedShare());
    }

    private void bytes(String name, ToLongFunction<DeviceResult> figure) {
        long was = of(change.before(), figure);
        long is = of(change.after(), figure);
        String percent = was == is || was == 0 ? "" : ", " + Numbers.change(was, is);
        page.line(sizes(was, is) + Labels.end(name + percent, room(), style));
    }

    private void count(String name, ToLongFunction<DeviceResult> figure) {
        long was = of(change.before(), figure);
        long is = of(change.after(), figure);
        String more = was == is ? "=" : (is > was ? "+" : "") + Numbers.grouped(is - was);
        page.line(row(more, Numbers.grouped(was), Numbers.grouped(is)) + Labels.end(name, room(), style));
    }

    private static long of(@Nullable DeviceResult device, ToLongFunction<DeviceResult> figure) {
        return device == null ? 0 : figure.applyAsLong(device);
    }

    private void sites() {
        List<SiteChange> changed =
                change.sites().stream().filter(site -> site.change() != 0).toList();
        if (!changed.isEmpty() || change.unlistedBefore() != change.unlistedAfter()) {
            page.heading("live at the peak, by line: largest changes");
        }
        changed.stream().limit(top).forEach(this::site);
        if (changed.size() > top) {
            rest(
                    changed.subList(top, changed.size()),
                    "at " + Numbers.counted(changed.size() - (long) top, "more line") + " (--top " + changed.size()
                            + " shows all)");
        }
        unlisted();
        same();
    }

    private void site(SiteChange site) {
        String label = Labels.site(site.use().site(), room() - moved(site).length(), style) + moved(site);
        page.line(sizes(site.bytesBefore(), site.bytesAfter())
                + (site.use().site().isLine() ? label : style.faint(label)));
    }

    private static String moved(SiteChange site) {
        return site.hasMoved() && site.before() != null
                ? " (was line " + site.before().site().frame().line() + ")"
                : "";
    }

    private void unlisted() {
        if (change.unlistedBefore() != 0 || change.unlistedAfter() != 0) {
            page.line(sizes(change.unlistedBefore(), change.unlistedAfter())
                    + style.faint(Labels.end("at lines not listed in the reports", room(), style)));
        }
    }

    /** Where anything changed, what did not, so that the rows add up to the peaks. */
    private void same() {
        List<SiteChange> same =
                change.sites().stream().filter(site -> site.change() == 0).toList();
        if (!same.isEmpty() && same.size() < change.sites().size()) {
            rest(same, "at " + Numbers.counted(same.size(), "line") + " unchanged");
        }
    }

    private void rest(List<SiteChange> sites, String name) {
        long was = sites.stream().mapToLong(SiteChange::bytesBefore).sum();
        long is = sites.stream().mapToLong(SiteChange::bytesAfter).sum();
        page.line(sizes(was, is) + style.faint(Labels.end(name, room(), style)));
    }

    private int room() {
        return style.columns() - (isNarrow() ? FEWER_FIGURES : FIGURES);
    }

    private boolean isNarrow() {
        return style.columns() < NARROW;
    }

    private String sizes(long was, long is) {
        String row = row(signed(is - was), ByteSize.format(was), ByteSize.format(is));
        return is > was ? style.alarm(row) : is < was ? style.good(row) : row;
    }

    private String row(String change, String before, String after) {
        return isNarrow()
                ? String.format("%11s %10s  ", change, after)
                : String.format("%11s %10s %10s  ", change, before, after);
    }

    private static String signed(long bytes) {
        return bytes == 0 ? "=" : (bytes > 0 ? "+" : "") + ByteSize.format(bytes);
    }
}
