package dev.leakline;

import dev.leakline.read.Formats;
import dev.leakline.source.Source;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * A place that a file is read from.
 *
 * @param name what stands for it in reports
 * @param opener opens it from its beginning, a second time where it may be of another format than it seemed
 */
public record InputSource(String name, Source.Opener opener) {
    /** Bytes of a stream that are kept, to be read again: text that is not what it seemed shows so early. */
    private static final int KEPT = 1 << 23;

    /** A file, or a folder that holds the figures of one process. */
    public static InputSource of(Path path) {
        return new InputSource(path.toString(), () -> Formats.open(path));
    }

    /** A file of wherever. */
    public static InputSource of(String name, Source.Opener opener) {
        return new InputSource(name, opener);
    }

    /** A stream such as standard input, which stays the caller's to close. */
    public static InputSource of(String name, InputStream stream) {
        BufferedInputStream kept = new BufferedInputStream(stream);
        kept.mark(KEPT);
        return new InputSource(name, () -> {
            kept.reset();
            return new FilterInputStream(kept) {
                @Override
                public void close() {}
            };
        });
    }
}
