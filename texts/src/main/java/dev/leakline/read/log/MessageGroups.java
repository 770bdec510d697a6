package dev.leakline.read.log;

import dev.leakline.result.OutOfMemoryLog.Found;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Cause;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The messages of a log, each distinct one once: a traceback, a logger and every rank may print the same. */
final class MessageGroups {
    /** Distinct messages that are kept; nobody reads more, and at a few kilobytes each they take megabytes. */
    private static final int MOST = 2000;
    /** Places that are kept of each. */
    private static final int MOST_PLACES = 20;

    /** The key of messages that are the same in all that they say. Texts with numbers are not compared, as each logger wraps them its way. */
    private record Key(
            Form form, Device device, @Nullable Cause cause, int ordinal, List<Figure> figures, String text) {
        /** Hashes what tells messages apart: in logs that repeat a failure, one is made of each. */
        @Override
        public int hashCode() {
            int hash = 31 * text.hashCode() + ordinal;
            for (Figure figure : figures) {
                hash = 31 * hash + figure.size().text().hashCode();
            }
            return hash;
        }
    }

    /** A message and where it was found. */
    private static final class Group {
        private final OutOfMemoryMessage message;
        private final List<Long> lines;
        private final List<Place> places = new ArrayList<>();
        private final SortedSet<Integer> ranks = new TreeSet<>();
        private long count;

        private Group(OutOfMemoryMessage message, List<Long> lines) {
            this.message = message;
            this.lines = lines;
        }

        private Found found() {
            places.sort(Comparator.comparingLong(Place::offset)); // speakers were read one after the other
            return new Found(message, List.copyOf(places), count, List.copyOf(ranks), lines);
        }
    }

    private final int mostOfLine;
    private final Map<Key, Group> groups = new LinkedHashMap<>();
    private final List<Place> mentions = new ArrayList<>();
    private long mentionCount;
    private long omitted;
    /** The line that the last message began in, and how many did so far. */
    private long lastLine = -1;

    private int ofLastLine;

    /** Takes at most so many messages of one line; those beyond are only counted. */
    MessageGroups(int mostOfLine) {
        this.mostOfLine = mostOfLine;
    }

    /** Takes a message that is complete; {@code rank} is that of its speaker, -1 where lines do not say. */
    void add(MessageDraft draft, int rank) {
        if (!draft.isMessage()) {
            mention(draft);
            return;
        }
        if (!isTaken(draft.place().line())) {
            omitted++;
            return;
        }
        List<Figure> figures = draft.figures();
        Key key = key(draft, figures);
        if (groups.size() >= MOST && !groups.containsKey(key)) {
            omitted++;
            return;
        }
        Group group = groups.computeIfAbsent(key, _ -> new Group(draft.finish(figures), draft.lines()));
        group.count++;
        if (rank >= 0 && group.ranks.size() < MOST) {
            group.ranks.add(rank);
        }
        keep(group.places, draft.place());
    }

    private boolean isTaken(long line) {
        ofLastLine = line == lastLine ? ofLastLine + 1 : 1;
        lastLine = line;
        return ofLastLine <= mostOfLine;
    }

    private void mention(MessageDraft draft) {
        if (draft.isMention()) {
            mentionCount++;
            keep(mentions, draft.place());
        }
    }

    private static void keep(List<Place> places, Place place) {
        if (places.size() < MOST_PLACES) {
            places.add(place);
        }
    }

    private static Key key(MessageDraft draft, List<Figure> figures) {
        return new Key(
                draft.form(),
                draft.device(),
                draft.cause(),
                draft.ordinal(),
                figures,
                figures.isEmpty() ? draft.text() : "");
    }

    /** The messages, in the order of their first places. */
    List<Found> found() {
        return groups.values().stream()
                .map(Group::found)
                .sorted(Comparator.comparingLong(
                        found -> found.places().getFirst().offset()))
                .toList();
    }

    List<Place> mentions() {
        return List.copyOf(mentions);
    }

    long mentionCount() {
        return mentionCount;
    }

    long omitted() {
        return omitted;
    }
}
