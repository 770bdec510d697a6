package dev.leakline.read;

import dev.leakline.read.Inputs.Sniffed;
import java.io.IOException;

/** Reads the chrome traces of torch.profiler that hold memory events. */
final class TraceReader {
    private TraceReader() {}

    @SuppressWarnings("DoNotCallSuggester")
    static SnapshotFile read(Sniffed input) throws IOException {
        throw Inputs.notASnapshot(Inputs.describe(input.stream().readNBytes(Inputs.HEAD)));
    }
}
