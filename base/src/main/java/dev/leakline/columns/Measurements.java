package dev.leakline.columns;

import java.util.List;

/**
 * The content of a file that holds figures rather than events.
 *
 * @param calls of profiled functions, in the order of the file
 * @param series figures over time or steps, in the order in which the file names them first
 * @param unused what could not be used, in sentences
 */
public record Measurements(List<ProfiledCall> calls, List<MemorySeries> series, List<String> unused) {
    /** No figures. */
    public static final Measurements NONE = new Measurements(List.of(), List.of(), List.of());

    /** Returns whether nothing was found. */
    public boolean isEmpty() {
        return calls.isEmpty() && series.isEmpty();
    }
}
