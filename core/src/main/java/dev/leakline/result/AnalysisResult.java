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
 * @param findings what is wrong, most serious first
 * @param acquittals what looks like a leak and is none, largest first
 * @param checks what each detector could and could not look at
 * @param devices what each device held, input by input, in order of their numbers
 * @param settings the allocator's settings at the time of the first snapshot that has any
 * @param measured what figures say that came along, or instead
 * @param dumps what holder dumps of the same processes say beside the findings, process by process
 * @param logs the texts in which messages about memory that ran out were looked for
 * @param messages their messages, explained, in the order of logs and lines
 */
public record AnalysisResult(
        String toolVersion,
        List<InputFile> inputs,
        Verdict verdict,
        String reason,
        List<Finding> findings,
        List<Acquittal> acquittals,
        List<Check> checks,
        List<DeviceResult> devices,
        Map<String, Object> settings,
        Measured measured,
        List<JoinedDump> dumps,
        List<OutOfMemoryLog> logs,
        List<OutOfMemoryExplanation> messages) {
    /** What was found without any dump. */
    public AnalysisResult(
            String toolVersion,
            List<InputFile> inputs,
            Verdict verdict,
            String reason,
            List<Finding> findings,
            List<Acquittal> acquittals,
            List<Check> checks,
            List<DeviceResult> devices,
            Map<String, Object> settings,
            Measured measured) {
        this(
                toolVersion,
                inputs,
                verdict,
                reason,
                findings,
                acquittals,
                checks,
                devices,
                settings,
                measured,
                List.of(),
                List.of(),
                List.of());
    }

    /** What the recordings say is wrong. */
    public enum Verdict {
        /** Bytes allocated under one line of the user's code stay, step after step, without a ceiling. */
        LEAK,
        /** Blocks pile up and are let go many at once by the garbage collector. */
        REFERENCE_CYCLE,
        /** A request failed although enough memory was free, in pieces. */
        OOM_FRAGMENTATION,
        /** A request failed because not enough memory was free. */
        OOM,
        /** Nothing leaks; the reason says why what was seen is none. */
        NO_LEAK,
        /** The recordings cannot answer. */
        UNDETERMINED
    }

    /** The same with other findings. */
    public AnalysisResult withFindings(List<Finding> others) {
        return new AnalysisResult(
                toolVersion,
                inputs,
                verdict,
                reason,
                others,
                acquittals,
                checks,
                devices,
                settings,
                measured,
                dumps,
                logs,
                messages);
    }

    /** Whether a request failed for good, by a recording or by a message. */
    public boolean hasFailedRequests() {
        return devices.stream().anyMatch(device -> !device.outOfMemory().isEmpty())
                || messages.stream().anyMatch(message -> message.kind() != OutOfMemoryExplanation.Kind.RECOVERED);
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
