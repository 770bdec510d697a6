package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.allocator.AllocatorListener;
import dev.leakline.columns.Action;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The trace that an allocator writes, to be compared with one that was recorded. */
class AllocatorTrace implements AllocatorListener {
    /** An event; the address of an oom is the device's free bytes. */
    record Event(Action action, long address, long size, long stream) {}

    /** What has happened so far. */
    final List<Event> events = new ArrayList<>();

    /** The snapshot in a file. */
    static SnapshotColumns read(Path file) throws IOException {
        return ((Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(() -> Formats.open(file), false))
                .columns();
    }

    /** The first device's trace in a file. */
    static List<Event> recorded(Path file) throws IOException {
        SnapshotColumns columns = read(file);
        EventColumns events = columns.events;
        Trace trace = columns.traces.getFirst();
        List<Event> recorded = new ArrayList<>();
        for (int event = trace.first(); event < trace.first() + trace.count(); event++) {
            recorded.add(
                    new Event(events.action(event), events.address(event), events.size(event), events.stream(event)));
        }
        return recorded;
    }

    /** The order in which frees complete together is that of a hash map of streams, and means nothing. */
    static List<Event> sortedWithinCompletions(List<Event> trace) {
        List<Event> sorted = new ArrayList<>(trace);
        int from = 0;
        for (int event = 0; event <= sorted.size(); event++) {
            if (event == sorted.size() || sorted.get(event).action != Action.FREE_COMPLETED) {
                sorted.subList(from, event).sort((one, other) -> Long.compareUnsigned(one.address, other.address));
                from = event + 1;
            }
        }
        return sorted;
    }

    /** Names the first event that differs. */
    static void assertEqual(List<Event> actual, List<Event> expected) {
        for (int event = 0; event < Math.min(actual.size(), expected.size()); event++) {
            assertThat(actual.get(event)).as("event %d", event).isEqualTo(expected.get(event));
        }
        assertThat(actual.size()).as("events").isEqualTo(expected.size());
    }

    private void add(Action action, long address, long size, long stream) {
        events.add(new Event(action, address, size, stream));
    }

    @Override
    public void allocated(int block, long address, long requested, long stream, int pool) {
        add(Action.ALLOC, address, requested, stream);
    }

    @Override
    public void freeRequested(int block, long address, long requested, long stream, int pool) {
        add(Action.FREE_REQUESTED, address, requested, stream);
    }

    @Override
    public void freeCompleted(int block, long address, long requested, long stream, int pool) {
        add(Action.FREE_COMPLETED, address, requested, stream);
    }

    @Override
    public void segmentAllocated(long address, long size, long stream, int pool) {
        add(Action.SEGMENT_ALLOC, address, size, stream);
    }

    @Override
    public void segmentFreed(long address, long size, long stream, int pool) {
        add(Action.SEGMENT_FREE, address, size, stream);
    }

    @Override
    public void segmentMapped(long address, long size, long stream, int pool) {
        add(Action.SEGMENT_MAP, address, size, stream);
    }

    @Override
    public void segmentUnmapped(long address, long size, long stream, int pool) {
        add(Action.SEGMENT_UNMAP, address, size, stream);
    }

    @Override
    public void outOfMemory(long deviceFree, long rounded, long stream, int pool) {
        add(Action.OOM, deviceFree, rounded, stream);
    }
}
