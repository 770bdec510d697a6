package dev.leakline.columns;

import org.jspecify.annotations.Nullable;

/** Actions of a trace's events; names as the caching allocator writes them, in lower case. */
public enum Action {
    /** The allocator got memory from the driver by cudaMalloc. */
    SEGMENT_ALLOC,
    /** The allocator mapped pages into an expandable segment. */
    SEGMENT_MAP,
    /** A block was handed out. */
    ALLOC,
    /** The program freed a block. */
    FREE_REQUESTED,
    /** The block is free again; later than the request where other streams used it. */
    FREE_COMPLETED,
    /** A segment went back to the driver. */
    SEGMENT_FREE,
    /** Pages of an expandable segment went back to the driver. */
    SEGMENT_UNMAP,
    /** A request could not be met. */
    OOM,
    /** Somebody took a snapshot; its size is the bytes in active blocks at that moment. */
    SNAPSHOT,
    /** A note that the program attached to a live block. */
    ANNOTATE,
    /** A region of the program began or ended (nightlies of 2024). */
    USER_DEFINED,
    /** An action this version does not know; counted, never interpreted. */
    UNKNOWN;

    private static final Action[] VALUES = values();

    /** The name as it stands in files. */
    public String key() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns whether the program freed a block, or the block became free. */
    public boolean isFree() {
        return this == FREE_REQUESTED || this == FREE_COMPLETED;
    }

    /** Returns whether the driver gave memory. */
    public boolean isGift() {
        return this == SEGMENT_ALLOC || this == SEGMENT_MAP;
    }

    /** Returns whether memory went back to the driver. */
    public boolean isRelease() {
        return this == SEGMENT_FREE || this == SEGMENT_UNMAP;
    }

    /** The number that stands for the action in columns. */
    @SuppressWarnings("EnumOrdinal") // columns live no longer than the process
    public int code() {
        return ordinal();
    }

    /** The action of a {@link #code()}. */
    public static Action of(int code) {
        return VALUES[code];
    }

    /** The action of a name in a file, or null where there is none of that name. */
    public static @Nullable Action named(String key) {
        for (Action action : VALUES) {
            if (action != UNKNOWN && action.key().equals(key)) {
                return action;
            }
        }
        return null;
    }
}
