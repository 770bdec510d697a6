package dev.leakline.columns;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;

/** The blocks of the final state, one row each; the rows of a segment stand together, in address order. */
public final class BlockColumns {
    private static final BlockState[] STATES = BlockState.values();

    private final LongArrayList addresses = new LongArrayList();
    private final LongArrayList sizes = new LongArrayList();
    private final LongArrayList requestedSizes = new LongArrayList();
    private final ByteArrayList states = new ByteArrayList();
    private final IntArrayList stacks = new IntArrayList();

    /** Appends a block; an address of 0 is filled in by {@link #place} (torch up to 2.0 writes none). */
    @SuppressWarnings("EnumOrdinal") // columns live no longer than the process
    public void add(long address, long size, long requestedSize, BlockState state, int stack) {
        addresses.add(address);
        sizes.add(size);
        requestedSizes.add(requestedSize);
        states.add((byte) state.ordinal());
        stacks.add(stack);
    }

    /** Gives the blocks of a segment, which follow each other from {@code start} on, the addresses that they lack. */
    public void place(int first, int count, long start) {
        long address = start;
        for (int block = first; block < first + count; block++) {
            if (addresses.get(block) == 0) {
                addresses.set(block, address);
            }
            address += sizes.get(block);
        }
    }

    /** Where the block begins. */
    public long address(int block) {
        return addresses.get(block);
    }

    /** Bytes that the allocator holds for it. */
    public long size(int block) {
        return sizes.get(block);
    }

    /** Bytes that the program requested; meaningless for inactive blocks. */
    public long requestedSize(int block) {
        return requestedSizes.get(block);
    }

    /** The state of a block. */
    public BlockState state(int block) {
        return STATES[states.get(block)];
    }

    /** The stack of the allocation, {@link StackTable#NONE} where unknown. */
    public int stack(int block) {
        return stacks.get(block);
    }

    /** Blocks. */
    public int size() {
        return sizes.size();
    }
}
