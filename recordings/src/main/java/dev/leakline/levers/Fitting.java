package dev.leakline.levers;

import static dev.leakline.text.ByteSize.MIB;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.allocator.AllocatorStats.Quantity;
import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.allocator.CachingAllocator;
import dev.leakline.allocator.SimulatedDriver;
import dev.leakline.columns.Action;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Fit;

/**
 * Returns whether the recorded program fits into a device, and which batch would: its requests are made again of a model of the allocator on that
 * device, as large as another batch would make them. So it tells what the allocator cannot use as well as what is live. What was live
 * before the requests that are looked at is requested first. A request that failed, and after which the recording goes on with no step, is made as well.
 */
final class Fitting {
    /** Memory that the driver's context takes beside the allocator: 400 to 550 MiB on data-centre cards with CUDA 12 and 13. */
    private static final long CONTEXT = 512 * MIB;
    /** Nobody grows a batch by more at once. */
    private static final double LARGEST = 1024;
    /** Finer than the next whole number of examples, mostly. */
    private static final double PRECISION = 0.01;

    /** Little next to the 512 MiB that the context may differ by. */
    private static final long FINEST = 16 * MIB;

    private static final long UNLIMITED = 1L << 50;
    private static final long FIRST_ADDRESS = 1L << 40;

    private final PeakScene scene;
    private final AllocatorSettings settings;
    /** The request at which the recording ended; {@link Lifetimes#NEVER} where it did not end so. */
    private final int ending;

    private Fitting(PeakScene scene) {
        this.scene = scene;
        this.ending = scene.cut.failure();
        this.settings = AllocatorSettings.of(scene.evidence.columns().settings);
    }

    static Fit of(PeakScene scene, long deviceBytes) {
        Fitting fitting = new Fitting(scene);
        long usable = Math.max(0, deviceBytes - CONTEXT);
        boolean endsEarly = fitting.ending != Lifetimes.NEVER;
        return new Fit(
                deviceBytes,
                usable,
                fitting.needed(),
                fitting.reserved(1, usable),
                fitting.least() + CONTEXT,
                endsEarly ? Double.NaN : fitting.largestBatch(usable),
                endsEarly,
                endsEarly ? fitting.room() : 0);
    }

    /** Bytes that could be reserved where the recording ended; 0 where that was not recorded. */
    private long room() {
        long free = scene.evidence.columns().events.deviceFree(scene.events.row(ending));
        return free < 0 ? 0 : free + scene.evidence.stepPeaks().failure(ending).reserved();
    }

    /** Bytes that are live at the peak, or if more, where the last request failed, with that request. */
    private long needed() {
        long peak = scene.timeline.peak();
        return ending == Lifetimes.NEVER
                ? peak
                : Math.max(peak, scene.evidence.stepPeaks().failure(ending).held() + scene.events.size(ending));
    }

    /** The least memory of which the allocator must be able to reserve all: it may have to free what it cached. */
    private long least() {
        long low = needed();
        long high = reserved(1, UNLIMITED);
        while (high - low > FINEST) {
            long middle = (low + high) / 2;
            if (reserved(1, middle) >= 0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** The largest factor whose requests can all be met; where live blocks alone are too much, none need be made. */
    private double largestBatch(long usable) {
        double low = 0;
        double high = LARGEST;
        while (high - low > PRECISION * high) {
            double middle = (low + high) / 2;
            if (Batch.times(scene, middle).peak() <= usable && reserved(middle, usable) >= 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The bytes that a batch so many times the recorded one reserves at most; -1 if a request fails. */
    private long reserved(double factor, long usable) {
        CachingAllocator allocator = new CachingAllocator(settings, new SimulatedDriver(usable, 0, FIRST_ADDRESS));
        IntIntHashMap blocks = new IntIntHashMap();
        for (IntCursor each : scene.all) {
            if (scene.lifetimes.born(each.value) < scene.from && !request(allocator, blocks, each.value, factor)) {
                return -1;
            }
        }
        for (int event = scene.from; event < scene.to; event++) {
            if (event == ending && allocator.malloc(scene.events.size(event), scene.events.stream(event), 0) < 0) {
                return -1;
            }
            int allocation = scene.lifetimes.allocation(event);
            if (allocation == Lifetimes.NONE) {
                continue;
            }
            boolean isRequest = scene.events.action(event) == Action.ALLOC;
            if (isRequest && !request(allocator, blocks, allocation, factor)) {
                return -1;
            }
            if (!isRequest && scene.lifetimes.died(allocation) == event) {
                allocator.free(blocks.remove(allocation));
            }
        }
        return allocator.stats().peak(Quantity.RESERVED_BYTES, Share.ALL);
    }

    private boolean request(CachingAllocator allocator, IntIntHashMap blocks, int allocation, double factor) {
        long recorded = scene.lifetimes.requested(allocation);
        long bytes = (long) (scene.times(allocation, factor) * recorded);
        int born = scene.lifetimes.born(allocation);
        long stream = born == Lifetimes.BEFORE ? 0 : scene.events.stream(born);
        int block = allocator.malloc(Math.max(1, bytes), stream, 0);
        blocks.put(allocation, block);
        return block >= 0;
    }
}
