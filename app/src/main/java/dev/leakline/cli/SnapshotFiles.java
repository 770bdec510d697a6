package dev.leakline.cli;

import dev.leakline.Snapshot;
import dev.leakline.primitive.Printable;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
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
        List<Snapshot> snapshots = new ArrayList<>();
        int exit = 0;
        for (String file : files) {
            try {
                Snapshot snapshot = open(file);
                snapshots.add(snapshot);
                exit = Math.max(exit, warn(file, snapshot));
            } catch (IOException e) {
                exit = Failures.report(file, e);
            }
        }
        return new SnapshotFiles(snapshots, exit);
    }

    private static Snapshot open(String file) throws IOException {
        try (Progress progress = new Progress(Printable.of(file, 60))) {
            return file.equals("-")
                    ? Snapshot.read("standard input", System.in, progress)
                    : Snapshot.open(path(file), progress);
        }
    }

    /** The path that a user means. */
    static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + file + "' is no path: " + e.getReason(), e);
        }
    }

    private static int warn(String file, Snapshot snapshot) {
        String incomplete = snapshot.incomplete();
        if (incomplete == null) {
            return 0;
        }
        Terminal.err().println("leakline: " + Printable.of(file + ": " + incomplete) + "; reporting what came before");
        return Failures.UNREADABLE;
    }
}
