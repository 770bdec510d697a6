package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.read.samples.SampleLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Samples of a file, a line each, as fast as they are taken. Lines that are none are counted and passed over. */
public final class ReplayedSamples implements SampleSource {
    private final BufferedReader lines;
    private long bad;
    private volatile boolean isStopped;

    public ReplayedSamples(InputStream in) {
        // What is no UTF-8 is not worth failing for: only numbers are judged.
        this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16);
    }

    @Override
    public @Nullable List<ProcessSample> next() throws IOException {
        for (String line; !isStopped && (line = lines.readLine()) != null; ) {
            ProcessSample sample = SampleLines.read(line);
            if (sample != null) {
                return List.of(sample);
            }
            bad += line.isBlank() ? 0 : 1;
        }
        return null;
    }

    /** The lines so far that were no samples. */
    public long bad() {
        return bad;
    }

    @Override
    public void stop() {
        isStopped = true;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
