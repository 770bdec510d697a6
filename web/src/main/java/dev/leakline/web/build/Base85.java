package dev.leakline.web.build;

/**
 * Bytes as text that may stand in any element of HTML: five of 85 characters for each four bytes, where base64 has five and a third. The
 * characters are those from {@code #} on, without the ones that mean something in markup or in strings.
 */
final class Base85 {
    private static final String MEANT_OTHERWISE = "&'<>\\`";
    private static final int DIGITS = 85;
    private static final int GROUP = 4;

    private Base85() {}

    static String encoded(byte[] bytes) {
        StringBuilder alphabet = new StringBuilder();
        for (char character = '#'; alphabet.length() < DIGITS; character++) {
            if (MEANT_OTHERWISE.indexOf(character) < 0) {
                alphabet.append(character);
            }
        }
        StringBuilder text = new StringBuilder(bytes.length / GROUP * (GROUP + 1) + GROUP + 1);
        for (int at = 0; at < bytes.length; at += GROUP) {
            int count = Math.min(GROUP, bytes.length - at);
            long value = 0;
            for (int i = 0; i < GROUP; i++) {
                value = (value << Byte.SIZE) | (i < count ? bytes[at + i] & 0xff : 0);
            }
            char[] digits = new char[GROUP + 1];
            for (int i = GROUP; i >= 0; i--, value /= DIGITS) {
                digits[i] = alphabet.charAt((int) (value % DIGITS));
            }
            text.append(digits, 0, count + 1);
        }
        return text.toString();
    }
}
