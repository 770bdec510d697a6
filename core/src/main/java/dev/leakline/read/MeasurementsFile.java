package dev.leakline.read;

import dev.leakline.columns.Measurements;
import org.jspecify.annotations.Nullable;

/**
 * Figures as read.
 *
 * @param measurements what the file says
 * @param format what it turned out to be, such as {@code nvidia-smi CSV}
 * @param bytes its size after decompression
 * @param truncation why it is not whole, or null
 */
public record MeasurementsFile(
        Measurements measurements,
        String format,
        long bytes,
        @Nullable ReadException truncation) implements InputContent {}
