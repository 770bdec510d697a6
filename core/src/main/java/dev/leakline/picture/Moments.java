package dev.leakline.picture;

import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.steps.Steps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The moments at which a picture knows every block: after every event where the recording is short enough, else as many as their blocks
 * leave room for. An allocation lives from one event to another, so it is one row however many of the moments it lives through; the
 * blocks that live at none of them are what is left out.
 *
 * <p>The moments before the first event and after the last, the peak and the failed requests are always among them. The others stand evenly
 * over the recording. Every other one of these is moved to the end of a step, where two moments can be compared: what is more at the end
 * of a later step is what stayed.
 */
final class Moments {
    /** Failed requests whose moment is kept; who asks again and again fails the same way. */
    private static final int FAILURES = 24;
    /** More moments than this cannot be pointed at one by one: a screen has some thousand pixels. */
    private static final int MOST = 1024;
    /** With fewer, only those that have a name are worth the room. */
    private static final int FEWEST = 8;
    /** Events in the life of an allocation: its birth, its release by the program, its free. */
    private static final int EVENTS_OF_ONE = 3;

    private final int[] events;
    private final boolean isEvery;

    private Moments(int[] events, boolean isEvery) {
        this.events = events;
        this.isEvery = isEvery;
    }

    /** The moments of a picture of at most so many blocks. */
    static Moments of(Evidence evidence, int peak, List<FailedRequest> failed, int mostBlocks) {
        Lifetimes lifetimes = evidence.lifetimes();
        int count = lifetimes.events().count();
        if (lifetimes.count() <= mostBlocks && count <= (long) mostBlocks * EVENTS_OF_ONE) {
            return new Moments(IntStream.range(-1, count).toArray(), true);
        }
        int[] named = named(count, peak, failed);
        for (int spread = MOST; spread >= FEWEST; spread /= 2) {
            Moments moments = new Moments(sorted(named, spread(evidence.steps(), count, spread)), false);
            if (moments.hasRoom(lifetimes, mostBlocks)) {
                return moments;
            }
        }
        return new Moments(sorted(named), false);
    }

    private static int[] named(int count, int peak, List<FailedRequest> failed) {
        List<Integer> named = new ArrayList<>(List.of(Lifetimes.BEFORE, count - 1, peak));
        double stride = Math.max(failed.size() / (double) FAILURES, 1);
        for (double at = failed.size() - 1.0; at >= 0; at -= stride) {
            named.add(failed.get((int) at).event());
        }
        return named.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int[] spread(Steps steps, int count, int spread) {
        int[] even = new int[spread];
        for (int i = 0; i < spread; i++) {
            int event = (int) ((i + 1L) * count / (spread + 1));
            even[i] = i % 2 == 0 ? event : stepEnd(steps, event);
        }
        return even;
    }

    /** The last event of the step before the one that an event belongs to; the event itself where there are no steps. */
    private static int stepEnd(Steps steps, int event) {
        int step = steps.count() == 0 ? -1 : steps.of(event);
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

    /** Whether every event is one. */
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

    /** Whether what lived from one event until another lived at any of them. */
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
