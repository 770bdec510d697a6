package dev.leakline.read.log;

import dev.leakline.source.FoundMessages;
import dev.leakline.source.LogLines;
import dev.leakline.source.Speaker;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Finds the messages about memory that ran out in the lines of any text: logs of one process or of many, JSON lines, notebooks, pages.
 *
 * <p>It takes each line once, in time that grows with the length of the text, and in a bounded piece of memory.
 */
public final class MessageFinder {
    /** Speakers that are listened to at a time; the messages of others, who were silent longest, end. */
    private static final int MOST_SPEAKERS = 1024;

    private final LogLines lines;
    private final LogTokens tokens = new LogTokens(LogVocabulary.DEFAULT);
    private final MessageGroups groups;
    private final Map<String, MessageParser> parsers = new LinkedHashMap<>(16, 0.75f, true);
    private String speaking = Speaker.NOBODY.name();
    private MessageParser current;

    /** Finds what stands in {@code lines}, which the caller moves on; of one line at most {@code mostOfLine} messages are taken. */
    public MessageFinder(LogLines lines, int mostOfLine) {
        this.lines = lines;
        this.groups = new MessageGroups(mostOfLine);
        this.current = parser(Speaker.NOBODY);
    }

    /** Takes the piece of a line at which the lines stand; {@code mark} is who speaks, where a line begins with it. */
    public void take(Speaker mark) {
        int from = 0;
        if (lines.isStart()) {
            from = mark.end();
            listenTo(mark);
        }
        current.beginPiece(from);
        tokens.cut(lines.text(), from, lines.length(), current);
        current.endPiece();
    }

    private void listenTo(Speaker speaker) {
        if (!speaker.name().equals(speaking)) {
            speaking = speaker.name();
            current = parser(speaker);
        }
    }

    private MessageParser parser(Speaker speaker) {
        MessageParser known = parsers.get(speaker.name());
        if (known != null) {
            return known;
        }
        if (parsers.size() >= MOST_SPEAKERS) {
            Map.Entry<String, MessageParser> oldest =
                    parsers.entrySet().iterator().next();
            oldest.getValue().close();
            parsers.remove(oldest.getKey());
        }
        MessageParser parser = new MessageParser(lines, groups, speaker.rank());
        parsers.put(speaker.name(), parser);
        return parser;
    }

    /** The messages found, after the last line. */
    public FoundMessages finish() {
        parsers.values().forEach(MessageParser::close);
        return new FoundMessages(
                lines.count(), groups.found(), groups.omitted(), groups.mentions(), groups.mentionCount());
    }
}
