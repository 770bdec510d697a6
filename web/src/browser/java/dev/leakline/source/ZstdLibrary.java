package dev.leakline.source;

import dev.leakline.source.ReadException.Code;

/** The library for zstd, which a page does not have. */
final class ZstdLibrary {
    private ZstdLibrary() {}

    @SuppressWarnings("DoNotCallSuggester") // the other form of it loads the library
    static void load() throws ReadException {
        throw new ReadException(
                Code.UNREADABLE,
                -1,
                "it is compressed with zstd, which the page cannot read; decompress it first (zstd -d)");
    }
}
