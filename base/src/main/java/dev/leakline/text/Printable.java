package dev.leakline.text;

/** Text from a file made safe to show: control and direction-changing characters become visible, length is bounded. */
public final class Printable {
    private Printable() {}

    /** The text with every character that could drive a terminal or disguise itself as {@code \}{@code uXXXX}, cut to {@code most} characters. */
    public static String of(String text, int most) {
        String cut = text.length() > most ? text.substring(0, Math.max(most - 3, 0)) + "..." : text;
        if (cut.codePoints().noneMatch(Printable::isUnsafe)) {
            return cut;
        }
        StringBuilder shown = new StringBuilder(cut.length() + 16);
        cut.codePoints().forEach(point -> append(shown, point));
        return shown.toString();
    }

    /** The text made safe, however long. */
    public static String of(String text) {
        return of(text, Integer.MAX_VALUE);
    }

    /** The text as it is, cut to {@code most} characters, an ellipsis the last of them. */
    public static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
        return text.substring(0, end) + "…";
    }

    private static void append(StringBuilder shown, int point) {
        if (isUnsafe(point)) {
            shown.append(String.format("\\u%04x", point));
        } else {
            shown.appendCodePoint(point);
        }
    }

    private static boolean isUnsafe(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE -> true;
            default -> false;
        };
    }
}
