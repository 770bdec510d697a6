package dev.leakline.text;

import java.util.Comparator;

/** The order that people expect of names with numbers in them: {@code rank9} comes before {@code rank10}. */
public final class NaturalOrder implements Comparator<String> {
    /** Names that differ only in leading zeros come in the order of their characters. */
    public static final Comparator<String> NAMES = new NaturalOrder().thenComparing(Comparator.naturalOrder());

    private NaturalOrder() {}

    @Override
    public int compare(String one, String other) {
        int i = 0;
        int j = 0;
        while (i < one.length() && j < other.length()) {
            int iEnd = endOfDigits(one, i);
            int jEnd = endOfDigits(other, j);
            boolean areNumbers = iEnd > i && jEnd > j;
            int order = areNumbers
                    ? compareNumbers(one.substring(i, iEnd), other.substring(j, jEnd))
                    : Character.compare(one.charAt(i), other.charAt(j));
            if (order != 0) {
                return order;
            }
            i = areNumbers ? iEnd : i + 1;
            j = areNumbers ? jEnd : j + 1;
        }
        return Integer.compare(one.length() - i, other.length() - j);
    }

    private static int endOfDigits(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    private static int compareNumbers(String one, String other) {
        String first = one.replaceFirst("^0+", "");
        String second = other.replaceFirst("^0+", "");
        return first.length() == second.length()
                ? first.compareTo(second)
                : Integer.compare(first.length(), second.length());
    }
}
