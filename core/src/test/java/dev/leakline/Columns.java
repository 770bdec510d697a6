package dev.leakline;

import dev.leakline.allocator.UncutBlocks;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Columns of recordings that tests make up. */
public final class Columns {
    private Columns() {}

    /** What a reader makes of a recording. */
    public static SnapshotColumns of(SnapshotBuilder recording) {
        return read(recording.write(Dialect.PROTOCOL_4));
    }

    /** What a reader makes of a snapshot's tree, after a test has changed it. */
    public static SnapshotColumns of(Object tree) {
        return read(Dialect.PROTOCOL_4.bytes(tree));
    }

    /** What a reader makes of a file. */
    public static SnapshotColumns of(Path file) throws IOException {
        return Snapshot.open(file).columns();
    }

    /** The allocations of a device, with the sizes that addresses tell. */
    public static Lifetimes refined(SnapshotColumns columns, int device) {
        return UncutBlocks.corrected(columns, LifetimeBuilder.build(columns, device));
    }

    private static SnapshotColumns read(byte[] file) {
        try {
            return ((Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(new ByteArrayInputStream(file)))
                    .columns();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
