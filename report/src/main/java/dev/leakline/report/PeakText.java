package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.CallTree;
import dev.leakline.result.Peak;
import dev.leakline.result.SiteUse;
import dev.leakline.result.SiteUse.StackUse;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;

/** Prints the memory live at the peak: by line, and by call if wanted. */
final class PeakText {
    /** Width of size, share and count in a row of the site table, with the gaps between them. */
    private static final int FIGURES = 29;

    /** Width of size and share in a row of the call tree, with the gaps after them. */
    private static final int CALL_FIGURES = 19;

    private static final int MAX_BAR = 24;
    /** Below this width a line of code needs the room of bar and count. */
    private static final int NARROW = 64;

    private final Peak peak;
    private final TextReport.Options options;
    private final Style style;
    private final Page page;

    private PeakText(Peak peak, TextReport.Options options, Style style) {
        this.peak = peak;
        this.options = options;
        this.style = style;
        this.page = new Page(style);
    }

    /** The lines, none where nothing was live. */
    static List<String> lines(Peak peak, TextReport.Options options, Style style) {
        PeakText text = new PeakText(peak, options, style);
        if (!peak.bySite().isEmpty()) {
            text.writeSites();
        }
        if (!peak.bySite().isEmpty() && options.hasTree()) {
            text.page.heading("live at the peak, by call");
            peak.byCall().forEach(call -> text.writeCall(call, 0));
        }
        return text.page.lines();
    }

    private void writeSites() {
        page.heading("live at the peak, by line");
        int barWidth = isNarrow() ? 0 : Math.clamp((style.columns() - FIGURES) / 4, 0, MAX_BAR);
        peak.bySite().stream().limit(options.top()).forEach(use -> writeSite(use, barWidth));
        writeRest();
    }

    private void writeCall(CallTree call, int depth) {
        String indent = " ".repeat(Math.min(depth * 2, style.columns() / 2));
        String label = Labels.site(call.site(), style.columns() - CALL_FIGURES - indent.length(), style);
        page.line(figures(call.bytes()) + indent + label);
        call.calls().forEach(inner -> writeCall(inner, depth + 1));
    }

    private void writeSite(SiteUse use, int barWidth) {
        long largest = peak.bySite().getFirst().bytes();
        double ofLargest = (double) use.bytes() / Math.max(largest, 1);
        int figures = isNarrow() ? CALL_FIGURES : FIGURES + barWidth;
        String label = Labels.site(use.site(), style.columns() - figures, style);
        String blocks = isNarrow() ? "" : String.format("%7s  ", "x" + compact(use.blocks()));
        page.line(figures(use.bytes())
                + style.accent(style.bar(ofLargest, barWidth))
                + blocks
                + (use.site().isLine() ? label : style.faint(label)));
        if (options.hasStacks()) {
            use.stacks().forEach(this::writeStack);
        }
    }

    private boolean isNarrow() {
        return style.columns() < NARROW;
    }

    private String figures(long bytes) {
        double share = (double) bytes / Math.max(peak.bytes(), 1);
        return String.format("%10s %6s  ", ByteSize.format(bytes), Numbers.percent(share));
    }

    private static String compact(int blocks) {
        return blocks < 100_000 ? String.valueOf(blocks) : blocks / 1000 + "k";
    }

    private void writeStack(StackUse stack) {
        page.line("      " + Numbers.amount(stack.bytes(), stack.blocks(), "block") + " from");
        stack.frames().forEach(frame -> page.line("        " + style.faint(Labels.frame(frame))));
    }

    private void writeRest() {
        int listed = peak.bySite().size();
        int more = Math.max(listed - options.top(), 0) + peak.unlisted();
        if (more > 0) {
            long shown = peak.bySite().stream()
                    .limit(options.top())
                    .mapToLong(SiteUse::bytes)
                    .sum();
            String hint = peak.unlisted() > 0
                    ? Numbers.grouped(peak.unlisted()) + " not named in the report that was read"
                    : "--top " + listed + " shows all";
            page.line(figures(peak.bytes() - shown)
                    + style.faint("at " + Numbers.counted(more, "more site") + " (" + hint + ")"));
        }
    }
}
