package dev.leakline.picture;

import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Picture.Level;
import dev.leakline.steps.Steps;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The moments at which a picture knows every block: after every event where the recording is short enough, else as many as their blocks
 * leave room for. An allocation lives from one event to another, so it is one row however many of the moments it lives through; the
 * blocks that live at none of them are what is left out.
 *
 * <p>The moments before the first event and after the last, the peak and the failed requests are always among them. Around these, and at
 * places that stand evenly over the recording, every event of a stretch is one, so that a page can draw block by block there. The others stand evenly, too:
 * one where most was live, which is what a chart of the whole draws, and one at the end of a step, by turns. The ends of two steps can be compared:
 * what is more at the later one is what stayed.
 */
final class Moments {
    /** Failed requests whose moment is kept; who asks again and again fails the same way. */
    private static final int FAILURES = 24;
    /** More moments than this cannot be pointed at one by one: a screen has some thousand pixels. */
    private static final int MOST = 1024;
    /** With fewer, only those that have a name are worth the room. */
    private static final int FEWEST = 8;
    /** Events of a stretch: as many as a wide screen has pixels. */
    private static final int STRETCH = 2048;
    /** Stretches. Where nothing repeats, each has a thousand blocks that live at no other moment. */
    private static final int STRETCHES = 16;
    /** Events in the life of an allocation: its birth, its release by the program, its free. */
    private static final int EVENTS_OF_ONE = 3;

    private final int[] events;
    private final boolean isEvery;

    private Moments(int[] events, boolean isEvery) {
        this.events = events;
        this.isEvery = isEvery;
    }

    /** The moments of a picture of at most so many blocks; {@code finest} is its finest level. */
    static Moments of(Evidence evidence, Level finest, int peak, List<FailedRequest> failed, int mostBlocks) {
        Lifetimes lifetimes = evidence.lifetimes();
        int count = lifetimes.events().count();
        if (lifetimes.count() <= mostBlocks && count <= (long) mostBlocks * EVENTS_OF_ONE) {
            return new Moments(IntStream.range(-1, count).toArray(), true);
        }
        int[] named = named(count, peak, failed).toArray();
        int[] certain = sorted(named, stretches(lifetimes, named, mostBlocks / 2));
        for (int spread = MOST; spread >= FEWEST; spread /= 2) {
            Moments moments = new Moments(sorted(certain, spread(evidence.steps(), finest, spread)), false);
            if (moments.hasRoom(lifetimes, mostBlocks)) {
                return moments;
            }
        }
        return new Moments(certain, false);
    }

    /** The events of as many stretches as leave room: around what has a name, the latest first, and evenly over the recording. */
    private static int[] stretches(Lifetimes lifetimes, int[] named, int mostBlocks) {
        int count = lifetimes.events().count();
        for (int stretches = STRETCHES; stretches > 0; stretches /= 2) {
            int[] around = IntStream.concat(
                            IntStream.of(named).limit(stretches / 2), evenly(count, stretches - stretches / 2))
                    .toArray();
            int[] events = IntStream.of(around)
                    .flatMap(event -> stretchAround(event, count))
                    .sorted()
                    .distinct()
                    .toArray();
            if (new Moments(events, false).hasRoom(lifetimes, mostBlocks)) {
                return events;
            }
        }
        return new int[0];
    }

    private static IntStream evenly(int count, int places) {
        return IntStream.range(0, places).map(place -> (int) ((place + 1L) * count / (places + 1)));
    }

    private static IntStream stretchAround(int event, int count) {
        int first = Math.clamp(event - STRETCH / 2, 0, Math.max(count - STRETCH, 0));
        return IntStream.range(first, Math.min(first + STRETCH, count));
    }

    /** The events that have a name: the peak, the end, the beginning, then failed requests, the latest first. */
    static IntStream named(int count, int peak, List<FailedRequest> failed) {
        double stride = Math.max(failed.size() / (double) FAILURES, 1);
        IntStream.Builder named = IntStream.builder().add(peak).add(count - 1).add(Lifetimes.BEFORE);
        for (double at = failed.size() - 1.0; at >= 0; at -= stride) {
            named.add(failed.get((int) at).event());
        }
        return named.build();
    }

    /** By turns the highest event of a part of the recording, and the end of a step. */
    private static int[] spread(Steps steps, Level finest, int spread) {
        int buckets = finest.live().size();
        int count = finest.firstEvents().get(buckets);
        IntStream highest = IntStream.range(0, spread / 2)
                .map(part -> highest(finest, part * buckets / (spread / 2), (part + 1) * buckets / (spread / 2)));
        IntStream ends = evenly(count, spread / 2).map(event -> stepEnd(steps, event));
        return IntStream.concat(highest, ends).toArray();
    }

    /** The event of some buckets after which most was live. */
    private static int highest(Level finest, int from, int to) {
        int highest = from;
        for (int bucket = from + 1; bucket < to; bucket++) {
            highest = finest.live().get(bucket) > finest.live().get(highest) ? bucket : highest;
        }
        return finest.highest().get(Math.min(highest, finest.live().size() - 1));
    }

    /** The last event of the step before the one that an event belongs to; the event itself where nothing repeats. */
    private static int stepEnd(Steps steps, int event) {
        int step = steps.kind().repeats() ? steps.of(event) : -1;
        return step < 0 ? event : Math.max(steps.start(Math.min(step, steps.count())) - 1, 0);
    }

    private static int[] sorted(int[]... parts) {
        return Stream.of(parts).flatMapToInt(Arrays::stream).sorted().distinct().toArray();
    }

    private boolean hasRoom(Lifetimes lifetimes, int mostBlocks) {
        int seen = 0;
        for (int allocation = 0; allocation < lifetimes.count() && seen <= mostBlocks; allocation++) {
            seen += sees(lifetimes.born(allocation), lifetimes.died(allocation)) ? 1 : 0;
        }
        return seen <= mostBlocks;
    }

    /** Returns whether every event is one. */
    boolean isEvery() {
        return isEvery;
    }

    /** Moments. */
    int count() {
        return events.length;
    }

    /** The events after which they are, ascending; the first is {@link Lifetimes#BEFORE}. */
    int[] events() {
        return events.clone();
    }

    /** Returns whether what lived from one event until another lived at any of them. */
    boolean sees(int born, int died) {
        int first = firstFrom(born);
        return first < events.length && events[first] < died;
    }

    /** The number of the first moment at an event or later. */
    int firstFrom(int event) {
        if (isEvery) {
            return Math.min(event - Lifetimes.BEFORE, events.length);
        }
        int found = Arrays.binarySearch(events, event);
        return found >= 0 ? found : -1 - found;
    }
}
