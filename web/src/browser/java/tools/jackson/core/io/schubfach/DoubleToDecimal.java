package tools.jackson.core.io.schubfach;

/** Jackson's shortest decimals, which TeaVM's are as well. */
public final class DoubleToDecimal {
    private DoubleToDecimal() {}

    public static String toString(double value) {
        return Double.toString(value);
    }

    public static int writeDouble(double value, byte[] bytes, int at) {
        String digits = Double.toString(value);
        for (int i = 0; i < digits.length(); i++) {
            bytes[at + i] = (byte) digits.charAt(i);
        }
        return digits.length();
    }
}
