package dev.leakline.testkit.snapshot;

import java.util.Locale;

/** What a trace event says. */
enum EventAction {
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
    String text() {
        return text;
    }

    boolean isFree() {
        return this == FREE_REQUESTED || this == FREE_COMPLETED;
    }

    boolean isRelease() {
        return this == SEGMENT_FREE || this == SEGMENT_UNMAP;
    }
}
