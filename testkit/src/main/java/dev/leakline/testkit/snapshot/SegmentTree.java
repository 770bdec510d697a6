package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.CallStack;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The dict of a segment, with its blocks. */
final class SegmentTree {
    private final Form form;

    SegmentTree(Form form) {
        this.form = form;
    }

    /** The dict of one run of mapped blocks. */
    Object of(int device, List<Block> range) {
        DeviceSegment segment = range.getFirst().segment;
        CallStack stack = range.getFirst().segmentStack;
        Map<String, Object> dict = new LinkedHashMap<>();
        dict.put("device", device);
        dict.put("address", range.getFirst().address);
        putSizes(dict, range);
        dict.put("stream", segment.pool.stream);
        dict.put("segment_type", segment.pool.small ? "small" : "large");
        if (form.since(Layout.V2_1)) {
            dict.put("segment_pool_id", EventTree.tuple(segment.pool.id));
            dict.put("is_expandable", segment.expandable);
        }
        putBlocks(dict, range, stack);
        return stack == null ? dict : form.held(dict);
    }

    /** Python adds the frames of a segment, where there are any, after everything else. */
    private void putBlocks(Map<String, Object> dict, List<Block> range, @Nullable CallStack stack) {
        boolean framed = form.since(Layout.V2_1);
        if (framed && (stack == null || form.cpp)) {
            dict.put("frames", form.frames(stack));
        }
        dict.put("blocks", range.stream().map(this::block).toList());
        if (framed) {
            dict.putIfAbsent("frames", form.frames(stack));
        }
    }

    private void putSizes(Map<String, Object> dict, List<Block> range) {
        dict.put("total_size", sum(range, block -> true, block -> block.size));
        dict.put(
                "allocated_size",
                sum(range, block -> block.state == Block.State.ACTIVE_ALLOCATED, block -> block.size));
        dict.put("active_size", sum(range, Block::isActive, block -> block.size));
        if (form.since(Layout.V2_0)) {
            dict.put("requested_size", sum(range, Block::isActive, block -> block.requested));
        }
    }

    private static long sum(List<Block> range, Predicate<Block> which, ToLongFunction<Block> what) {
        return range.stream().filter(which).mapToLong(what).sum();
    }

    private Object block(Block block) {
        Map<String, Object> dict = new LinkedHashMap<>();
        if (form.since(Layout.V2_1)) {
            dict.put("address", block.address);
        }
        dict.put("size", block.size);
        if (form.since(Layout.V2_0)) {
            dict.put("requested_size", block.requested);
        }
        dict.put("state", block.state.text());
        putStacks(dict, block);
        return block.stack == null ? dict : form.held(dict);
    }

    private void putStacks(Map<String, Object> dict, Block block) {
        if (form.since(Layout.V2_1)) {
            dict.put("frames", form.frames(block.stack));
        } else if (!block.tenants.isEmpty()) {
            dict.put("history", block.tenants.stream().map(this::tenant).toList());
        }
    }

    private Object tenant(Tenant tenant) {
        Map<String, Object> dict = new LinkedHashMap<>();
        dict.put("addr", tenant.address());
        dict.put("real_size", tenant.requested());
        if (tenant.stack() != null) {
            dict.put("frames", form.frames(tenant.stack()));
        }
        return dict;
    }
}
