package dev.leakline.text;

/** The characters that numbers, units and names are made of; a byte counts as its character. */
public final class Ascii {
    private Ascii() {}

    public static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    public static boolean isLetter(int character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    }

    /** Where the blanks end that begin at a place. */
    public static int endOfBlanks(char[] text, int from, int length) {
        int at = from;
        while (at < length && text[at] == ' ') {
            at++;
        }
        return at;
    }
}
