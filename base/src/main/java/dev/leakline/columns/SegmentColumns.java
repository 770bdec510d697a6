package dev.leakline.columns;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;

/** The segments of the final state, one row each: memory that the allocator holds from the driver. */
public final class SegmentColumns {
    private static final byte LARGE = 1;
    private static final byte EXPANDABLE = 2;

    private final IntArrayList devices = new IntArrayList();
    private final LongArrayList addresses = new LongArrayList();
    private final LongArrayList totalSizes = new LongArrayList();
    private final LongArrayList allocatedSizes = new LongArrayList();
    private final LongArrayList activeSizes = new LongArrayList();
    private final LongArrayList streams = new LongArrayList();
    private final IntArrayList pools = new IntArrayList();
    private final ByteArrayList flags = new ByteArrayList();
    private final IntArrayList stacks = new IntArrayList();
    private final IntArrayList firstBlocks = new IntArrayList();
    private final IntArrayList blockCounts = new IntArrayList();

    /** A segment as read, before it becomes a row. Sizes in bytes; blocks are rows of {@link BlockColumns}. */
    public record Row(
            int device,
            long address,
            long totalSize,
            long allocatedSize,
            long activeSize,
            long stream,
            int pool,
            boolean isLarge,
            boolean isExpandable,
            int stack,
            int firstBlock,
            int blockCount) {}

    /** Appends a segment. */
    public void add(Row row) {
        devices.add(row.device);
        addresses.add(row.address);
        totalSizes.add(row.totalSize);
        allocatedSizes.add(row.allocatedSize);
        activeSizes.add(row.activeSize);
        streams.add(row.stream);
        pools.add(row.pool);
        flags.add((byte) ((row.isLarge ? LARGE : 0) | (row.isExpandable ? EXPANDABLE : 0)));
        stacks.add(row.stack);
        firstBlocks.add(row.firstBlock);
        blockCounts.add(row.blockCount);
    }

    /** A segment, whole. */
    public Row row(int segment) {
        return new Row(
                devices.get(segment),
                addresses.get(segment),
                totalSizes.get(segment),
                allocatedSizes.get(segment),
                activeSizes.get(segment),
                streams.get(segment),
                pools.get(segment),
                (flags.get(segment) & LARGE) != 0,
                (flags.get(segment) & EXPANDABLE) != 0,
                stacks.get(segment),
                firstBlocks.get(segment),
                blockCounts.get(segment));
    }

    /** Segments. */
    public int size() {
        return devices.size();
    }
}
