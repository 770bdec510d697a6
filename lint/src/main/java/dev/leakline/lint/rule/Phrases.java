package dev.leakline.lint.rule;

/** Source in sentences. */
final class Phrases {
    private static final int LONGEST = 40;

    private Phrases() {}

    /** A text on one line, cut where it is long. */
    static String shortened(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 3) + "...";
    }
}
