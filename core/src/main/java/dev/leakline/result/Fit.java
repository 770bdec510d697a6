package dev.leakline.result;

import static dev.leakline.text.ByteSize.GIB;

import dev.leakline.text.ByteSize;
import io.avaje.jsonb.Json;
import java.util.Arrays;
import java.util.Locale;

/**
 * Whether a program that was recorded fits into a device, by its requests made again on a model of the allocator; an estimate.
 *
 * @param deviceBytes the memory of the device
 * @param usableBytes what of it the allocator can reserve: all but the driver's context
 * @param neededBytes live at the peak, or with the request that failed
 * @param reservedBytes what the allocator reserves at most; -1 if a request fails
 * @param leastBytes the smallest device on which no request fails
 * @param batchFactor the largest batch that would fit, by the recorded one; 0 where even the smallest would not, NaN where that is not known
 * @param endsEarly whether the recording ends with a request that failed, so that all else of its step is not known
 */
public record Fit(
        long deviceBytes,
        long usableBytes,
        long neededBytes,
        long reservedBytes,
        long leastBytes,
        double batchFactor,
        boolean endsEarly) {
    /** Sizes that cards are sold with, in GiB. */
    private static final int[] CARDS = {6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 141, 180, 192, 288};
    /** Of the size that is printed on a card its driver shows this much: 79.1 GiB of "80 GB", 23.6 of "24 GB", 139.8 of "141 GB". */
    private static final double SHOWN = 0.98;

    /** The answer. */
    @Json.Property("sentence")
    public String sentence() {
        String device = ByteSize.format(deviceBytes);
        String answer = reservedBytes >= 0
                ? (endsEarly ? "what was recorded fits into " : "fits into ") + device + ", reserving "
                        + ByteSize.format(reservedBytes)
                : "does not fit into " + device + ": " + ByteSize.format(neededBytes)
                        + (endsEarly ? " are needed by the request that failed" : " are live at the peak") + ", and "
                        + ByteSize.format(usableBytes) + " can be reserved";
        return answer + "; "
                + (endsEarly
                        ? "the recording ends with a failed request, and what its step needs after that is not known"
                        : batch());
    }

    private String batch() {
        if (batchFactor == 0) {
            return "no batch does, since what does not depend on it is too much";
        }
        String factor = String.format(Locale.ROOT, batchFactor < 10 ? "%.2g" : "%.0f", batchFactor);
        return "the largest batch that does is about " + factor + " times the recorded one";
    }

    /** What the allocator reserves where it has room. */
    public String reservedSentence() {
        return "the allocator reserves " + ByteSize.format(reservedBytes) + " at most";
    }

    /** What is not PyTorch's of the device. */
    public String contextSentence() {
        return ByteSize.format(deviceBytes - usableBytes) + " of the device are set aside for the CUDA context";
    }

    /** The smallest device on which it runs. */
    @Json.Property("least_sentence")
    public String leastSentence() {
        String card = Arrays.stream(CARDS)
                .filter(size -> leastBytes <= SHOWN * size * GIB)
                .mapToObj(size -> ": a card of " + size + " GB")
                .findFirst()
                .orElse("; no card has that much");
        return "needs " + (endsEarly ? "more than " : "at least ") + ByteSize.format(leastBytes) + " of device memory"
                + card + (endsEarly ? ", or a larger one" : "");
    }

    /** Whether it would fit if no more than so many bytes were live at the peak, and the allocator needed as much besides as it does now. */
    public boolean holds(long peakBytes) {
        return peakBytes + (leastBytes - neededBytes) <= deviceBytes;
    }
}
