package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where samples come from: this machine, or a file of samples. One thread takes them; another may stop it. */
public interface SampleSource extends AutoCloseable {
    /** The samples that were taken at once, as soon as they are due; null at the end. */
    @Nullable
    List<ProcessSample> next() throws IOException;

    /** Ends the samples: whoever takes them gets null from now on. */
    void stop();

    @Override
    void close() throws IOException;
}
