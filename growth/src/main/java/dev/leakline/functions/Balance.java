package dev.leakline.functions;

import dev.leakline.functions.CallTimeline.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes which functions keep memory: what some allocate, less what others free.
 *
 * <p>Counters do not say whose memory a call frees. So whoever gives back is taken to give back what was taken in the same amount, as
 * {@code backward} does with what {@code forward} kept; where no amount is the same, the nearest, and from the next where it was less. What is
 * then left is who keeps, and how much; only their sum is certain.
 */
final class Balance {
    /**
     * The memory that one part allocated and nobody freed.
     *
     * @param part who takes it
     * @param taken bytes that it took
     * @param kept bytes of them that nobody gives back
     * @param giver who gives most of the rest back; null where nobody does
     */
    record Kept(Part part, long taken, long kept, @Nullable Part giver) {}

    /** The memory that a part allocated and that is not freed yet. */
    private static final class Open {
        private final Part part;
        private final long taken;
        private long left;
        private long mostGiven;
        private @Nullable Part giver;

        private Open(Part part, long taken) {
            this.part = part;
            this.taken = taken;
            this.left = taken;
        }
    }

    private final List<Open> takers = new ArrayList<>();
    private final TreeMap<Long, List<Open>> byLeft = new TreeMap<>();

    private Balance() {}

    /** The bytes that each part keeps, those that keep most first; {@code moved} has what each allocates, below 0 what it frees. */
    static List<Kept> of(Map<Part, Long> moved) {
        Balance balance = new Balance();
        moved.forEach(balance::take);
        List<Part> givers = moved.keySet().stream()
                .filter(part -> moved.getOrDefault(part, 0L) < 0)
                .sorted(Comparator.comparingLong(part -> moved.getOrDefault(part, 0L)))
                .toList();
        List<Part> others = givers.stream()
                .filter(giver -> !balance.giveSame(giver, -moved.getOrDefault(giver, 0L)))
                .toList();
        others.forEach(giver -> balance.give(giver, -moved.getOrDefault(giver, 0L)));
        return balance.takers.stream()
                .sorted(Comparator.comparingLong(taker -> -taker.left))
                .map(taker -> new Kept(taker.part, taker.taken, taker.left, taker.giver))
                .toList();
    }

    private void take(Part part, long bytes) {
        if (bytes > 0) {
            Open taker = new Open(part, bytes);
            takers.add(taker);
            put(taker);
        }
    }

    private void put(Open taker) {
        if (taker.left > 0) {
            byLeft.computeIfAbsent(taker.left, _ -> new ArrayList<>()).add(taker);
        }
    }

    private Open remove(long left) {
        List<Open> same = byLeft.getOrDefault(left, new ArrayList<>());
        Open first = same.removeFirst();
        if (same.isEmpty()) {
            byLeft.remove(left);
        }
        return first;
    }

    private boolean giveSame(Part giver, long bytes) {
        boolean isSame = byLeft.containsKey(bytes);
        if (isSame) {
            give(giver, bytes);
        }
        return isSame;
    }

    private void give(Part giver, long bytes) {
        long rest = bytes;
        while (rest > 0 && !byLeft.isEmpty()) {
            Open taker = remove(nearest(rest));
            long given = Math.min(rest, taker.left);
            taker.left -= given;
            rest -= given;
            if (given > taker.mostGiven) {
                taker.mostGiven = given;
                taker.giver = giver;
            }
            put(taker);
        }
    }

    private long nearest(long bytes) {
        Long below = byLeft.floorKey(bytes);
        Long above = byLeft.ceilingKey(bytes);
        if (below == null || above == null) {
            return above == null ? byLeft.lastKey() : above;
        }
        return bytes - below <= above - bytes ? below : above;
    }
}
