package dev.leakline.report.diff;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;

/**
 * A quantity before and after, in words.
 *
 * @param label what it is
 * @param change by how much it changed, with its sign
 * @param share the same in percent, empty where that tells nothing
 * @param rise bytes that came, negative where they went; 0 for what is neither good nor bad
 */
record ChangeRow(String label, String change, String share, String before, String after, long rise) {
    static ChangeRow bytes(String label, long was, long is) {
        return bytes(label, "", was, is);
    }

    static ChangeRow bytesWithShare(String label, long was, long is) {
        return bytes(label, was == is || was == 0 ? "" : Numbers.change(was, is), was, is);
    }

    private static ChangeRow bytes(String label, String share, long was, long is) {
        String change = signed(is - was, ByteSize.format(is - was));
        return new ChangeRow(label, change, share, ByteSize.format(was), ByteSize.format(is), is - was);
    }

    static ChangeRow count(String label, long was, long is) {
        String change = signed(is - was, Numbers.grouped(is - was));
        return new ChangeRow(label, change, "", Numbers.grouped(was), Numbers.grouped(is), 0);
    }

    /** A row without a difference, such as a share of something else. */
    static ChangeRow values(String label, String was, String is) {
        return new ChangeRow(label, "", "", was, is, 0);
    }

    private static String signed(long difference, String shown) {
        return difference == 0 ? "=" : difference > 0 ? "+" + shown : shown;
    }
}
