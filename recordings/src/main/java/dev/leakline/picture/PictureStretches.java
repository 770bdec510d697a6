package dev.leakline.picture;

import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Picture.Stretch;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The allocations that a picture's moments do not see, stretch by stretch. A stretch has all that lived, or were freed, in its events and lived at
 * none of the moments. With those that the moments see they are all that was there, so a page that has a stretch can draw it block by block.
 *
 * <p>An allocation that lives in several stretches is in each of them. These are few: nothing lives long between two moments.
 */
final class PictureStretches {
    /** Events of a stretch: a view of single blocks needs two at most, and reading one takes a few milliseconds. */
    private static final int EVENTS = 1 << 14;

    private final Lifetimes lifetimes;
    private final Moments moments;
    private final int count;
    /** Where the allocations of each stretch begin among all. */
    private final int[] begins;

    private final int[] allocations;

    PictureStretches(Lifetimes lifetimes, Moments moments) {
        this.lifetimes = lifetimes;
        this.moments = moments;
        int events = lifetimes.events().count();
        this.count = (events + EVENTS - 1) / EVENTS;
        this.begins = begins();
        this.allocations = new int[begins[count]];
        fill(begins.clone());
    }

    private int[] begins() {
        int[] ends = new int[count + 1];
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            for (int stretch = first(allocation); stretch <= last(allocation); stretch++) {
                ends[stretch + 1]++;
            }
        }
        Arrays.parallelPrefix(ends, Integer::sum);
        return ends;
    }

    private void fill(int[] next) {
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            for (int stretch = first(allocation); stretch <= last(allocation); stretch++) {
                allocations[next[stretch]++] = allocation;
            }
        }
    }

    /** The first stretch that an allocation is in; after the last where it is in none. */
    private int first(int allocation) {
        int born = lifetimes.born(allocation);
        return moments.sees(born, lifetimes.died(allocation)) ? count : born / EVENTS;
    }

    /** The stretch of its free, which is one of its events; what is never freed is seen at the end. */
    private int last(int allocation) {
        return Math.min(lifetimes.died(allocation) / EVENTS, count - 1);
    }

    /** The stretches, those first that have most to show: with a named event, then evenly over the recording, ever closer. */
    List<Stretch> of(IntStream named, PictureColumns columns) {
        int places = Integer.highestOneBit(Math.max(count - 1, 1)) << 1;
        IntStream evenly = IntStream.range(0, places).map(place -> reversed(place, places));
        return IntStream.concat(named.map(event -> Math.max(event, 0) / EVENTS), evenly)
                .filter(stretch -> stretch < count)
                .distinct()
                .mapToObj(stretch -> stretch(stretch, columns))
                .toList();
    }

    /** The number whose bits stand the other way round: 0, half, a quarter, three quarters, an eighth. */
    private static int reversed(int place, int places) {
        return Integer.reverse(place) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(places));
    }

    private Stretch stretch(int stretch, PictureColumns columns) {
        int to = Math.min((stretch + 1) * EVENTS, lifetimes.events().count());
        return new Stretch(
                stretch * EVENTS,
                to,
                () -> columns.of(Arrays.copyOfRange(allocations, begins[stretch], begins[stretch + 1])));
    }
}
