package dev.leakline.result;

import java.util.List;

/**
 * The number of out-of-memory messages and mentions in a text; {@link OutOfMemoryExplanation} has the messages.
 *
 * @param input the index of the text among the inputs
 * @param lines lines of it
 * @param messages its messages, repeated ones counted each time
 * @param distinctMessages messages that differ, those included that were not kept
 * @param omittedMessages messages beyond the number of distinct ones, or of those in one line, that are kept
 * @param mentions places that speak of a device's memory having run out without the text of an error
 * @param mentionedAt the first few of those
 */
public record OutOfMemoryLog(
        int input,
        long lines,
        long messages,
        int distinctMessages,
        long omittedMessages,
        long mentions,
        List<Place> mentionedAt) {
    /** A place in a text: a line, counted from 1, and a byte of the uncompressed file, counted from 0. */
    public record Place(long line, long offset) {}

    /**
     * A message and where it stands.
     *
     * @param places where, the first few
     * @param count how often it stands there
     * @param ranks the ranks whose lines it stands in, in ascending order; empty where lines do not say
     * @param lines the line of each of its figures at the first place
     */
    public record Found(
            OutOfMemoryMessage message, List<Place> places, long count, List<Integer> ranks, List<Long> lines) {
        /** The line in which a size of it stands at its first place. */
        public long line(PrintedSize size) {
            int at = message.figures().stream()
                    .map(OutOfMemoryMessage.Figure::size)
                    .toList()
                    .indexOf(size);
            return at < 0 ? places.getFirst().line() : lines.get(at);
        }
    }
}
