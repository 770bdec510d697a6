package dev.leakline.functions;

import dev.leakline.functions.CallTimeline.Part;
import dev.leakline.result.Growth;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is kept, round after round.
 *
 * @param part who keeps it
 * @param loop the function whose calls are the rounds
 * @param rounds how many there are
 * @param rises in how many of them the floor rose for good
 * @param isShort whether there are too few rounds to tell growth from a beginning, were it not so steep and even
 * @param bytes kept
 * @param taken bytes that were taken for it, of which the rest was given back
 * @param giver who gave most of the rest back; null where all was kept
 * @param level what was allocated on the device by the last round, by all
 * @param perRound the rate at which it grows, in bytes
 * @param perSecond the same over time; NaN where that is not known
 * @param growth how it grows
 */
record Leak(
        Part part,
        String loop,
        int rounds,
        int rises,
        boolean isShort,
        long bytes,
        long taken,
        @Nullable Part giver,
        long level,
        double perRound,
        double perSecond,
        Growth growth) {}
