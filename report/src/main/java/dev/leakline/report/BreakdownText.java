package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Peak;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.ModuleUse;
import dev.leakline.result.Peak.Share;
import dev.leakline.result.Peak.Use;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.List;

/** Prints the memory live at the peak by use, by operator and by module, as three tables. */
final class BreakdownText {
    /** Width of size, share and count in a row, with the gaps between them. */
    private static final int FIGURES = 28;

    /** The share of the peak by which a use must be open for that to be said. */
    private static final double WIDE = 0.05;

    private final Peak peak;
    private final int top;
    private final Style style;
    private final Page page;

    private BreakdownText(Peak peak, int top, Style style) {
        this.peak = peak;
        this.top = top;
        this.style = style;
        this.page = new Page(style);
    }

    /** The lines, none where the recording does not tell. */
    static List<String> lines(Peak peak, int top, Style style) {
        BreakdownText text = new BreakdownText(peak, top, style);
        text.writeUses(peak.byCategory());
        text.writeShares("operator", peak.byOperator());
        text.writeShares(
                "module", peak.byModule().stream().map(BreakdownText::share).toList());
        return text.page.lines();
    }

    private static Share share(ModuleUse use) {
        return new Share(use.name() + ", " + use.category().words(), use.bytes(), use.blocks(), use.share());
    }

    /** The name of a category, explained where it is not obvious. */
    private static String words(Category category) {
        return switch (category) {
            case BUFFERS -> "buffers: what a forward pass keeps for the next";
            case OTHER -> "other: kept from step to step, or a library's";
            case LEAKED -> "leaked: what a finding is about";
            case UNKNOWN -> "unknown: several uses explain it as well";
            default -> category.words();
        };
    }

    private void writeUses(List<Use> uses) {
        if (!uses.isEmpty()) {
            page.heading("live at the peak, by use (an estimate)");
        }
        uses.forEach(use -> page.line(row(words(use.category()) + width(use), use.bytes(), use.blocks())));
    }

    /** The least and the most that it may be; empty where who made and freed its blocks leaves little open. */
    private String width(Use use) {
        boolean isWide = use.mostBytes() - use.leastBytes() >= WIDE * peak.bytes();
        return isWide ? " (" + ByteSize.format(use.leastBytes()) + " to " + ByteSize.format(use.mostBytes()) + ")" : "";
    }

    private void writeShares(String title, List<Share> shares) {
        if (shares.isEmpty()) {
            return;
        }
        page.heading("live at the peak, by " + title);
        shares.stream().limit(top).forEach(share -> page.line(row(share.name(), share.bytes(), share.blocks())));
        int more = shares.size() - top;
        if (more > 0) {
            page.text("and " + Numbers.grouped(more) + " more; --format json has them", style::faint);
        }
    }

    private String row(String name, long bytes, int blocks) {
        double ofAll = (double) bytes / Math.max(peak.bytes(), 1);
        String figures = String.format("%10s %6s  %7s  ", ByteSize.format(bytes), Numbers.percent(ofAll), "x" + blocks);
        return figures + tail(Printable.of(name), style.columns() - FIGURES);
    }

    /** The end of a name that is too long: a module's own name is more telling than those of the modules that it lies in. */
    private String tail(String name, int width) {
        int cut = name.length() - width + 1;
        return cut <= 1 ? name : style.ellipsis() + name.substring(cut);
    }
}
