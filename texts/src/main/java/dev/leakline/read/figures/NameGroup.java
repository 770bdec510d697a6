package dev.leakline.read.figures;

import dev.leakline.read.terms.WordSenses;

/**
 * The words before a number that may be its name: those since the last number or mark that parts things. What stands before a colon and is about
 * memory is a heading: {@code GPU memory: allocated 3.20 GiB, reserved 4.00 GiB}; it lends its senses to the names that follow.
 */
final class NameGroup {
    /** Characters of a name that is shown. */
    private static final int MOST_NAME = 60;

    private int senses;
    private int power = -1;
    private int from = -1;
    private int to;
    private int last;
    private boolean isAssigned;
    private boolean isOfMoment;

    private int heading;
    private int headingPower = -1;
    /** True if the line so far names something that is moved or stored. */
    private boolean isMoved;

    /** Begins a line. */
    void beginLine() {
        clear();
        isMoved = false;
        heading = 0;
        headingPower = -1;
    }

    /** Adds a word; one behind a colon or an equals sign begins another name. */
    void word(int begin, int end, int wordSenses) {
        if (isAssigned) {
            close();
        }
        isMoved |= WordSenses.has(wordSenses, WordSenses.MOVED);
        isOfMoment |= from < 0 && WordSenses.has(wordSenses, WordSenses.MOMENT);
        from = from < 0 ? begin : from;
        to = end;
        int never = WordSenses.has(last, WordSenses.MOMENT) ? WordSenses.NEVER : 0;
        last = wordSenses;
        power = WordSenses.power(wordSenses) < 0 ? power : WordSenses.power(wordSenses);
        senses |= wordSenses & ~never & ((1 << WordSenses.POWER) - 1);
    }

    /** A colon or an equals sign: what follows is the value. */
    void assign() {
        isAssigned = from >= 0;
    }

    /** Ends a name that got no number: a heading, if it is about memory. */
    void close() {
        if (WordSenses.has(senses, WordSenses.MEMORY)) {
            heading = senses;
            headingPower = power;
        }
        clear();
    }

    /** Forgets the name, of which the number was read. */
    void clear() {
        senses = 0;
        power = -1;
        from = -1;
        last = 0;
        isAssigned = false;
        isOfMoment = false;
    }

    /** Returns whether the line so far names something that is moved or stored: the bar behind it is no progress of steps. */
    boolean isMoved() {
        return isMoved;
    }

    /** Marks what was read as memory, so what follows may be too. */
    void remember() {
        heading |= WordSenses.MEMORY;
    }

    int senses() {
        return senses;
    }

    /** The senses with those of the heading, where the name does not say itself that it is about memory. */
    int sensesWithHeading() {
        return WordSenses.has(senses, WordSenses.MEMORY) ? senses : senses | heading;
    }

    /** The power of 1024 of the unit in the name or in the heading, -1 where there is none. */
    int power() {
        return power >= 0 || WordSenses.has(senses, WordSenses.MEMORY) ? power : headingPower;
    }

    /** The senses of the last word. */
    int last() {
        return last;
    }

    /** Where the last word ends. */
    int end() {
        return to;
    }

    /** Returns whether the unit is the last word. */
    boolean endsInUnit() {
        return WordSenses.power(last) >= 0;
    }

    /** Returns whether there is a word. */
    boolean isNamed() {
        return from >= 0;
    }

    boolean isAssigned() {
        return isAssigned;
    }

    /** Returns whether it names nothing but the moment before or after memory is given back: {@code After release}. */
    boolean isRelease() {
        return isOfMoment
                && WordSenses.has(senses, WordSenses.RELEASES)
                && !WordSenses.has(senses, WordSenses.NEVER | WordSenses.MOVED | WordSenses.HOST);
    }

    /** The name as it stands in a line; empty where there is none. Of many words, the last ones count. */
    String text(char[] line) {
        if (from < 0) {
            return "";
        }
        int start = from;
        while (to - start > MOST_NAME || (start > from && start < to && line[start - 1] != ' ')) {
            start++;
        }
        boolean isClosed = endsInUnit() && to < line.length && (line[to] == ')' || line[to] == ']');
        return new String(line, start, to - start + (isClosed ? 1 : 0));
    }
}
