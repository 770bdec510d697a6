package dev.leakline.read.terms;

import dev.leakline.text.Ascii;

/**
 * A number in a line, with what stands right behind it.
 *
 * @param from where it begins
 * @param number the number
 * @param power the power of 1024 of its unit, -1 where it has none
 * @param total what it is a part of, as in {@code 50/7330} and {@code 5.4/24.0 GB}, NaN where nobody says
 * @param isOther whether it is something else: a share, a rate, a number of things, a name
 * @param end where all of it ends
 */
public record NumberToken(int from, double number, int power, double total, boolean isOther, int end) {
    /** Words that are looked at behind a size: {@code 3.2 GB of GPU memory allocated}. */
    private static final int MOST_WORDS = 5;

    /** The number between two places of a text. */
    public static NumberToken of(char[] text, int from, int to, int length) {
        double number = Amount.number(text, from, to);
        int own = endOfUnit(text, to, length);
        int slash = Ascii.endOfBlanks(text, own, length);
        int second = slash < length && text[slash] == '/' ? Ascii.endOfBlanks(text, slash + 1, length) : length;
        int secondEnd = second < length ? Amount.endOfNumber(text, second, length) : second;
        if (second < length && secondEnd > second) {
            int end = endOfUnit(text, secondEnd, length);
            int power = Math.max(power(text, to, own), power(text, secondEnd, end));
            return new NumberToken(
                    from,
                    number,
                    power,
                    Amount.number(text, second, secondEnd),
                    isOther(text, secondEnd, end, length),
                    end);
        }
        return new NumberToken(from, number, power(text, to, own), Double.NaN, isOther(text, to, own, length), own);
    }

    /** The end of the unit behind a number; the end of the number where none stands there. */
    private static int endOfUnit(char[] text, int to, int length) {
        int word = Ascii.endOfBlanks(text, to, length);
        int end = FigureName.endOfWord(text, word, length);
        return end > word && Amount.power(text, word, end, word == to) >= 0 ? end : to;
    }

    private static int power(char[] text, int to, int end) {
        int word = Ascii.endOfBlanks(text, to, end);
        return word == end ? -1 : Amount.power(text, word, end, word == to);
    }

    /** Returns whether letters, a percent sign or a rate follow: {@code 7B}, {@code 45%}, {@code 1.2 GB/s}. */
    private static boolean isOther(char[] text, int to, int end, int length) {
        int next = Ascii.endOfBlanks(text, end, length);
        boolean isShare = next < length && text[next] == '%';
        boolean isGlued = end == to && to < length && (Ascii.isLetter(text[to]) || text[to] == '_');
        boolean isRate = end > to && end + 1 < length && text[end] == '/' && Ascii.isLetter(text[end + 1]);
        return isShare || isGlued || isRate;
    }

    public boolean hasTotal() {
        return !Double.isNaN(total);
    }

    public boolean isWhole() {
        return number == Math.rint(number);
    }

    /** The senses of the words behind, up to a mark or the next number. */
    public int sensesBehind(char[] text, int length) {
        int senses = 0;
        int at = end;
        for (int i = 0; i < MOST_WORDS; i++) {
            int word = Ascii.endOfBlanks(text, at, length);
            int to = FigureName.endOfWord(text, word, length);
            if (to == word) {
                break;
            }
            senses |= WordSenses.of(text, word, to);
            at = to;
        }
        return senses;
    }

    /** The words as a name. */
    public String wordsBehind(char[] text, int length) {
        int from = Ascii.endOfBlanks(text, end, length);
        int at = from;
        for (int i = 0; i < MOST_WORDS; i++) {
            int to = FigureName.endOfWord(text, Ascii.endOfBlanks(text, at, length), length);
            if (to == Ascii.endOfBlanks(text, at, length)) {
                break;
            }
            at = to;
        }
        return new String(text, from, at - from);
    }
}
