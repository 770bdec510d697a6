package dev.leakline.allocator;

import java.util.ArrayList;
import java.util.List;

/** The small or the large half of a memory pool: what is cached for requests of up to, or of more than, 1 MiB. */
final class BlockPool {
    /** The memory pool's number; 0 is the default pool. */
    final int number;
    /** Which half. */
    final boolean isSmall;

    private final Blocks blocks;
    private final List<StreamBlocks> streams = new ArrayList<>();
    private StreamBlocks latest;
    private long searches;

    BlockPool(int number, boolean isSmall, Blocks blocks) {
        this.number = number;
        this.isSmall = isSmall;
        this.blocks = blocks;
        this.latest = new StreamBlocks(0, this, blocks);
        streams.add(latest);
    }

    /** The blocks that are cached for a stream. */
    StreamBlocks of(long stream) {
        if (latest.stream != stream) {
            latest = find(stream);
        }
        return latest;
    }

    /** All streams, in the order of their handles as unsigned numbers. */
    List<StreamBlocks> streams() {
        return streams;
    }

    /** Counts a search among the free blocks: the clock that garbage collection goes by. */
    void countSearch() {
        searches++;
    }

    /** Searches counted so far. */
    long searches() {
        return searches;
    }

    private StreamBlocks find(long stream) {
        int from = 0;
        int to = streams.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Long.compareUnsigned(streams.get(middle).stream, stream) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        if (from == streams.size() || streams.get(from).stream != stream) {
            streams.add(from, new StreamBlocks(stream, this, blocks));
        }
        return streams.get(from);
    }
}
