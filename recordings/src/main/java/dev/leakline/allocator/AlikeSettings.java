package dev.leakline.allocator;

import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.known.SizeRules;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds settings that make no difference to a share of the pools, so that of several that do the same one is replayed: a size from which blocks are not
 * split, where no block is ever as large, and divisions that round all requests to the same sizes as others. Any number of threads.
 */
final class AlikeSettings {
    private final long[] sizes;
    /** The largest segment that was there before the recording. */
    private final long older;
    /** The first divisions that round the requests to these sizes. */
    private final Map<Longs, Ints> divisions = new ConcurrentHashMap<>();

    AlikeSettings(Workload workload, Share share) {
        this.sizes = workload.sizes(share);
        this.older = workload.start().largest(share);
    }

    /** The settings to replay instead of some, which do the same. */
    AllocatorSettings of(AllocatorSettings settings) {
        return unsplit(settings.withRoundupDivisions(rounded(settings.roundupDivisions())));
    }

    private Ints rounded(Ints table) {
        RoundedSize rounding = RoundedSize.of(table);
        Longs rounded = Longs.of(Arrays.stream(sizes).map(rounding::of).toArray());
        return divisions.computeIfAbsent(rounded, _ -> table);
    }

    private AllocatorSettings unsplit(AllocatorSettings settings) {
        long requested = sizes.length == 0 ? 0 : settings.rounding().of(sizes[sizes.length - 1]);
        long largest = Math.max(SizeRules.segmentSize(requested, settings.largeSegmentSize()), older);
        return settings.expandableSegments() || settings.maxSplitSize() <= largest
                ? settings
                : settings.withMaxSplitSize(AllocatorSettings.UNLIMITED);
    }
}
