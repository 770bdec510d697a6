package dev.leakline;

import dev.leakline.read.Formats;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A file that was read: a snapshot, a holder dump, figures, samples of a watch, looks at the host's memory, an earlier report, or a summary of ranks. */
public sealed interface Input permits Snapshot, HolderDump, Measurement, Samples, HostLooks, Report, Summary {
    /** Why the file could not be read to its end, or null where it could; what was whole is in the input. */
    default @Nullable String incomplete() {
        return null;
    }

    /**
     * Reads a file of any kind that is understood, telling {@code progress} now and then how many bytes it has come to; throws
     * {@link dev.leakline.source.ReadException} where it is none.
     */
    static Input open(Path path, LongConsumer progress) throws IOException {
        return open(path, null, progress);
    }

    /** Reads a file; in texts, only figures that {@code pattern} matches are read, if it is not null. */
    static Input open(Path path, @Nullable LinePattern pattern, LongConsumer progress) throws IOException {
        return of(path.toString(), new Formats(ReadLimits.DEFAULT, progress, pattern).read(path));
    }

    /** Reads a file of wherever, of any kind that is understood; {@code name} stands for it in reports. */
    static Input open(String name, Source.Opener opener) throws IOException {
        return of(name, new Formats(ReadLimits.DEFAULT, _ -> {}).read(opener));
    }

    /** Reads a stream to its end; {@code name} stands for it in reports. The stream stays the caller's to close. */
    static Input read(String name, InputStream stream, LongConsumer progress) throws IOException {
        return read(name, stream, null, progress);
    }

    /** Reads a stream; in texts, only figures that {@code pattern} matches are read, if it is not null. */
    static Input read(String name, InputStream stream, @Nullable LinePattern pattern, LongConsumer progress)
            throws IOException {
        return of(name, new Formats(ReadLimits.DEFAULT, progress, pattern).read(stream));
    }

    /**
     * Reads a file of which only the messages about memory that ran out are wanted, or the failed requests of a snapshot: whatever is no
     * snapshot is read as a text.
     */
    static Input openMessages(Path path, LongConsumer progress) throws IOException {
        return of(path.toString(), new Formats(ReadLimits.DEFAULT, progress).readMessages(path));
    }

    /** Reads a stream in the same way; {@code name} stands for it in reports. The caller closes the stream. */
    static Input readMessages(String name, InputStream stream, LongConsumer progress) throws IOException {
        return of(name, new Formats(ReadLimits.DEFAULT, progress).readMessages(stream));
    }

    /** Reads a file of any kind; a text that says nothing about memory is no error. */
    static Input openAnything(Path path, LongConsumer progress) throws IOException {
        return of(path.toString(), new Formats(ReadLimits.DEFAULT, progress).readAnything(path));
    }

    /** Reads a stream in the same way; {@code name} stands for it in reports. The caller closes the stream. */
    static Input readAnything(String name, InputStream stream, LongConsumer progress) throws IOException {
        return of(name, new Formats(ReadLimits.DEFAULT, progress).readAnything(stream));
    }

    private static Input of(String name, Content content) {
        return switch (content) {
            case Content.Recording snapshot -> new Snapshot(name, snapshot);
            case Content.Figures figures -> new Measurement(name, figures);
            case Content.Samples samples -> new Samples(name, samples);
            case Content.Looks looks -> new HostLooks(name, looks);
            case Content.Dump dump -> new HolderDump(name, dump.graph());
            case Content.Report report -> new Report(report.result());
            case Content.Summary summary -> new Summary(summary.summary());
        };
    }
}
