package dev.leakline.read.dump;

import dev.leakline.source.ReadLimits;

/**
 * The most that is taken from a holder dump, whatever it claims; see {@link ReadLimits}.
 *
 * @param headerBytes the header; the probe's own bound
 * @param sections sections, unknown ones included; six are known
 * @param strings texts; the probe's own bound
 * @param stringBytes one text; the probe's own bound
 * @param nodes objects: ten times the largest heap that anybody reports for a server in Python
 * @param storages pieces of memory, with their tensors
 * @param edges references: three an object are usual
 * @param inflatedBytes bytes of a compressed dump after decompression: those of the largest dump that the other limits allow
 */
record HolderLimits(
        int headerBytes,
        int sections,
        int strings,
        int stringBytes,
        int nodes,
        int storages,
        int edges,
        long inflatedBytes) {
    /** The limits that commands use. */
    static final HolderLimits DEFAULT =
            new HolderLimits(1 << 20, 1024, 16 << 20, 4096, 32 << 20, 16 << 20, 128 << 20, 8L << 30);
}
