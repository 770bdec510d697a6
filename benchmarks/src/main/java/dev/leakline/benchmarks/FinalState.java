package dev.leakline.benchmarks;

import dev.leakline.columns.PoolTable.PoolId;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.testkit.pickle.Handle;
import dev.leakline.testkit.pickle.ValueStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the segments and blocks that there are after the last event. */
final class FinalState {
    /** Segments of the pool for small allocations have exactly this size, all others are larger. */
    private static final long SMALL_SEGMENT = 2 << 20;

    /** A piece of a segment; nobody lives in an inactive one. */
    private record Block(long address, long size, @Nullable Step tenant) {}

    private final RepeatableEvents loop;
    private final Memory memory;
    private final Handle[] lists;
    private final Frames frames;
    private final RoundedSize rounding;
    private final ValueStream out;

    /** The state of a memory; {@code lists} are those of the steps that made it. */
    FinalState(RepeatableEvents loop, Memory memory, Handle[] lists, Frames frames, ValueStream out) {
        this.loop = loop;
        this.memory = memory;
        this.lists = lists;
        this.frames = frames;
        this.rounding = new RoundedSize(loop.columns.settings);
        this.out = out;
    }

    /** Writes the list of segments. */
    void write() throws IOException {
        out.beginList(memory.segments.size());
        for (int segment : memory.segments.values()) {
            writeSegment(loop.steps.get(segment));
        }
        out.endList();
    }

    static void pool(ValueStream out, PoolId pool) throws IOException {
        out.beginTuple(2);
        out.number(pool.first());
        out.number(pool.second());
        out.endTuple();
    }

    private void writeSegment(Step segment) throws IOException {
        List<Step> tenants = memory.tenants(segment);
        out.beginDict(12);
        number("device", loop.device);
        number("address", segment.address());
        number("total_size", segment.size());
        writeSums(tenants);
        number("stream", segment.stream());
        out.key("segment_type");
        out.symbol(segment.size() > SMALL_SEGMENT ? "large" : "small");
        out.key("segment_pool_id");
        pool(out, segment.pool());
        out.key("is_expandable");
        out.bool(false);
        out.key("frames");
        frames.writeNone();
        out.key("blocks");
        writeBlocks(blocks(segment, tenants));
        out.endDict();
    }

    private void writeSums(List<Step> tenants) throws IOException {
        number(
                "allocated_size",
                tenants.stream().filter(this::isAllocated).mapToLong(this::held).sum());
        number("active_size", tenants.stream().mapToLong(this::held).sum());
        number("requested_size", tenants.stream().mapToLong(Step::size).sum());
    }

    private boolean isAllocated(Step tenant) {
        return !memory.pending.containsKey(tenant.address());
    }

    private long held(Step tenant) {
        return rounding.of(tenant.size());
    }

    private void writeBlocks(List<Block> blocks) throws IOException {
        out.beginList(blocks.size());
        for (Block block : blocks) {
            writeBlock(block);
        }
        out.endList();
    }

    private void writeBlock(Block block) throws IOException {
        Step tenant = block.tenant;
        beginBlock(block.address, block.size, tenant == null ? 0 : tenant.size(), state(tenant));
        if (tenant == null) {
            frames.writeNone();
        } else {
            frames.write(tenant.stack(), lists[tenant.frames()]);
        }
        out.endDict();
    }

    private String state(@Nullable Step tenant) {
        if (tenant == null) {
            return "inactive";
        }
        return isAllocated(tenant) ? "active_allocated" : "active_pending_free";
    }

    /** The blocks that cover a segment without gaps. */
    private List<Block> blocks(Step segment, List<Step> tenants) {
        List<Block> blocks = new ArrayList<>();
        long end = segment.address();
        for (Step tenant : tenants) {
            addGap(blocks, end, tenant.address());
            blocks.add(new Block(tenant.address(), held(tenant), tenant));
            end = tenant.address() + held(tenant);
        }
        addGap(blocks, end, segment.address() + segment.size());
        return blocks;
    }

    private static void addGap(List<Block> blocks, long from, long to) {
        if (to > from) {
            blocks.add(new Block(from, to - from, null));
        }
    }

    private void beginBlock(long address, long size, long requested, String state) throws IOException {
        out.beginDict(5);
        number("address", address);
        number("size", size);
        number("requested_size", requested);
        out.key("state");
        out.symbol(state);
        out.key("frames");
    }

    private void number(String key, long value) throws IOException {
        out.key(key);
        out.number(value);
    }
}
