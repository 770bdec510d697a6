package dev.leakline.result;

import org.jspecify.annotations.Nullable;

/**
 * A file that was read.
 *
 * @param path as it was given
 * @param kind what it turned out to be
 * @param bytes its size after decompression
 * @param torch the version of torch that wrote it, as far as its layout tells; null where torch did not
 * @param incomplete why it could not be read to its end, or null
 */
public record InputFile(
        String path,
        String kind,
        long bytes,
        @Nullable String torch,
        @Nullable String incomplete) {}
