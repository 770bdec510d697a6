package tools.jackson.core.io.schubfach;

/** Jackson's shortest decimals, which TeaVM's are as well, but for those of two that are as near: Java's ends with an even digit. */
public final class DoubleToDecimal {
    private DoubleToDecimal() {}

    public static String toString(double value) {
        String digits = Double.toString(value);
        double size = Math.abs(value);
        boolean isBetween =
                size >= 0x1p50 && size < 0x1p51 && size * 4 % 4 == 1; // 0.2 and 0.3 are as near to a quarter
        int last = digits.indexOf('E') - 1;
        return isBetween && digits.charAt(last) == '3'
                ? digits.substring(0, last) + "2" + digits.substring(last + 1)
                : digits;
    }

    public static int writeDouble(double value, byte[] bytes, int at) {
        String digits = toString(value);
        for (int i = 0; i < digits.length(); i++) {
            bytes[at + i] = (byte) digits.charAt(i);
        }
        return digits.length();
    }
}
