package dev.leakline.allocator;

import dev.leakline.columns.BlockState;

/** Shows segments and their blocks to a visitor; of an expandable segment, each run of mapped blocks as a segment of its own. */
final class MemoryWalk {
    private final Blocks blocks;
    private final MemoryVisitor visitor;

    MemoryWalk(Blocks blocks, MemoryVisitor visitor) {
        this.blocks = blocks;
        this.visitor = visitor;
    }

    void show(Segment segment) {
        int block = segment.head;
        while (block != Blocks.NONE) {
            if (blocks.state(block) == Blocks.UNMAPPED) {
                block = blocks.next(block);
            } else {
                block = showRun(segment, block);
            }
        }
    }

    /** Shows the blocks from one up to the next unmapped one, which is the answer. */
    private int showRun(Segment segment, int first) {
        int end = first;
        long size = 0;
        while (end != Blocks.NONE && blocks.state(end) != Blocks.UNMAPPED) {
            size += blocks.size(end);
            end = blocks.next(end);
        }
        visitor.segment(segment.place(blocks.address(first), size));
        for (int block = first; block != end; block = blocks.next(block)) {
            show(block);
        }
        return end;
    }

    private void show(int block) {
        BlockState state = state(block);
        long requested = state == BlockState.INACTIVE ? 0 : blocks.requested(block);
        visitor.block(block, blocks.address(block), blocks.size(block), requested, state);
    }

    private BlockState state(int block) {
        return switch (blocks.state(block)) {
            case Blocks.ALLOCATED -> BlockState.ALLOCATED;
            case Blocks.PENDING -> BlockState.PENDING_FREE;
            default -> BlockState.INACTIVE;
        };
    }
}
