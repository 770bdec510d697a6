package dev.leakline.testkit.snapshot.event;

import java.util.Locale;

/** Actions of trace events. */
public enum EventAction {
    SEGMENT_ALLOC,
    SEGMENT_MAP,
    ALLOC,
    FREE_REQUESTED,
    FREE_COMPLETED,
    SEGMENT_FREE,
    SEGMENT_UNMAP,
    OOM,
    SNAPSHOT,
    ANNOTATE;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** The word in the file: one object for all events. */
    public String text() {
        return text;
    }

    public boolean isFree() {
        return this == FREE_REQUESTED || this == FREE_COMPLETED;
    }

    public boolean isRelease() {
        return this == SEGMENT_FREE || this == SEGMENT_UNMAP;
    }
}
