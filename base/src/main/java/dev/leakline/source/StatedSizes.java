package dev.leakline.source;

import dev.leakline.columns.IngestCounters;
import dev.leakline.source.ReadException.Code;

/**
 * Sizes of memory as a file states them, held to what memory can have. One that is impossible counts as 0 and is counted; all that are
 * taken together stay so small that no sum of them, whatever is added to what, runs over.
 */
public final class StatedSizes {
    private final ReadLimits limits;
    private final IngestCounters counters;
    private long sum;

    /** Sizes of one file, whose impossible ones go to {@code counters}. */
    public StatedSizes(ReadLimits limits, IngestCounters counters) {
        this.limits = limits;
        this.counters = counters;
    }

    /** Returns whether memory can have this many bytes. */
    public boolean isPossible(long bytes) {
        return bytes >= 0 && bytes <= limits.sizeBytes();
    }

    /** The bytes, or 0 where no memory has so many. */
    public long take(long bytes) throws ReadException {
        if (!isPossible(bytes)) {
            count();
            return 0;
        }
        sum += bytes;
        if (sum > limits.sumOfSizes()) {
            throw new ReadException(
                    Code.LIMIT,
                    -1,
                    "sizes of more than " + limits.sumOfSizes() + " bytes together, which no job asks for");
        }
        return bytes;
    }

    /** Counts a size that was not taken because it is impossible. */
    public void count() {
        counters.count("sizes below 0 or above " + limits.sizeBytes() + " bytes, taken for 0");
    }
}
