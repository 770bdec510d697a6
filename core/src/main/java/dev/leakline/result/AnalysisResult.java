package dev.leakline.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an analysis found, as plain data.
 *
 * @param toolVersion the version that found it
 * @param inputs the files it was found in
 * @param verdict one word: what is wrong, if anything; see the README
 * @param reason why, in a sentence
 * @param devices what each device held, input by input, in order of their numbers
 * @param settings the allocator's settings at the time of the first snapshot that has any
 */
public record AnalysisResult(
        String toolVersion,
        List<InputFile> inputs,
        Verdict verdict,
        String reason,
        List<DeviceResult> devices,
        Map<String, Object> settings) {
    /** What the recordings say is wrong. */
    public enum Verdict {
        /** The recordings cannot answer. */
        UNDETERMINED
    }

    /** The device whose peak is the highest; null where no device held anything. The host's memory is not a device's. */
    public @Nullable DeviceResult worst() {
        DeviceResult worst = null;
        for (DeviceResult device : devices) {
            if (device.device() >= 0
                    && (worst == null || device.peak().bytes() > worst.peak().bytes())) {
                worst = device;
            }
        }
        return worst;
    }
}
