package dev.leakline.fleet;

import dev.leakline.source.HeapBudget;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A file of the fleet, as its folder lists it.
 *
 * @param uri where it is opened
 * @param path how tables and reports name it
 * @param bytes its size
 * @param modifiedMicros when it was written
 * @param labels what its path says of it
 */
record FleetFile(String uri, String path, long bytes, long modifiedMicros, Labels labels) implements Serializable {
    /** The cost of opening a file and making its rows, in bytes that could be read meanwhile; measured: 5 to 10 ms, at 100 MB a second. */
    private static final long COST = 1 << 20;

    /**
     * The parts of a path.
     *
     * @param job the folder of the job that the file is of
     * @param host its machine
     * @param team whose job it is
     * @param version of the program that ran
     */
    record Labels(
            String job,
            @Nullable String host,
            @Nullable String team,
            @Nullable String version) implements Serializable {}

    /** The key by which it differs from a later file at the same place. */
    record Key(String path, long bytes, long modifiedMicros) {}

    Key key() {
        return new Key(path, bytes, modifiedMicros);
    }

    /** About how long it takes, in bytes that are read in that time. */
    long weight() {
        return COST + HeapBudget.unfolded(path, bytes);
    }
}
