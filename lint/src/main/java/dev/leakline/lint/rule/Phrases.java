package dev.leakline.lint.rule;

import dev.leakline.lint.python.Syntax;

/** Source in sentences. */
final class Phrases {
    private static final int LONGEST = 40;

    private Phrases() {}

    /** The text of a node on one line, cut where it is long. */
    static String shortened(Syntax node) {
        String line = node.text().replaceAll("\\s+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 3) + "...";
    }
}
