package dev.leakline.allocator;

import dev.leakline.columns.BlockState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What an allocator holds, as text: {@code 2097152 small: 512 allocated, 2096640 inactive}. */
final class Layout implements MemoryVisitor {
    private final List<String> segments = new ArrayList<>();

    /** One text a segment. */
    static List<String> of(CachingAllocator allocator) {
        Layout layout = new Layout();
        allocator.visit(layout);
        return layout.segments;
    }

    @Override
    public void segment(SegmentPlace segment) {
        segments.add(segment.size() + (segment.isLarge() ? " large" : " small"));
    }

    @Override
    public void block(int handle, long address, long size, long requested, BlockState state) {
        String text = segments.removeLast();
        segments.add(text
                + (text.indexOf(':') < 0 ? ": " : ", ")
                + size
                + " "
                + state.name().toLowerCase(Locale.ROOT));
    }
}
