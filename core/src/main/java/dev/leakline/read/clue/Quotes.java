package dev.leakline.read.clue;

import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.source.lines.LogLines;
import java.util.function.Consumer;

/** Finds lines that begin with {@code >}, as Markdown and mail mark what somebody else wrote; {@code >>> } is Python's prompt. */
final class Quotes {
    private final Consumer<Clue> found;
    private boolean isOpen;

    Quotes(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes the beginning of a line; the mark of a quote stands before it. */
    void take(LogLines lines) {
        if (isQuoted(lines) != isOpen) {
            isOpen = !isOpen;
            found.accept(new Clue(isOpen ? Kind.QUOTE_BEGINS : Kind.QUOTE_ENDS, null, 0, lines.number(), ""));
        }
    }

    private static boolean isQuoted(LogLines lines) {
        int marks = 0;
        for (int at = 0; at < lines.length() && marks < 3; at++) {
            byte character = lines.at(at);
            if (character == '>') {
                marks++;
            } else if (character != ' ' || marks > 0) {
                break;
            }
        }
        return marks == 1 || marks == 2;
    }
}
