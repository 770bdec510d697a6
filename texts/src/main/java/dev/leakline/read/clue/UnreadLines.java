package dev.leakline.read.clue;

import dev.leakline.source.lines.LogLines;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** Lines with sizes, in the first part of a text, from which nothing was read: sentences, and what programs print in forms that are not known. */
public final class UnreadLines {
    /** Lines that are looked at; a text whose beginning is longer is a log. */
    private static final int MOST = 1 << 16;

    private final BitSet sized = new BitSet();

    /** Takes the piece of a line at which {@code lines} stand; {@code isRead} where something was read from it. */
    public void take(LogLines lines, boolean isRead) {
        if (lines.number() >= MOST) {
            return;
        }
        int number = (int) lines.number();
        if (isRead) {
            sized.clear(number);
        } else if (lines.isStart() && hasSize(lines)) {
            sized.set(number);
        }
    }

    /** Whether a number with a unit of bytes stands in a line: {@code 14 GB}, {@code 23.4GiB}, {@code 64G}. */
    private static boolean hasSize(LogLines lines) {
        boolean isNumber = false;
        for (int at = 0; at < lines.length(); at++) {
            byte character = lines.at(at);
            if (isNumber && isUnit(lines, character == ' ' ? at + 1 : at, character != ' ')) {
                return true;
            }
            isNumber = isDigit(character) && (at == 0 || !isLetter(lines.at(at - 1)));
            while (isNumber && at + 1 < lines.length() && isPart(lines.at(at + 1))) {
                at++;
            }
        }
        return false;
    }

    /** Whether a unit begins at a place and ends there; one letter is a unit only at its number. */
    private static boolean isUnit(LogLines lines, int from, boolean isGlued) {
        int at = from;
        boolean isScaled = at < lines.length() && "kmgtKMGT".indexOf(lines.at(at)) >= 0;
        boolean isLarge = isScaled && "gtGT".indexOf(lines.at(at)) >= 0;
        at += isScaled ? 1 : 0;
        boolean isBinary = isScaled && at < lines.length() && lines.at(at) == 'i';
        at += isBinary ? 1 : 0;
        boolean isByte = isScaled && at < lines.length() && (lines.at(at) == 'B' || lines.at(at) == 'b');
        at += isByte ? 1 : 0;
        boolean isEnd =
                at >= lines.length() || !(isLetter(lines.at(at)) || isDigit(lines.at(at)) || lines.at(at) == '/');
        return isEnd && (isByte || (isGlued && (isBinary || isLarge)));
    }

    private static boolean isPart(byte character) {
        return isDigit(character) || character == '.' || character == ',';
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isLetter(byte character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_';
    }

    /** Takes back what was read after all, and adds what was not. */
    public void correct(Collection<Long> read, Collection<Long> unread) {
        read.stream().filter(line -> line < MOST).forEach(line -> sized.clear(line.intValue()));
        unread.stream().filter(line -> line < MOST).forEach(line -> sized.set(line.intValue()));
    }

    /** The lines, from 1. */
    public List<Long> lines() {
        return sized.stream().mapToObj(line -> (long) line).toList();
    }
}
