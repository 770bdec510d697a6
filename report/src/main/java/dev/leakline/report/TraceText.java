package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Prints a reference path from an owner to memory as a ladder: an object on each rung, and between them the reference, underlined if it is
 * suspect.
 */
final class TraceText {
    /** Columns for an object's name, where the terminal has room for its verdict beside it. */
    private static final int OBJECT = 34;
    /** Rungs that are shown at either end of a ladder that is too long for a screen. */
    private static final int END = 8;

    private final Page page;
    private final Style style;

    TraceText(Page page, Style style) {
        this.page = page;
        this.style = style;
    }

    /** Prints a path, from its beginning to memory. */
    void path(List<Hop> hops) {
        for (int i = 0; i < hops.size(); i++) {
            if (i == END && hops.size() > 2 * END + 1) {
                i = hops.size() - END;
                page.line(side() + "    " + style.ellipsis() + " " + (hops.size() - 2 * END) + " more "
                        + style.ellipsis());
            }
            if (i > 0) {
                reference(side(), hops.get(i));
            }
            boolean isLast = i == hops.size() - 1;
            object(i == 0 ? top() : isLast ? bottom() : rung(), isLast ? " " : side(), hops.get(i));
        }
    }

    /** Prints a cycle: the reference back is that of the first hop. */
    void cycle(List<Hop> hops) {
        for (int i = 0; i < hops.size(); i++) {
            if (i > 0) {
                reference(side(), hops.get(i));
            }
            object(i == 0 ? turn() : rung(), side(), hops.get(i));
        }
        reference(side(), hops.getFirst());
        page.line(style.isUnicode() ? "╰─→ back to the first" : "`-> back to the first");
    }

    private void object(String lead, String below, Hop hop) {
        String verdict = verdict(hop);
        boolean isBeside = hop.text().length() <= OBJECT && style.columns() >= 2 * OBJECT;
        if (isBeside && !verdict.isEmpty()) {
            page.wrap(lead + pad(hop.text()), verdict, look(hop.verdict()));
        } else {
            page.wrap(lead, hop.text(), UnaryOperator.identity());
            if (!verdict.isEmpty()) {
                page.wrap(below + "    ", verdict, look(hop.verdict()));
            }
        }
    }

    private static String pad(String text) {
        return text + " ".repeat(OBJECT + 1 - text.length());
    }

    private static String verdict(Hop hop) {
        String word = hop.verdict().name().charAt(0)
                + hop.verdict().name().substring(1).toLowerCase(Locale.ROOT);
        boolean isSilent = hop.reason().isEmpty() && hop.verdict() == Verdict.UNKNOWN;
        return isSilent ? "" : hop.reason().isEmpty() ? word : word + " (" + hop.reason() + ")";
    }

    private UnaryOperator<String> look(Verdict verdict) {
        return switch (verdict) {
            case EXPECTED -> style::faint;
            case UNKNOWN -> UnaryOperator.identity();
            case STUCK -> style::warning;
        };
    }

    private void reference(String side, Hop hop) {
        String lead = side + "    " + (style.isUnicode() ? "↓ " : "v ");
        page.wrap(lead, hop.label(), hop.isSuspect() ? style::bold : UnaryOperator.identity());
        if (hop.isSuspect()) {
            int length = Math.clamp(hop.label().length(), 1, Math.max(style.columns() - lead.length(), 1));
            page.line(" ".repeat(lead.length()).replaceFirst(" ", side) + style.alarm("~".repeat(length)));
        }
    }

    private String side() {
        return style.isUnicode() ? "│" : "|";
    }

    private String top() {
        return style.isUnicode() ? "┬ " : ". ";
    }

    private String turn() {
        return style.isUnicode() ? "╭→ " : ".> ";
    }

    private String rung() {
        return style.isUnicode() ? "├─ " : "+- ";
    }

    private String bottom() {
        return style.isUnicode() ? "╰→ " : "`> ";
    }
}
