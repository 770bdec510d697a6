package dev.leakline.source;

import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;

/**
 * The heap of this process, shared out among the files that are read side by side: as many at once as there is memory for, and always one. A
 * file that is larger than all of it waits until it is alone.
 */
public final class HeapBudget {
    /** Bytes of heap that a byte of a recording takes while it is analysed, with room to spare; measured: 2 to 3 of small ones, less of large ones. */
    private static final int HEAP_FOR_BYTE = 6;
    /** How much larger a compressed recording is than its file: ten times, as the launcher takes it. */
    private static final int UNFOLDS = 10;

    private static final int KIB = 1 << 10;
    private static final Pattern COMPRESSED = Pattern.compile("(?i).*\\.(gz|zst|zstd)");

    private final int budget = (int) Math.min(Runtime.getRuntime().maxMemory() / 2 / KIB, Integer.MAX_VALUE);
    private final Semaphore heap = new Semaphore(budget, true);

    /** Work that needs heap. */
    @FunctionalInterface
    public interface Work<T> {
        T run();
    }

    /** Does the work on a file of so many bytes once there is heap for it. */
    public <T> T with(String name, long bytes, Work<T> work) {
        int permits = Math.clamp(unfolded(name, bytes) * HEAP_FOR_BYTE / KIB, 1, budget);
        heap.acquireUninterruptibly(permits);
        try {
            return work.run();
        } finally {
            heap.release(permits);
        }
    }

    /** About how many bytes a file holds when its compression is taken away, as far as its name tells. */
    public static long unfolded(String name, long bytes) {
        return COMPRESSED.matcher(name).matches() ? bytes * UNFOLDS : bytes;
    }
}
