package dev.leakline.cases;

import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.Comparator;
import java.util.Optional;

/**
 * A limit of an allocator that a request exceeds, on a device that is large enough for both.
 *
 * @param limit what the allocator may take
 * @param used what was in use of it
 * @param device bytes of the device
 */
public record PoolLimit(Placed limit, Placed used, long device) {
    /** The table of the allocator of XLA and TensorFlow. */
    private static final String ALLOCATOR = "BFC allocator";
    /** A program's context and what its libraries hold are the rest of the device. */
    private static final double USABLE = 0.9;

    /** JAX takes three quarters of a device by itself, TensorFlow all that is free: a larger share is what others left of it, and no limit that somebody set. */
    private static final double UNASKED = 0.76;

    /** The limit; empty where the text tells none, or where the device itself is too small for the request. */
    public static Optional<PoolLimit> of(CaseTexts texts, long requested) {
        Optional<Placed> limit = largest(texts, Kind.LIMIT);
        Optional<Placed> used = largest(texts, Kind.USED);
        return limit.isEmpty() || used.isEmpty() || requested == 0
                ? Optional.empty()
                : Optional.of(new PoolLimit(limit.get(), used.get(), device(texts)))
                        .filter(pool -> pool.stops(requested));
    }

    private static Optional<Placed> largest(CaseTexts texts, Kind kind) {
        return texts.clues(kind)
                .filter(placed -> placed.clue().owner().equals(ALLOCATOR))
                .max(Comparator.comparingLong(placed -> placed.clue().bytes()));
    }

    private static long device(CaseTexts texts) {
        return texts.series().stream()
                .mapToLong(MeasuredSeries::deviceBytes)
                .max()
                .orElse(0);
    }

    private boolean stops(long requested) {
        long needed = used.clue().bytes() + requested;
        return needed > limit.clue().bytes()
                && needed <= USABLE * device
                && limit.clue().bytes() <= UNASKED * device;
    }

    /** Why the request is refused. */
    public String sentence(long requested) {
        return ByteSize.format(requested) + " more than the "
                + ByteSize.format(used.clue().bytes())
                + " in use would exceed the limit of "
                + ByteSize.format(limit.clue().bytes())
                + " that the allocator may take; the device has " + ByteSize.format(device);
    }
}
