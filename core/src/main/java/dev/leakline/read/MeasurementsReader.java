package dev.leakline.read;

import dev.leakline.read.Inputs.Sniffed;
import java.io.IOException;

/** Reads figures: profiles, telemetry, counters, logs. The content decides what they are. */
final class MeasurementsReader {
    private MeasurementsReader() {}

    @SuppressWarnings("DoNotCallSuggester")
    static MeasurementsFile read(Sniffed input) throws IOException {
        throw Inputs.notASnapshot(Inputs.describe(input.stream().readNBytes(Inputs.HEAD)));
    }
}
