package dev.leakline.source.lines;

/**
 * The process that wrote a line of a log shared by several processes, as launchers mark it: {@code [rank3]:}, {@code [default3]:}
 * (torchrun), {@code (RayTrainWorker pid=1234)} (Ray, vLLM), {@code 3: } (srun), {@code [1,3]<stderr>:} (mpirun). Time stamps may stand
 * before.
 *
 * @param name the mark, or empty
 * @param rank the rank that it names, -1 where it names none
 * @param end where the mark ends in the line
 */
public record Speaker(String name, int rank, int end) {
    /** Where a line does not say. */
    public static final Speaker NOBODY = new Speaker("", -1, 0);

    /** How far into a line a mark may stand; times and levels before it are shorter. */
    private static final int MOST_BEFORE = 64;
    /** Longer marks are none. */
    private static final int MOST = 64;
    /** Digits of a rank. */
    private static final int MOST_DIGITS = 8;

    /** The speaker of a line. */
    public static Speaker of(char[] text, int length) {
        int end = Math.min(length, MOST_BEFORE);
        if (end > 0 && Character.isDigit(text[0])) {
            return digits(text, end);
        }
        for (int i = 0; i < end; i++) {
            boolean isMark = text[i] == '[' ? isRank(text, i, length) : text[i] == '(' && i == 0;
            if (isMark) {
                return mark(text, i, length);
            }
        }
        return NOBODY;
    }

    /** srun's label is a number, a colon and a blank. */
    private static Speaker digits(char[] text, int end) {
        int to = 0;
        while (to < end && Character.isDigit(text[to])) {
            to++;
        }
        boolean isLabel = to + 1 < end && to <= MOST_DIGITS && text[to] == ':' && text[to + 1] == ' ';
        return isLabel ? speaker(text, 0, 0, to, to + 1) : within(text, end);
    }

    private static Speaker within(char[] text, int end) {
        for (int i = 0; i < end; i++) {
            if (text[i] == '[' && isRank(text, i, end)) {
                return mark(text, i, end);
            }
        }
        return NOBODY;
    }

    private static boolean isRank(char[] text, int at, int length) {
        return startsWith(text, at + 1, length, "rank")
                || (at == 0 && startsWith(text, 1, length, "default"))
                || (at == 0 && length > 3 && Character.isDigit(text[1]) && (text[2] == ',' || text[3] == ','));
    }

    private static boolean startsWith(char[] text, int at, int length, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (at + i >= length || Character.toLowerCase(text[at + i]) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static Speaker mark(char[] text, int from, int length) {
        char close = text[from] == '[' ? ']' : ')';
        int end = from;
        while (end < Math.min(length, from + MOST) && text[end] != close) {
            end++;
        }
        if (end == Math.min(length, from + MOST)) {
            return NOBODY;
        }
        String name = new String(text, from, end - from);
        boolean isMark = close == ']' || name.contains("pid=");
        int digits = end;
        while (digits > from && Character.isDigit(text[digits - 1])) {
            digits--;
        }
        if (!isMark || (close == ']' && digits == end)) {
            return NOBODY;
        }
        return close == ']' ? speaker(text, from, digits, end, end + 1) : new Speaker(name, -1, end + 1);
    }

    private static Speaker speaker(char[] text, int from, int digits, int to, int end) {
        boolean isRank = to - digits <= MOST_DIGITS;
        String number = new String(text, digits, to - digits);
        return new Speaker(new String(text, from, to - from), isRank ? Integer.parseInt(number) : -1, end);
    }
}
