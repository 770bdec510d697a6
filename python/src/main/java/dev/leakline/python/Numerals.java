package dev.leakline.python;

/** Numbers as Python writes them: each takes as many characters as it can, so {@code 0x1for} is 31 and {@code or}. */
final class Numerals {
    private Numerals() {}

    /** The end of the number that begins here, with a digit, or with a point before one. */
    static int end(char[] chars, int start) {
        int base = chars[start] == '0' ? base(chars[start + 1]) : 10;
        if (base != 10) {
            int i = digits(chars, start + 2, base);
            if (i > start + 2) {
                return i;
            }
        }
        int i = digits(chars, start, 10);
        if (chars[i] == '.') {
            i = Characters.isDigit(chars[i + 1]) ? digits(chars, i + 1, 10) : i + 1;
        }
        i = afterExponent(chars, i);
        return chars[i] == 'j' || chars[i] == 'J' ? i + 1 : i;
    }

    private static int afterExponent(char[] chars, int at) {
        if (chars[at] != 'e' && chars[at] != 'E') {
            return at;
        }
        int first = chars[at + 1] == '+' || chars[at + 1] == '-' ? at + 2 : at + 1;
        return Characters.isDigit(chars[first]) ? digits(chars, first, 10) : at;
    }

    private static int digits(char[] chars, int start, int base) {
        int i = start;
        while (isDigit(chars[i], base) || (chars[i] == '_' && isDigit(chars[i + 1], base))) {
            i++;
        }
        return i;
    }

    private static boolean isDigit(char c, int base) {
        return c < 0x80 && Character.digit(c, base) >= 0;
    }

    private static int base(char letter) {
        return switch (letter) {
            case 'x', 'X' -> 16;
            case 'o', 'O' -> 8;
            case 'b', 'B' -> 2;
            default -> 10;
        };
    }

    static Token kind(char[] chars, int start, int end) {
        if (chars[start] == '0' && base(chars[start + 1]) != 10) {
            return Token.INT;
        }
        if ((chars[end - 1] | ' ') == 'j') {
            return Token.IMAGINARY;
        }
        for (int i = start; i < end; i++) {
            if (chars[i] == '.' || (chars[i] | ' ') == 'e') {
                return Token.FLOAT;
            }
        }
        return Token.INT;
    }
}
