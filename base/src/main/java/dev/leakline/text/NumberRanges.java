package dev.leakline.text;

import java.util.List;

/** Lists of numbers, such as of ranks, in so few words that those of a thousand fit into a line. */
public final class NumberRanges {
    /** Ranges that are written out; of more than that nobody reads the end. */
    private static final int MOST = 6;

    private NumberRanges() {}

    /** Numbers in ascending order as ranges: {@code 0-3, 6}; those at equal distances as {@code 0, 2, ... 62}. */
    public static String of(List<Integer> numbers) {
        int stride = stride(numbers);
        if (stride > 1) {
            return numbers.get(0) + ", " + numbers.get(1) + ", ... " + numbers.getLast();
        }
        StringBuilder text = new StringBuilder();
        int count = 0;
        for (int i = 0; i < numbers.size(); count++) {
            int end = i;
            while (end + 1 < numbers.size() && numbers.get(end + 1) == numbers.get(end) + 1) {
                end++;
            }
            if (count == MOST) {
                return text.append(", ... ").append(numbers.getLast()).toString();
            }
            text.append(count == 0 ? "" : ", ").append(numbers.get(i));
            text.append(end == i ? "" : (end == i + 1 ? ", " : "-") + numbers.get(end));
            i = end + 1;
        }
        return text.toString();
    }

    /** The distance of numbers that are equally far apart, where there are enough of them to see that; else 0. */
    private static int stride(List<Integer> numbers) {
        if (numbers.size() < 4) {
            return 0;
        }
        int stride = numbers.get(1) - numbers.get(0);
        for (int i = 2; i < numbers.size(); i++) {
            if (numbers.get(i) - numbers.get(i - 1) != stride) {
                return 0;
            }
        }
        return stride;
    }
}
