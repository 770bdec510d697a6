package dev.leakline.read;

import dev.leakline.columns.SnapshotColumns;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as read.
 *
 * @param columns what it says
 * @param format how it was written, such as {@code pickle protocol 4, gzip}
 * @param bytes its size after decompression
 * @param truncation why it is not whole, or null; what was whole is in the columns
 */
public record SnapshotFile(
        SnapshotColumns columns,
        String format,
        long bytes,
        @Nullable ReadException truncation) implements InputContent {}
