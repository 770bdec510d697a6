package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.Block.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A range of addresses from the driver, covered without gaps by its chain of blocks. */
final class DeviceSegment {
    final Pool pool;
    final boolean expandable;
    final long base;
    private Block first;

    DeviceSegment(Pool pool, boolean expandable, long base, long size) {
        this.pool = pool;
        this.expandable = expandable;
        this.base = base;
        first = new Block(this, base, size);
    }

    Block first() {
        return first;
    }

    /** All blocks, unmapped ones too, by address. */
    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (Block block = first; block != null; block = block.next) {
            blocks.add(block);
        }
        return blocks;
    }

    /** The runs of mapped blocks: what a snapshot shows as segments. */
    List<List<Block>> ranges() {
        List<List<Block>> ranges = new ArrayList<>();
        boolean open = false;
        for (Block block : blocks()) {
            boolean mapped = block.state != State.UNMAPPED;
            if (mapped && !open) {
                ranges.add(new ArrayList<>());
            }
            if (mapped) {
                ranges.getLast().add(block);
            }
            open = mapped;
        }
        return ranges;
    }

    /** Cuts the low {@code size} bytes off a block; the block object remains as the high part. */
    Block cut(Block block, long size) {
        Block low = new Block(this, block.address, size);
        low.state = block.state;
        link(block.previous, low);
        link(low, block);
        block.address += size;
        block.size -= size;
        block.forgetBefore(block.address);
        return low;
    }

    /** Joins a block with the one before it. */
    void absorbPrevious(Block block, Block previous) {
        link(previous.previous, block);
        block.address = previous.address;
        block.size += previous.size;
        block.segmentStack = previous.segmentStack;
        previous.tenants.addAll(block.tenants);
        block.tenants = previous.tenants;
    }

    /** Joins a block with the one after it. */
    void absorbNext(Block block, Block next) {
        block.size += next.size;
        block.tenants.addAll(next.tenants);
        block.next = next.next;
        if (next.next != null) {
            next.next.previous = block;
        }
    }

    private void link(@Nullable Block low, Block high) {
        high.previous = low;
        if (low == null) {
            first = high;
        } else {
            low.next = high;
        }
    }
}
