package dev.leakline.report.terminal;

/**
 * The look of text: width, colour, characters.
 *
 * @param columns the width to fill, at least 40
 * @param hasColor whether escape sequences are welcome
 * @param isUnicode whether bars may be drawn with block characters; else with {@code #}
 * @param isWrapped whether texts are broken where the width ends; where no terminal is, whoever reads them searches and copies whole lines
 */
public record Style(int columns, boolean hasColor, boolean isUnicode, boolean isWrapped) {
    private static final int MIN_COLUMNS = 40;
    /** Lines beyond this are hard to read; a wider terminal stays empty on the right. */
    private static final int MAX_COLUMNS = 140;

    private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";

    public Style {
        columns = Math.clamp(columns, MIN_COLUMNS, MAX_COLUMNS);
    }

    /** A look of texts that are wrapped. */
    public Style(int columns, boolean hasColor, boolean isUnicode) {
        this(columns, hasColor, isUnicode, true);
    }

    /** The same without colours. */
    public Style plain() {
        return new Style(columns, false, isUnicode, isWrapped);
    }

    public String bold(String text) {
        return paint("1", text);
    }

    public String faint(String text) {
        return paint("2", text);
    }

    public String warning(String text) {
        return paint("33", text);
    }

    public String alarm(String text) {
        return paint("31", text);
    }

    public String good(String text) {
        return paint("32", text);
    }

    public String accent(String text) {
        return paint("36", text);
    }

    private String paint(String code, String text) {
        return hasColor && !text.isEmpty() ? "\033[" + code + "m" + text + "\033[0m" : text;
    }

    /** A bar that fills a share of {@code width} characters, padded to all of them. */
    public String bar(double share, int width) {
        int eighths = (int) Math.round(Math.clamp(share, 0, 1) * width * 8);
        int full = isUnicode ? eighths / 8 : (eighths + 4) / 8;
        StringBuilder bar = new StringBuilder((isUnicode ? "█" : "#").repeat(full));
        if (isUnicode && full < width) {
            bar.append(EIGHTHS.charAt(eighths % 8));
        }
        return bar.append(" ".repeat(width - bar.length())).toString();
    }

    /** A text as the terminal can draw it: arrows and ellipses spelled in ASCII where it has none. */
    public String drawable(String text) {
        return isUnicode ? text : text.replace("\u2192", "->").replace("\u2026", "~");
    }

    public String ellipsis() {
        return isUnicode ? "…" : "~";
    }
}
