package dev.leakline.source;

/** The library for zstd: none is needed where it is read in Java. */
final class ZstdLibrary {
    private ZstdLibrary() {}

    static void load() {}
}
