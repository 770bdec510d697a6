package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.hash.PairNumbering;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.known.SizeRules;

/** The distinct requests of a program, each with a number: bytes, stream and pool. What is older than the recording was requested of either half. */
final class Requests {
    /** The request that stands for all of the small half before the recording. */
    private static final int OLDER_SMALL = 0;
    /** The request that stands for all of the large half before the recording. */
    private static final int OLDER_LARGE = 1;

    private final Numbering streamNumbers = new Numbering();
    private final Numbering sizes = new Numbering();
    /** The numbers of pairs of a stream and a pool. */
    private final PairNumbering homes = new PairNumbering();
    /** The numbers of pairs of a home and a size: the requests of the recording. */
    private final PairNumbering numbers = new PairNumbering();

    private final LongArrayList bytes = new LongArrayList();
    private final LongArrayList streams = new LongArrayList();
    private final IntArrayList pools = new IntArrayList();

    Requests() {
        add(SizeRules.LARGEST_SMALL, 0, 0);
        add(SizeRules.LARGEST_SMALL + 1, 0, 0);
    }

    /** The number of a request. */
    int of(long requested, long stream, int pool) {
        int home = homes.of(streamNumbers.of(stream), pool);
        int number = first() + numbers.of(home, sizes.of(requested));
        if (number == bytes.size()) {
            add(requested, stream, pool);
        }
        return number;
    }

    private void add(long requested, long stream, int pool) {
        bytes.add(requested);
        streams.add(stream);
        pools.add(pool);
    }

    /** The number that all have which were requested of a half before the recording. */
    static int older(boolean isLarge) {
        return isLarge ? OLDER_LARGE : OLDER_SMALL;
    }

    /** Bytes. */
    long bytes(int request) {
        return bytes.get(request);
    }

    /** The stream for which is asked. */
    long stream(int request) {
        return streams.get(request);
    }

    /** The number of the memory pool that is asked. */
    int pool(int request) {
        return pools.get(request);
    }

    /** Returns whether the large half of a pool serves it, as it does under all settings: none rounds across the border. */
    boolean isLarge(int request) {
        return !SizeRules.isSmall(bytes(request));
    }

    /** The requests of the recording: numbers from {@code first} on. */
    static int first() {
        return OLDER_LARGE + 1;
    }

    /** Numbers are below it. */
    int size() {
        return bytes.size();
    }

    /** Gives keys numbers from 0 up, in the order in which they first come. */
    private static final class Numbering {
        /** Numbers plus one, since 0 stands for keys that have none. */
        private final SeededLongIntMap numbers = new SeededLongIntMap();

        int of(long key) {
            int known = numbers.get(key);
            if (known == 0) {
                known = numbers.size() + 1;
                numbers.put(key, known);
            }
            return known - 1;
        }
    }
}
