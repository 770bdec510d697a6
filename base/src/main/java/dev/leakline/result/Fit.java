package dev.leakline.result;

import static dev.leakline.text.ByteSize.GIB;
import static dev.leakline.text.ByteSize.MIB;

import dev.leakline.text.ByteSize;
import io.avaje.jsonb.Json;
import java.util.Arrays;
import java.util.Locale;

/**
 * Returns whether a program that was recorded fits into a device, by its requests made again on a model of the allocator; an estimate.
 *
 * @param deviceBytes the memory of the device
 * @param usableBytes what of it the allocator can reserve: all but the driver's context
 * @param neededBytes live at the peak, or with the request that failed
 * @param reservedBytes what the allocator reserves at most; -1 if a request fails
 * @param leastBytes the smallest device on which no request fails
 * @param batchFactor the largest batch that would fit, by the recorded one; 0 where even the smallest would not, NaN where that is not known
 * @param endsEarly whether the recording ends with a request that failed, so that all else of its step is not known
 * @param roomBytes what was reserved then, and free of the device; 0 where that is not known
 */
public record Fit(
        long deviceBytes,
        long usableBytes,
        long neededBytes,
        long reservedBytes,
        long leastBytes,
        double batchFactor,
        boolean endsEarly,
        @Json.Serializer(UnknownIfZero.class) long roomBytes) {
    /** Sizes that cards are sold with, in GiB. */
    private static final int[] CARDS = {6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 141, 180, 192, 288};
    /** A process that is alone on a device has this much of what is left beside its context: the driver and a display take little. */
    private static final double ALONE = 0.9;
    /** With ECC a card shows less of its size: 22.1 GiB of "24 GB", 14.7 of "16 GB". */
    private static final double LEAST_SHOWN = 0.91;
    /** A context takes 400 to 550 MiB. */
    private static final long MOST_CONTEXT = 600 * MIB;
    /** The share of the size printed on a card that its driver shows: 79.1 GiB of "80 GB", 23.6 of "24 GB", 139.8 of "141 GB". */
    private static final double SHOWN = 0.98;

    /** The answer. */
    @Json.Property("sentence")
    public String sentence() {
        String device = ByteSize.format(deviceBytes);
        String answer = reservedBytes >= 0
                ? (endsEarly ? "what was recorded fits into " : "fits into ") + device
                : "does not fit into " + device + ": " + ByteSize.format(neededBytes)
                        + (endsEarly ? " are needed by the request that failed" : " are live at the peak") + ", and "
                        + ByteSize.format(usableBytes) + " can be reserved" + pieces();
        return answer + "; " + (endsEarly ? batchUnknown() : batch()) + neighbour();
    }

    /** Why it does not fit although as much can be reserved. */
    private String pieces() {
        return neededBytes <= usableBytes ? ", which the allocator does not fill without gaps" : "";
    }

    private static String batchUnknown() {
        return "the largest batch that does is not known, because the recording ends with a failed request and does not show what its step needs after that";
    }

    /** The reason why it failed on a device into which it fits. */
    private String neighbour() {
        return isRoomShort() && !isCard(roomBytes)
                ? "; it failed where only " + ByteSize.format(roomBytes)
                        + " were reserved or free: probably another process held the rest of the device, or this one has a limit"
                : "";
    }

    private boolean isRoomShort() {
        return endsEarly && reservedBytes >= 0 && roomBytes > 0 && roomBytes < ALONE * usableBytes;
    }

    /** Returns whether a process that is alone on some card has so much for itself. */
    private static boolean isCard(long bytes) {
        return Arrays.stream(CARDS)
                .anyMatch(size -> bytes >= LEAST_SHOWN * size * GIB - MOST_CONTEXT && bytes <= (double) size * GIB);
    }

    private String batch() {
        if (batchFactor == 0) {
            return "no batch does, since what does not depend on it is too much";
        }
        String factor = String.format(Locale.ROOT, batchFactor < 10 ? "%.2g" : "%.0f", batchFactor);
        return "the largest batch that does is about " + factor + " times the recorded one";
    }

    /** Says what of the device is not PyTorch's. */
    public String contextSentence() {
        return ByteSize.format(deviceBytes - usableBytes) + " of the device are set aside for the CUDA context";
    }

    /** The smallest device on which it runs, and what that rests on. */
    @Json.Property("least_sentence")
    public String leastSentence() {
        String card = Arrays.stream(CARDS)
                .filter(size -> leastBytes <= SHOWN * size * GIB)
                .mapToObj(size -> ": a card of " + size + " GB")
                .findFirst()
                .orElse("; no card has that much");
        return "needs " + (endsEarly ? "more than " : "at least ") + ByteSize.format(leastBytes) + " of device memory ("
                + ByteSize.format(neededBytes) + (endsEarly ? " with the request that failed" : " live at the peak")
                + ", the rest for the CUDA context and what the allocator cannot fill)" + card
                + (endsEarly ? ", or a larger one" : "");
    }

    /** Returns whether it would fit if no more than so many bytes were live at the peak, and the allocator needed as much besides as it does now. */
    public boolean holds(long peakBytes) {
        return peakBytes + (leastBytes - neededBytes) <= deviceBytes;
    }
}
