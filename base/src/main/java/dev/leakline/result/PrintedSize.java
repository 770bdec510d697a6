package dev.leakline.result;

/**
 * A size as a message prints it, with what the print leaves open.
 *
 * <p>PyTorch rounds to two decimals of the unit: {@code 8.13 GiB} stands for any of ten million bytes. What is concluded from printed
 * sizes must hold for all of them, so it is concluded from {@code least} and {@code most}, never from {@code bytes} alone.
 *
 * @param bytes the size that the digits say
 * @param least the smallest size that is printed like this
 * @param most the largest one
 * @param text the print, such as {@code 8.13 GiB}
 */
public record PrintedSize(long bytes, long least, long most, String text) {
    /** A size that was printed to the byte. */
    public static PrintedSize exact(long bytes, String text) {
        return new PrintedSize(bytes, bytes, bytes, text);
    }

    /** Returns whether the size is known to the byte. */
    public boolean isExact() {
        return least == most;
    }

    /** Returns whether this is printed for the very number of bytes. */
    public boolean covers(long other) {
        return other >= least && other <= most;
    }

    /** Returns whether both may be prints of the same size. */
    public boolean mayEqual(PrintedSize other) {
        return least <= other.most && other.least <= most;
    }
}
