package dev.leakline.result;

import dev.leakline.text.ByteSize;
import io.avaje.jsonb.Json;
import java.util.Locale;

/**
 * Whether a program that was recorded fits into a device, by what was live at the peak; an estimate.
 *
 * @param deviceBytes the memory of the device
 * @param usableBytes what of it blocks can fill: the driver's context and the pieces that the allocator cannot use are left out
 * @param neededBytes live at the peak
 * @param batchFactor the largest batch that would fit, by the recorded one; 0 where even the smallest would not
 */
public record Fit(long deviceBytes, long usableBytes, long neededBytes, double batchFactor) {
    /** The answer. */
    @Json.Property("sentence")
    public String sentence() {
        long spare = usableBytes - neededBytes;
        String answer = spare >= 0
                ? "fits into " + ByteSize.format(deviceBytes) + " with about " + ByteSize.format(spare) + " to spare"
                : "does not fit into " + ByteSize.format(deviceBytes) + ": about " + ByteSize.format(-spare)
                        + " too much";
        return answer
                + (batchFactor == 0
                        ? "; no batch would, since what does not depend on it is too much"
                        : String.format(
                                Locale.ROOT,
                                "; a batch of more than %.2g times the recorded one would not",
                                batchFactor));
    }
}
