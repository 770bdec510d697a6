package dev.leakline.picture;

import dev.leakline.primitive.Longs;

/** Sums of bytes at moments. What lives from one event until another is added once, whatever it lives through. */
final class MomentSums {
    private final Moments moments;
    /** By how much the sum at each moment differs from that at the one before. */
    private final long[] changes;

    MomentSums(Moments moments) {
        this.moments = moments;
        this.changes = new long[moments.count() + 1];
    }

    void add(int born, int died, long bytes) {
        changes[moments.firstFrom(born)] += bytes;
        changes[died == Integer.MAX_VALUE ? moments.count() : moments.firstFrom(died)] -= bytes;
    }

    /** The sum at each moment. */
    Longs sums() {
        long[] sums = new long[moments.count()];
        long sum = 0;
        for (int moment = 0; moment < sums.length; moment++) {
            sum += changes[moment];
            sums[moment] = sum;
        }
        return Longs.of(sums);
    }
}
