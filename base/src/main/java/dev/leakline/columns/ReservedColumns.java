package dev.leakline.columns;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import java.util.Arrays;

/** The bytes reserved from the driver as the recording itself gives them: a row each time that they changed, in the order of events. */
public final class ReservedColumns {
    private final IntArrayList events = new IntArrayList();
    private final LongArrayList bytes = new LongArrayList();

    /** Appends what was reserved after an event, which is a row of {@link EventColumns}, and until the next row here. */
    public void add(int event, long reserved) {
        events.add(event);
        bytes.add(reserved);
    }

    /** Reserved memory after an event; for a trace's first events, which have no row, that of the next row. */
    public long after(int event) {
        int found = Arrays.binarySearch(events.buffer, 0, events.size(), event);
        return bytes.get(found >= 0 ? found : Math.max(-2 - found, 0));
    }

    /** Returns whether the recording says nothing of what was reserved. */
    public boolean isEmpty() {
        return events.isEmpty();
    }
}
