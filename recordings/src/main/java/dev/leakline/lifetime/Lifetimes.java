package dev.leakline.lifetime;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntLongHashMap;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.primitive.Bisection;
import dev.leakline.primitive.IntColumn;

/**
 * The allocations of one device, one row each, in the order in which they became known.
 *
 * <p>An allocation was born at an event, or before the recording began. It died at an event ({@code free_completed}, when the
 * memory could be used again), or lives on after the last. Made by {@link LifetimeBuilder}; read-only, any number of threads.
 */
public final class Lifetimes {
    /** Stands for "before the recording" where an event is expected. */
    public static final int BEFORE = -1;
    /** Stands for "not within the recording" where an event is expected. */
    public static final int NEVER = Integer.MAX_VALUE;
    /** No allocation. */
    public static final int NONE = -1;
    /** Marks an allocation that no event is about. */
    static final int UNTOUCHED = Integer.MIN_VALUE;

    /** The table that a {@link LifetimeBuilder} fills; it does not change after that. */
    static final class Table {
        /** An event; {@code -2 - event} for what was born before and is known by that free; {@link #UNTOUCHED} if by nothing. */
        final IntColumn born = new IntColumn();

        /** The allocations that were born before, in order. */
        final IntArrayList older = new IntArrayList();

        final IntColumn freeRequested = new IntColumn();
        final IntColumn died = new IntColumn();
        /** The allocation of each event. */
        final IntColumn allocations = new IntColumn();
        /** Blocks in the final state of allocations that are live at the end. */
        final IntIntHashMap blocks = new IntIntHashMap();
        /** For each alloc at an address in use, the allocation that was there. */
        final IntIntHashMap formerTenants = new IntIntHashMap();

        int unknownFrees;
        long unknownFreeBytes;
        int liveWithoutBlock;
    }

    private final SnapshotColumns columns;
    private final int device;
    private final DeviceEvents events;
    private final RoundedSize rounding;
    private final Table table;
    private final IntColumn born;
    private final IntColumn died;
    /** Real sizes of allocations whose size differs from their rounded request. */
    private final IntLongHashMap exact;

    /** Bytes; an allocation of which no more was requested has no exact size. */
    private final long roundedUpTo;

    Lifetimes(SnapshotColumns columns, int device, DeviceEvents events, Table table) {
        this(columns, device, events, table, new IntLongHashMap(), Long.MAX_VALUE);
    }

    private Lifetimes(
            SnapshotColumns columns,
            int device,
            DeviceEvents events,
            Table table,
            IntLongHashMap exact,
            long roundedUpTo) {
        this.columns = columns;
        this.device = device;
        this.events = events;
        this.rounding = RoundedSize.of(columns);
        this.table = table;
        this.born = table.born;
        this.died = table.died;
        this.exact = exact;
        this.roundedUpTo = roundedUpTo;
    }

    /**
     * A copy with the exact sizes of some allocations.
     *
     * @param sizes bytes by allocation; not to be written to any more
     * @param roundedUpTo bytes; where no more was requested, none of the sizes is about it
     */
    public Lifetimes withSizes(IntLongHashMap sizes, long roundedUpTo) {
        return new Lifetimes(columns, device, events, table, sizes, roundedUpTo);
    }

    /** The device's ordinal, or {@link SnapshotColumns#HOST}. */
    public int device() {
        return device;
    }

    /** The device's events. */
    public DeviceEvents events() {
        return events;
    }

    /** Allocations. */
    public int count() {
        return born.size();
    }

    /** The event at which an allocation was born, or {@link #BEFORE}. */
    public int born(int allocation) {
        return Math.max(born.get(allocation), BEFORE);
    }

    /** The event at which was born what an event frees; {@link #BEFORE} where it frees nothing that was born in the recording. */
    public int bornOfFreed(int event) {
        int allocation = events.action(event).isFree() ? allocation(event) : NONE;
        return allocation == NONE ? BEFORE : born(allocation);
    }

    /** The allocations that were born before the recording, in order; not to be written to. */
    public IntArrayList older() {
        return table.older;
    }

    /** How many allocations were born from one event until before another. */
    public int births(int from, int to) {
        return bornBefore(to) - bornBefore(from);
    }

    private int bornBefore(int event) {
        int known = Bisection.first(born.size(), allocation -> knownAt(allocation) >= event);
        return known - Bisection.first(table.older.size(), index -> table.older.get(index) >= known);
    }

    /** The event by which an allocation became known, by which they are in order. */
    private int knownAt(int allocation) {
        int event = sourceEvent(allocation);
        return event == NONE ? NEVER : event;
    }

    /** The allocations that hold memory just after an event, in order. */
    public IntArrayList liveAfter(int event) {
        IntArrayList live = new IntArrayList();
        for (int allocation = 0; allocation < count(); allocation++) {
            if (isLive(allocation, event)) {
                live.add(allocation);
            }
        }
        return live;
    }

    /** The event at which the program freed it, or {@link #NEVER}. */
    public int freeRequested(int allocation) {
        return table.freeRequested.get(allocation);
    }

    /** The event at which the program was done with it, or {@link #NEVER}; it may have waited for other streams after that. */
    public int freed(int allocation) {
        int requested = freeRequested(allocation);
        return requested == NEVER ? died(allocation) : requested;
    }

    /** The event at which its memory was free again, or {@link #NEVER}. */
    public int died(int allocation) {
        return died.get(allocation);
    }

    /** Returns whether it holds memory just after an event; {@link #BEFORE} asks for the time before the first. */
    public boolean isLive(int allocation, int event) {
        return born(allocation) <= event && event < died(allocation);
    }

    /** The allocation that an event is about, {@link #NONE} where it is about something else. */
    public int allocation(int event) {
        return table.allocations.get(event);
    }

    /** Where it lies; unsigned. */
    public long address(int allocation) {
        int source = sourceEvent(allocation);
        return source >= 0 ? columns.events.address(events.row(source)) : columns.blocks.address(block(allocation));
    }

    /** Bytes that the program requested. */
    public long requested(int allocation) {
        int source = sourceEvent(allocation);
        return source >= 0 ? events.size(source) : columns.blocks.requestedSize(block(allocation));
    }

    /**
     * Bytes that the allocator holds for it: its block's in the final state, else its exact size where one is known, else what the request is rounded to.
     */
    public long held(int allocation) {
        return held(allocation, requested(allocation));
    }

    /** The same where the requested size is already known. */
    long held(int allocation, long requested) {
        int block = block(allocation);
        if (block >= 0) {
            return columns.blocks.size(block);
        }
        long rounded = rounding.of(requested);
        return requested <= roundedUpTo ? rounded : exact.getOrDefault(allocation, rounded);
    }

    /**
     * The stack that allocated it: of the event of its birth, else of its block in the final state, where some recordings keep stacks for
     * the blocks alone; {@link StackTable#NONE} where nobody recorded it.
     */
    public int stack(int allocation) {
        int event = born.get(allocation);
        int stack = event >= 0 ? events.stack(event) : StackTable.NONE;
        int block = stack == StackTable.NONE ? block(allocation) : NONE;
        return block >= 0 ? columns.blocks.stack(block) : stack;
    }

    /** Frees of memory that was allocated before the recording, or whose allocation was overwritten: how many. */
    public int unknownFrees() {
        return table.unknownFrees;
    }

    /** The bytes requested for what {@link #unknownFrees} freed. */
    public long unknownFreeBytes() {
        return table.unknownFreeBytes;
    }

    /** Allocations at an address that was still taken: their predecessors' frees are missing from the recording. */
    public int lostFrees() {
        return table.formerTenants.size();
    }

    /** Allocations that were never freed and yet have no block in the final state. */
    public int liveWithoutBlock() {
        return table.liveWithoutBlock;
    }

    /**
     * Returns whether an allocation's end must be missing from the recording: no event frees it, and the final state, which has segments, does not
     * have its block.
     */
    public boolean isLost(int allocation) {
        return died.get(allocation) == NEVER && columns.segments.size() > 0 && !table.blocks.containsKey(allocation);
    }

    /** The block of the final state that an allocation lives in, {@link #NONE} where it has none. */
    public int block(int allocation) {
        return died.get(allocation) == NEVER ? table.blocks.getOrDefault(allocation, NONE) : NONE;
    }

    /** The allocation that ended unseen because this event's took its place, or {@link #NONE}. */
    public int formerTenant(int event) {
        return table.formerTenants.isEmpty() ? NONE : table.formerTenants.getOrDefault(event, NONE);
    }

    /** The event that has the requested size: the one of its birth, else the one that freed it, else none. */
    private int sourceEvent(int allocation) {
        int event = born.get(allocation);
        return event >= 0 ? event : event == UNTOUCHED ? NONE : -2 - event;
    }
}
