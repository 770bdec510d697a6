package dev.leakline.hash;

import java.util.SplittableRandom;

/**
 * Hashes that differ from process to process, for keys that come from a file: whoever writes it cannot choose keys that collide.
 *
 * <p>A step multiplies what is mixed by a secret number and folds both halves of the 128 bits of the product, so that every bit of the result
 * depends on every bit of the key and on the secret. Tables keyed so iterate in an order that changes from process to process: it must never
 * reach a result.
 */
public final class SeededHash {
    /** The first state of a hash; secret. */
    static final long SEED;

    private static final long MULTIPLIER;

    static {
        SplittableRandom random = new SplittableRandom();
        SEED = random.nextLong();
        MULTIPLIER = random.nextLong() | 1;
    }

    private SeededHash() {}

    /** Mixes the next 64 bits into a state. */
    static long mix(long state, long next) {
        long key = state ^ next;
        return (key * MULTIPLIER) ^ Math.multiplyHigh(key, MULTIPLIER);
    }

    /** The low bits alone, of keys that differ by a constant, are at times spread unevenly. */
    private static int fold(long mixed) {
        return (int) (mixed ^ (mixed >>> 15) ^ (mixed >>> 32));
    }

    /** Hashes a number. */
    public static int of(long key) {
        return fold(mix(SEED, key));
    }

    /** Hashes the numbers in a part of an array. */
    public static int of(int[] source, int from, int to) {
        long state = SEED + (to - from);
        int i = from;
        for (; i < to - 1; i += 2) {
            state = mix(state, ((long) source[i] << 32) | (source[i + 1] & 0xffff_ffffL));
        }
        return fold(i < to ? mix(state, source[i]) : state);
    }

    /** Hashes the bytes in a part of an array. */
    public static int of(byte[] source, int from, int to) {
        long state = SEED + (to - from);
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            state = mix(state, LittleEndian.getLong(source, i));
        }
        long rest = 0;
        for (; i < to; i++) {
            rest = (rest << 8) | (source[i] & 0xff);
        }
        return fold(mix(state, rest));
    }
}
