package dev.leakline.read.log;

import dev.leakline.result.PrintedSize;
import dev.leakline.text.Ascii;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads numbers and sizes where they stand in a view; what was read last is in its fields. */
final class SizeScanner {
    /** Longer numbers are none that matters. */
    private static final int MOST_DIGITS = 24;
    /** Blanks and punctuation between two words: brackets, quotes, the edge of a box. */
    private static final int MOST_SOFT = 12;
    /** Blanks, brackets and signs before a number, and blanks between it and its unit. */
    private static final int MOST_BEFORE = 12;

    private static final int MOST_BETWEEN = 2;
    private static final int LONGEST_UNIT = 5;
    private static final int THOUSANDS = 3;

    private final LogView view;
    private String digits = "";
    private String unit = "";
    private int power;
    /** Where the number and its unit begin and end. */
    int start;

    int end;
    /** Where the number alone ends. */
    int numberEnd;
    /** True if the number goes on over the end of a line. */
    private boolean isJoined;

    SizeScanner(LogView view) {
        this.view = view;
    }

    /** Reads a number, with or without a unit, before which only punctuation stands; false where there is none. */
    boolean read(int from) {
        int at = from;
        while (at < view.length() && at - from < MOST_BEFORE && isSoft(view.at(at))) {
            at++;
        }
        return readAt(at);
    }

    /** Reads a number that begins at a place. */
    boolean readAt(int from) {
        start = from;
        isJoined = false;
        int to = number(from);
        if (to < 0) {
            return false;
        }
        end = to;
        numberEnd = to;
        power = -1;
        unit = "";
        readUnit(to);
        return true;
    }

    private int number(int from) {
        int plain = endOfPlain(from);
        if (plain > from) {
            digits = new String(view.text(), from, plain - from);
            return plain;
        }
        StringBuilder number = new StringBuilder();
        int at = from;
        boolean hasPoint = false;
        while (number.length() < MOST_DIGITS) {
            char character = view.at(at);
            boolean isJoint = LogView.isJoint(character) && !number.isEmpty() && !isTime(at + 1);
            char next = view.at(at + 1);
            if (Ascii.isDigit(character)) {
                number.append(character);
            } else if (!number.isEmpty() && isPoint(at, hasPoint)) {
                hasPoint = true;
                number.append(character);
            } else if (isJoint
                    && (Ascii.isDigit(next) || isPoint(at + 1, hasPoint) || (next == ',' && isThousands(at + 1)))) {
                isJoined = true;
            } else if (character != ',' || !isThousands(at)) {
                break;
            }
            at++;
        }
        digits = number.toString();
        return digits.isEmpty() || Ascii.isDigit(view.at(at)) ? -1 : at;
    }

    /** Where a number of digits and perhaps a point ends, behind which a blank or a letter stands; -1 for others. */
    private int endOfPlain(int from) {
        int point = endOfDigits(from);
        boolean hasFraction = view.at(point) == '.' && Ascii.isDigit(view.at(point + 1));
        int to = hasFraction ? endOfDigits(point + 1) : point;
        boolean isPlain =
                point > from && to - from < MOST_DIGITS && (view.at(to) == ' ' || Ascii.isLetter(view.at(to)));
        view.at(to + 1); // where other numbers are looked at
        return isPlain ? to : -1;
    }

    private int endOfDigits(int from) {
        int at = from;
        while (Ascii.isDigit(view.at(at))) {
            at++;
        }
        return at;
    }

    private boolean isPoint(int at, boolean hasPoint) {
        return view.at(at) == '.' && !hasPoint && Ascii.isDigit(behindJoint(at + 1));
    }

    private char behindJoint(int at) {
        return LogView.isJoint(view.at(at)) ? view.at(at + 1) : view.at(at);
    }

    /** Returns whether three digits follow a comma, and no fourth. */
    boolean isThousands(int comma) {
        int at = comma + 1;
        int count = 0;
        while (count <= THOUSANDS && (Ascii.isDigit(view.at(at)) || LogView.isJoint(view.at(at)))) {
            count += Ascii.isDigit(view.at(at)) ? 1 : 0;
            at++;
        }
        return count == THOUSANDS;
    }

    private void readUnit(int from) {
        int at = from;
        while (at - from < MOST_BETWEEN && view.at(at) > 0 && view.at(at) <= ' ') {
            at++;
        }
        int to = at;
        while (to - at <= LONGEST_UNIT && Ascii.isLetter(view.at(to))) {
            to++;
        }
        if (LogView.isJoint(view.at(to))) {
            readCutUnit(at);
        } else if (to > at) {
            unitAt(new StringBuilder().append(view.text(), at, to - at), to);
        }
    }

    /** Reads a unit that goes on over the end of a line. */
    private void readCutUnit(int from) {
        StringBuilder letters = new StringBuilder();
        int to = from;
        while (letters.length() <= LONGEST_UNIT && (Ascii.isLetter(view.at(to)) || LogView.isJoint(view.at(to)))) {
            if (Ascii.isLetter(view.at(to))) {
                letters.append(view.text()[to]);
                unitAt(letters, to + 1);
            }
            to++;
        }
    }

    /** Takes the letters read so far for the unit, where they are one and the word ends. */
    private void unitAt(StringBuilder letters, int to) {
        char next = view.at(to);
        boolean isEnd = !Ascii.isLetter(next) && !Ascii.isDigit(next) && next != '_' && !isGoingOn(letters, to);
        int read = isEnd ? SizeText.power(letters.toString().toLowerCase(Locale.ROOT)) : -1;
        if (read >= 0) {
            power = read;
            unit = letters.toString();
            end = to;
        }
    }

    /** Returns whether the letters behind a joint would make a longer unit of these. */
    private boolean isGoingOn(StringBuilder letters, int to) {
        if (!LogView.isJoint(view.at(to))) {
            return false;
        }
        StringBuilder longer = new StringBuilder(letters);
        int at = to;
        while (LogView.isJoint(view.at(at))) {
            at++;
        }
        while (at > to && longer.length() <= LONGEST_UNIT && Ascii.isLetter(view.at(at))) {
            longer.append(view.at(at++));
        }
        return longer.length() > letters.length()
                && SizeText.power(longer.toString().toLowerCase(Locale.ROOT)) >= 0;
    }

    /** Returns whether a unit was read. */
    boolean hasUnit() {
        return power >= 0;
    }

    /** The power of 1024 of the unit, and the unit. */
    int power() {
        return power;
    }

    String unit() {
        return unit;
    }

    String digits() {
        return digits;
    }

    /**
     * Returns whether a number without a unit surely ends here: it does not go on over the end of a line, could not, and no dots say that the text
     * was cut.
     */
    boolean isWhole() {
        char next = view.at(end);
        boolean isCut = next == '.' && view.at(end + 1) == '.';
        return !isJoined && !isCut && !(LogView.isJoint(next) && Ascii.isDigit(view.at(end + 1)) && !isTime(end + 1));
    }

    /** Returns whether digits are those of a date or a time, with which lines of logs begin. */
    private boolean isTime(int from) {
        int at = from;
        while (Ascii.isDigit(view.at(at))) {
            at++;
        }
        return view.at(at) == '-' || view.at(at) == ':' || view.at(at) == '/';
    }

    /** The size of the number in the unit read, or in bytes; null for what no device has. */
    @Nullable
    PrintedSize size() {
        return SizeText.of(digits, Math.max(power, 0), hasUnit() ? digits + " " + unit : digits);
    }

    /** The size of a number read before, in the unit that was read now. */
    @Nullable
    PrintedSize size(String number) {
        return SizeText.of(number, Math.max(power, 0), number + " " + unit);
    }

    /** Where blanks and punctuation end that begin at a place. */
    static int endOfSoft(LogView view, int from) {
        int at = from;
        while (at - from < MOST_SOFT && isSoft(view.at(at))) {
            at++;
        }
        return at;
    }

    static boolean isSoft(char character) {
        return character != 0 && !Ascii.isDigit(character) && !Ascii.isLetter(character) && character != '_';
    }
}
