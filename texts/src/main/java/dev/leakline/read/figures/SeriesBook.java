package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.source.ReadLimits;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects measurements into series, in bounded memory: when there are more than {@value #MOST_POINTS}, all series are thinned, which keeps
 * their floors and peaks, and goes on as often as need be.
 *
 * <p>A number without a unit waits until all of its series are known, since the largest tells the unit best. As mebibytes, 2<sup>20</sup>
 * would be a tebibyte, which no device has; as bytes it is a mebibyte, which every job takes: so such a series is one of bytes. Below,
 * numbers are mebibytes, as mmcv, torchvision and nvidia-smi print them; only those with decimals that stay below 100 are gibibytes, as
 * people print them, for a job of less than 100 MiB is rarer than a device of less than 100 GiB.
 */
public final class SeriesBook {
    /** Measurements: 128 MiB; a day of ten samples a second, of nine figures. */
    private static final int MOST_POINTS = 8 << 20;
    /** Series: a hundred processes on each of eight devices have fewer. */
    private static final int MOST_SERIES = 4096;
    /** Names that a note lists. */
    private static final int SHOWN = 5;

    private static final double LEAST_BYTES = 1 << 20;
    private static final double MOST_GIB = 100;

    /** More is no size of memory; a number without a unit may be bytes or mebibytes. */
    private static final double MOST_BYTES = ReadLimits.DEFAULT.sizeBytes();

    private record Key(Subject subject, boolean isBare, boolean isNamed) {}

    /** A series on the way; numbers without a unit are kept as if they were mebibytes. */
    private static final class Draft {
        private final MemorySeries series;
        private final long line;
        private boolean isSure;
        private long count;
        private double most;
        private boolean hasDecimals;

        Draft(Subject subject, long line) {
            series = new MemorySeries(subject);
            this.line = line;
        }

        void add(Place place, double number, long unit) {
            double position = place.axis() == Axis.INDEX ? count : place.position();
            count++;
            most = Math.max(most, number);
            hasDecimals |= number != Math.rint(number);
            series.add(position, Math.round(number * unit));
        }

        MemorySeries withUnit(long unit) {
            return series.scaled(unit / (double) ByteSize.MIB);
        }

        long unit() {
            boolean isGibibytes = hasDecimals && most < MOST_GIB;
            return most >= LEAST_BYTES ? 1 : isGibibytes ? ByteSize.GIB : ByteSize.MIB;
        }
    }

    private final Map<Key, Draft> drafts = new LinkedHashMap<>();
    private final Map<Long, Set<String>> assumed = new LinkedHashMap<>();
    private final List<Long> unsure = new ArrayList<>();
    private long line;
    private long added;
    private long points;
    private boolean isThinned;
    private long omitted;
    private long impossible;

    /** Adds a measurement; a unit of 0 stands for one that nobody says. What is no level of memory is counted and left out. */
    void add(Subject subject, Place place, double number, long unit) {
        add(subject, place, number, unit, true, true);
    }

    /**
     * Adds a measurement of a line of words. What lines say that name their step is apart from what others say, which is of a moment before or
     * behind the steps, such as the loading of a job that follows in the same log. A figure that is not sure, as nobody knows its name, counts only if it
     * comes again: what stands once may be a sentence.
     */
    void add(Subject subject, Place place, double number, long unit, boolean isNamed, boolean isSure) {
        boolean isBare = unit == 0 && subject.quantity().isBytes();
        long bytes = isBare ? ByteSize.MIB : Math.max(unit, 1);
        boolean isPossible = isBare ? number * bytes < Long.MAX_VALUE : number * bytes <= MOST_BYTES;
        if (!(number >= 0) || !isPossible) {
            impossible++;
            return;
        }
        Draft draft = draft(new Key(subject, isBare, isNamed));
        if (draft == null) {
            omitted++;
            return;
        }
        draft.series.at(line);
        draft.add(place, number, bytes);
        draft.isSure |= isSure;
        added++;
        if (++points > MOST_POINTS) {
            thin();
        }
    }

    private @Nullable Draft draft(Key key) {
        Draft known = drafts.get(key);
        if (known != null || drafts.size() >= MOST_SERIES) {
            return known;
        }
        Draft draft = new Draft(key.subject, line);
        drafts.put(key, draft);
        return draft;
    }

    private void thin() {
        isThinned = true;
        points = 0;
        for (Draft draft : drafts.values()) {
            draft.series.thin();
            points += draft.series.size();
        }
    }

    /** Says in which line what follows stands. */
    void at(long number) {
        line = number;
    }

    /** The line in which what follows stands. */
    long line() {
        return line;
    }

    /** Measurements that were added so far. */
    long added() {
        return added;
    }

    /** Lines of figures that were left out, since nobody knows their names and they came once; after {@link #finish}. */
    List<Long> unsure() {
        return List.copyOf(unsure);
    }

    /** Returns whether nothing was added. */
    public boolean isEmpty() {
        return drafts.isEmpty();
    }

    /** All series, in the order in which they began. The book is empty then. */
    public List<MemorySeries> finish() {
        List<MemorySeries> series = new ArrayList<>();
        while (!drafts.isEmpty()) {
            Map.Entry<Key, Draft> first = drafts.entrySet().iterator().next();
            drafts.remove(first.getKey());
            if (!first.getValue().isSure && first.getValue().count == 1) {
                unsure.add(first.getValue().line);
                continue;
            }
            series.add(first.getKey().isBare ? assume(first.getValue()) : first.getValue().series);
        }
        return series;
    }

    private MemorySeries assume(Draft draft) {
        long unit = draft.unit();
        String label = draft.series.subject.label();
        assumed.computeIfAbsent(unit, _ -> new LinkedHashSet<>()).add(label.isEmpty() ? "memory" : label);
        return unit == ByteSize.MIB ? draft.series : draft.withUnit(unit);
    }

    /** Notes on what was assumed or left out, in sentences; after {@link #finish}. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        assumed.forEach((unit, names) -> notes.add("no unit given for " + shown(names) + "; assumed " + name(unit)));
        if (isThinned) {
            notes.add("more than " + MOST_POINTS
                    + " measurements: only the lowest and the highest of each few in a row were kept");
        }
        if (omitted > 0) {
            notes.add(
                    omitted + " measurements were left out: there are more than " + MOST_SERIES + " different series");
        }
        if (impossible > 0) {
            notes.add(impossible + " figures that are below 0, or more bytes than memory can have, are left out");
        }
        return notes;
    }

    private static String shown(Set<String> names) {
        String some = String.join(
                ", ", names.stream().limit(SHOWN).map(name -> "'" + name + "'").toList());
        return names.size() > SHOWN ? some + " and " + (names.size() - SHOWN) + " others" : some;
    }

    private static String name(long unit) {
        return unit == 1 ? "bytes" : unit == ByteSize.MIB ? "MiB" : "GiB";
    }
}
