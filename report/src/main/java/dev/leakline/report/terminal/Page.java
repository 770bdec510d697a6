package dev.leakline.report.terminal;

import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Lines that are written one after the other. What is given as text is made printable, whoever it comes from, and broken at blanks where the terminal
 * ends; words that are longer than that are broken as well, but for paths, so that these can be copied. It may not hold escape sequences of ours, which {@code look} adds.
 */
public final class Page {
    private static final String INDENT = "  ";

    private final Style style;
    private final List<String> lines = new ArrayList<>();

    public Page(Style style) {
        this.style = style;
    }

    public List<String> lines() {
        return lines;
    }

    public void blank() {
        lines.add("");
    }

    /** A finished line. */
    public void line(String line) {
        lines.add(line);
    }

    /** Finished lines. */
    public void lines(List<String> more) {
        lines.addAll(more);
    }

    /** A blank line and the title of what follows. */
    public void heading(String text) {
        blank();
        wrap("", text, style::bold);
    }

    /** Indented text. */
    public void text(String text) {
        text(text, UnaryOperator.identity());
    }

    /** Indented text. */
    public void text(String text, UnaryOperator<String> look) {
        wrap(INDENT, text, look);
    }

    /** Indented text beside a label, which is brought to a width. */
    public void labelled(String label, int width, String text) {
        wrap(INDENT + label + " ".repeat(Math.max(width - label.length(), 1)), text, UnaryOperator.identity());
    }

    /** Text that begins beside {@code lead}, and goes on under its own beginning where there is room for that. */
    public void wrap(String lead, String text, UnaryOperator<String> look) {
        String first = Printable.of(lead);
        int indent = Math.min(first.length(), style.columns() / 2);
        StringBuilder line = new StringBuilder(first);
        int start = first.length();
        for (String word : style.drawable(Printable.of(text)).split(" ", -1)) {
            if (style.isWrapped() && line.length() + word.length() > style.columns() && line.length() > start) {
                end(line, look);
                start = line.append(" ".repeat(indent)).length();
            }
            String rest = word;
            while (style.isWrapped() && !isPath(word) && line.length() + rest.length() > style.columns()) {
                int cut = Math.max(style.columns() - line.length(), 0);
                end(line.append(rest, 0, cut), look);
                rest = rest.substring(cut);
                start = line.append(" ".repeat(indent)).length();
            }
            line.append(rest).append(' ');
        }
        end(line, look);
    }

    private static boolean isPath(String word) {
        return word.indexOf('/') >= 0;
    }

    private void end(StringBuilder line, UnaryOperator<String> look) {
        lines.add(look.apply(line.toString().stripTrailing()));
        line.setLength(0);
    }
}
