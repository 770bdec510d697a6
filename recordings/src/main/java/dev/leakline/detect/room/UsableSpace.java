package dev.leakline.detect.room;

import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongLongMap;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryMap;
import dev.leakline.lifetime.MemoryMap.Segment;
import dev.leakline.result.Finding;
import dev.leakline.text.ByteSize;
import java.util.Arrays;

/**
 * Computes how much of the free memory this job can use. Free memory in pieces is lost only to requests that are larger than the pieces, so
 * what counts are the sizes that the job asks for: those through which half of its bytes come, and the largest tenth. (What no request of a
 * size can use, as a share of all that is free, is the unusable free space index that Gorman gave for the pages of Linux.)
 */
final class UsableSpace {
    private static final double HALF = 0.5;
    private static final double TENTH = 0.1;

    private final SeededLongLongMap bytesBySize = new SeededLongLongMap();
    private long bytes;

    /** Looks at all that a recording asks for. */
    UsableSpace(Evidence evidence) {
        Lifetimes lifetimes = evidence.lifetimes();
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            if (lifetimes.born(allocation) != Lifetimes.BEFORE) {
                long size = lifetimes.requested(allocation);
                bytesBySize.addTo(size, size);
                bytes += size;
            }
        }
    }

    /** The largest size such that requests of at least that size make up a share of the bytes. */
    private long size(double share) {
        long[] sizes = bytesBySize.keys().toArray();
        Arrays.sort(sizes);
        long sum = 0;
        int at = sizes.length;
        while (at > 0 && sum < share * bytes) {
            at--;
            sum += bytesBySize.get(sizes[at]);
        }
        return sizes.length == 0 ? 0 : sizes[at];
    }

    /** The part of a map's free memory that typical and the largest requests can use. */
    Finding.Proof in(MemoryMap map) {
        long typical = size(HALF);
        long large = size(TENTH);
        String others = large == typical
                ? ""
                : "; those of " + ByteSize.format(large) + ", the largest tenth, " + use(map, large);
        return Finding.Proof.of("requests of " + ByteSize.format(typical)
                + ", through which half of the job's bytes come, can use " + use(map, typical) + " of it" + others);
    }

    private static String use(MemoryMap map, long size) {
        long usable = map.segments().stream()
                .mapToLong((Segment segment) -> segment.usable(size))
                .sum();
        return usable == 0 ? "nothing" : ByteSize.format(usable);
    }
}
