package dev.leakline.cli;

import dev.leakline.Snapshot;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * The snapshots among the files that were named; what cannot be read is told of.
 *
 * @param snapshots what could be read, in order
 * @param exit the exit code that the others call for
 */
record SnapshotFiles(List<Snapshot> snapshots, int exit) {
    /** Reads files one after the other; {@code -} is standard input. */
    static SnapshotFiles open(List<String> files) {
        InputFiles<Snapshot> read = InputFiles.open(files, Snapshot::open, Snapshot::read);
        return new SnapshotFiles(read.inputs(), read.exit());
    }

    /** The path that a user means. */
    static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + file + "' is no path: " + e.getReason(), e);
        }
    }
}
