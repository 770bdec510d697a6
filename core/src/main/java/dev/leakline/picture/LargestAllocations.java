package dev.leakline.picture;

import dev.leakline.lifetime.Lifetimes;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The allocations with the largest areas: bytes times the events that they live through. A heap holds the largest so far, the smallest
 * of them on top; the memory it takes does not depend on the recording.
 */
final class LargestAllocations {
    private final Lifetimes lifetimes;
    private final int[] heap;
    private final double[] areas;
    private int size;

    private LargestAllocations(Lifetimes lifetimes, int most) {
        this.lifetimes = lifetimes;
        this.heap = new int[Math.min(most, lifetimes.count())];
        this.areas = new double[heap.length];
    }

    /** The numbers of at most {@code most} allocations, in the order of their birth. */
    static int[] of(Lifetimes lifetimes, int most) {
        LargestAllocations largest = new LargestAllocations(lifetimes, most);
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            largest.offer(allocation, largest.area(allocation));
        }
        return Arrays.stream(largest.heap)
                .boxed()
                .sorted(Comparator.comparingInt(lifetimes::born).thenComparingInt(allocation -> allocation))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private double area(int allocation) {
        int end = Math.min(lifetimes.died(allocation), lifetimes.events().count());
        return (double) lifetimes.held(allocation) * (end - lifetimes.born(allocation));
    }

    private void offer(int allocation, double area) {
        if (size < heap.length) {
            rise(size++, allocation, area);
        } else if (size > 0 && area > areas[0]) {
            sink(allocation, area);
        }
    }

    /** Puts an allocation at the end of the heap, and lets it rise to its place. */
    private void rise(int from, int allocation, double area) {
        int place = from;
        while (place > 0 && areas[(place - 1) / 2] > area) {
            move((place - 1) / 2, place);
            place = (place - 1) / 2;
        }
        set(place, allocation, area);
    }

    /** Puts an allocation in the place of the topmost, and lets it sink to its own. */
    private void sink(int allocation, double area) {
        int place = 0;
        for (int child = 1; child < size; child = place * 2 + 1) {
            child += child + 1 < size && areas[child + 1] < areas[child] ? 1 : 0;
            if (areas[child] >= area) {
                break;
            }
            move(child, place);
            place = child;
        }
        set(place, allocation, area);
    }

    private void move(int from, int to) {
        set(to, heap[from], areas[from]);
    }

    private void set(int place, int allocation, double area) {
        heap[place] = allocation;
        areas[place] = area;
    }
}
