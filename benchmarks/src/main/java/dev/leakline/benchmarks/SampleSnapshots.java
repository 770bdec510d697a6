package dev.leakline.benchmarks;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.pickle.Dialect;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/** The snapshots of all benchmarks, {@value #EVENTS} events each, in memory. Figures are times for one event. */
final class SampleSnapshots {
    static final int EVENTS = 200_000;

    private SampleSnapshots() {}

    /** A snapshot as a file. */
    static byte[] file(Dialect dialect) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        BigSnapshot.write(EVENTS, dialect, file);
        return file.toByteArray();
    }

    static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(file)) {
            gzip.write(plain);
        }
        return file.toByteArray();
    }

    /** Reads a file, as commands do. */
    static SnapshotColumns read(byte[] file) throws IOException {
        return ((Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(new ByteArrayInputStream(file)))
                .columns();
    }
}
