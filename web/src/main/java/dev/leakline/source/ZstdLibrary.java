package dev.leakline.source;

import dev.leakline.source.ReadException.Code;

/** The library for zstd, which a page does not have: where the browser can, it has decompressed the file before. */
final class ZstdLibrary {
    private ZstdLibrary() {}

    @SuppressWarnings("DoNotCallSuggester") // the other form of it loads the library
    static void load() throws ReadException {
        throw new ReadException(
                Code.UNREADABLE,
                -1,
                "it is compressed with zstd, which this browser cannot read; decompress it first (zstd -d)");
    }
}
