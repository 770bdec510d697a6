package dev.leakline.allocator;

import com.carrotsearch.hppc.IntLongHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.known.SizeRules;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.lifetime.SegmentLives;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the allocations that hold more than their requests, rounded: those that got a whole free block because what they left of it was
 * not worth cutting off ({@link FreeBlocks#cut}).
 *
 * <p>Addresses tell it. What is free side by side is one block, and a request gets the lower end of one; so the block that served it went
 * on to the next one in use, or to the end of the segment. Only requests of more than 1 MiB are given more than they need, and
 * they have segments of their own, so all others, which are most, are passed over. Pages that are mapped one by one are always cut.
 */
public final class UncutBlocks {
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final EventColumns rows;
    private final AllocatorSettings settings;
    private final RoundedSize rounding;
    /** By where they begin; those of small requests, which are never looked up, too. */
    private final TreeMap<Long, Segment> segments = new TreeMap<>(Long::compareUnsigned);

    private final IntLongHashMap sizes = new IntLongHashMap();

    /** A segment; a tree of the few blocks in each is faster than one of all, and no file makes it slow. */
    private static final class Segment {
        private final long address;
        private final long size;
        /** Where blocks of large requests begin that are in use, from the segment's begin on. */
        private final TreeSet<Long> used = new TreeSet<>();

        Segment(long address, long size) {
            this.address = address;
            this.size = size;
        }

        /** Where the free block ends that begins at an address. */
        long end(long free) {
            Long next = used.higher(free - address);
            return address + (next == null ? size : next);
        }
    }

    private UncutBlocks(SnapshotColumns columns, Lifetimes lifetimes) {
        this.lifetimes = lifetimes;
        this.events = lifetimes.events();
        this.rows = columns.events;
        this.settings = AllocatorSettings.of(columns.settings);
        this.rounding = settings.rounding();
        SegmentLives.forEach(columns, lifetimes, life -> {
            if (life.born() == Lifetimes.BEFORE && !life.isExpandable()) {
                segments.put(life.address(), new Segment(life.address(), life.size()));
            }
        });
        for (IntCursor older : lifetimes.older()) {
            Segment segment = segment(lifetimes.address(older.value));
            if (segment != null) {
                segment.used.add(lifetimes.address(older.value) - segment.address);
            }
        }
    }

    /** A device's allocations with what each held to the byte, where their recorder shows segments and addresses in them. */
    public static Lifetimes corrected(SnapshotColumns columns, Lifetimes lifetimes) {
        return lifetimes.withSizes(sizes(columns, lifetimes), SizeRules.LARGEST_SMALL);
    }

    /** The bytes of allocations that hold more than their requests, rounded. */
    static IntLongHashMap sizes(SnapshotColumns columns, Lifetimes lifetimes) {
        if (columns.segments.size() == 0 && ReplayedSizes.areWanted(lifetimes, columns.events)) {
            return ReplayedSizes.of(lifetimes, columns.events, AllocatorSettings.of(columns.settings));
        }
        UncutBlocks uncut = new UncutBlocks(columns, lifetimes);
        if (!uncut.settings.expandableSegments()) {
            uncut.find();
        }
        return uncut.sizes;
    }

    private void find() {
        for (int event = 0; event < events.count(); event++) {
            int row = events.row(event);
            long size = rows.size(row);
            if (!SizeRules.isSmall(size)) {
                take(event, row, size);
            }
        }
    }

    private void take(int event, int row, long size) {
        long address = rows.address(row);
        switch (rows.action(row)) {
            case ALLOC -> allocate(lifetimes.allocation(event), address, size);
            case FREE_REQUESTED, FREE_COMPLETED -> {
                Segment segment = lifetimes.died(lifetimes.allocation(event)) == event ? segment(address) : null;
                if (segment != null) {
                    segment.used.remove(address - segment.address);
                }
            }
            case SEGMENT_ALLOC -> segments.put(address, new Segment(address, size));
            case SEGMENT_FREE -> segments.remove(address);
            default -> {}
        }
    }

    private void allocate(int allocation, long address, long requested) {
        Segment segment = segment(address);
        if (segment == null) {
            return;
        }
        long rounded = rounding.of(requested);
        long rest = segment.end(address) - address - rounded;
        if (rest > 0 && (rest <= SizeRules.LARGEST_SMALL || rounded >= settings.maxSplitSize())) {
            sizes.put(allocation, rounded + rest);
        }
        segment.used.add(address - segment.address);
    }

    /** The segment that an address is in, where it is known. */
    private @Nullable Segment segment(long address) {
        Map.Entry<Long, Segment> below = segments.floorEntry(address);
        Segment segment = below == null ? null : below.getValue();
        return segment != null && Long.compareUnsigned(address - segment.address, segment.size) < 0 ? segment : null;
    }
}
