package dev.leakline.lint.python;

/** Where in a string the bytes of its UTF-8 begin. */
final class Offsets {
    private Offsets() {}

    /** The char at which each byte's character begins, and behind the last byte the length; a lone surrogate is one byte, a question mark. */
    static int[] ofUtf8(String text) {
        int[] chars = new int[3 * text.length() + 1];
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            int length = lengthOf(point);
            for (int k = 0; k < length; k++) {
                chars[bytes++] = i;
            }
            i += Character.charCount(point);
        }
        chars[bytes] = text.length();
        return chars;
    }

    private static int lengthOf(int point) {
        if (point < 0x80 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)) {
            return 1;
        }
        return point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }
}
