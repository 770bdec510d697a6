package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Optional;

/**
 * Free memory of an allocator that lies in pieces between blocks in use, and requests that were met only after the cache was freed: steps are slow,
 * though nothing fails.
 *
 * @param retries how often the cache was freed
 * @param pieces what lies between blocks
 * @param reserved all that the allocator has
 */
record FreePieces(MeasuredSeries retries, long pieces, long reserved) {
    /** Pieces of less are the ordinary loss of rounding and of what the next step takes. */
    private static final double MUCH = 0.25;

    static Optional<FreePieces> of(CaseTexts texts) {
        long pieces = last(texts, "inactive_split");
        long reserved = last(texts, "reserved");
        return texts.series("retries")
                .filter(series -> series.last().value() > 0)
                .findFirst()
                .filter(_ -> reserved > 0 && pieces >= MUCH * reserved)
                .map(retries -> new FreePieces(retries, pieces, reserved));
    }

    private static long last(CaseTexts texts, String quantity) {
        return texts.series(quantity)
                .mapToLong(series -> series.last().value())
                .findFirst()
                .orElse(0);
    }

    String sentence() {
        return ByteSize.format(pieces) + " of the " + ByteSize.format(reserved)
                + " reserved are free pieces between blocks in use, and the cache was freed "
                + Numbers.counted(retries.last().value(), "time")
                + " to meet a request: fragmentation, which makes steps slow; no leak is shown";
    }
}
