package dev.leakline.source;

import dev.leakline.result.OutOfMemoryLog.Found;
import dev.leakline.result.OutOfMemoryLog.Place;
import java.util.List;

/**
 * The out-of-memory messages of a text.
 *
 * @param lines lines of the text
 * @param found its messages, each distinct one once, in the order of their first places
 * @param omitted messages beyond the number of distinct ones, or of those in one line, that are kept
 * @param mentions places that speak of a device's memory having run out without the text of an error, the first few
 * @param mentionCount how many places those are
 */
public record FoundMessages(long lines, List<Found> found, long omitted, List<Place> mentions, long mentionCount) {
    /** The messages of a text that was not searched. */
    public static final FoundMessages NONE = new FoundMessages(0, List.of(), 0, List.of(), 0);

    /** Messages, repeated ones counted each time. */
    public long count() {
        return omitted + found.stream().mapToLong(Found::count).sum();
    }
}
