package dev.leakline.allocator;

import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the memory pool of each event. Torch 2.12 and later say it; before that only the segments of the final state do, so an event
 * belongs to the pool whose segment is at its address in the end. What a private pool gave back meanwhile counts as the default one's.
 */
final class EventPools {
    private static final String KEY = "pool_id";

    private final SnapshotColumns columns;
    private final boolean isRecorded;
    private final TreeMap<Long, SegmentColumns.Row> privates = new TreeMap<>(Long::compareUnsigned);

    EventPools(SnapshotColumns columns, int device) {
        this.columns = columns;
        this.isRecorded = columns.eventKeys.contains(KEY);
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            SegmentColumns.Row row = columns.segments.row(segment);
            if (row.device() == device && row.pool() != 0) {
                privates.put(row.address(), row);
            }
        }
    }

    /** The pool of a row of events. */
    int of(int row) {
        if (isRecorded || privates.isEmpty()) {
            return columns.events.pool(row);
        }
        long address = columns.events.address(row);
        Map.Entry<Long, SegmentColumns.Row> below = privates.floorEntry(address);
        boolean isIn =
                below != null && address - below.getKey() < below.getValue().totalSize();
        return isIn ? below.getValue().pool() : 0;
    }
}
