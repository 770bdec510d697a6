package dev.leakline.result;

import java.util.List;

/**
 * What a text log says about running out of memory.
 *
 * @param file the log
 * @param lines lines of it
 * @param found its messages, each distinct one once, in the order of their first places
 * @param omitted messages beyond the number of distinct ones that are kept
 * @param mentions places that speak of a device's memory having run out without the text of an error, the first few
 * @param mentionCount how many places those are
 */
public record OutOfMemoryLog(
        InputFile file, long lines, List<Found> found, long omitted, List<Place> mentions, long mentionCount) {
    /** Where something stands: a line, counted from 1, and a byte of the uncompressed file, counted from 0. */
    public record Place(long line, long offset) {}

    /**
     * A message and where it stands.
     *
     * @param places where, the first few
     * @param count how often it stands there
     * @param ranks the ranks whose lines it stands in, in ascending order; empty where lines do not say
     */
    public record Found(OutOfMemoryMessage message, List<Place> places, long count, List<Integer> ranks) {}

    /** Messages, repeated ones counted each time. */
    public long count() {
        return omitted + found.stream().mapToLong(Found::count).sum();
    }
}
