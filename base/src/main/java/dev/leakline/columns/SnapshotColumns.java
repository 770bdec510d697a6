package dev.leakline.columns;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything that a snapshot says, or what a trace of the profiler says in its stead.
 *
 * <p>Filled once by a reader, read by everybody else; nothing here is changed after the reader returned it.
 */
public final class SnapshotColumns {
    /** Stands for the host in place of a device ordinal. */
    public static final int HOST = -1;

    /** The events of one device, or of the {@link #HOST}: {@code count} rows of {@link #events} from {@code first} on. */
    public record Trace(int device, int first, int count) {}

    /** The program that recorded it. */
    public final Recorder recorder;
    /** The distinct strings. */
    public final StringTable strings = new StringTable();
    /** The distinct frames. */
    public final FrameTable frames = new FrameTable(strings);
    /** The distinct stacks. */
    public final StackTable stacks = new StackTable();
    /** The distinct memory pools. */
    public final PoolTable pools = new PoolTable();
    /** The events of all traces. */
    public final EventColumns events = new EventColumns();
    /** Reserved memory, if there are no segment events. */
    public final ReservedColumns reserved = new ReservedColumns();
    /** The final state's segments. */
    public final SegmentColumns segments = new SegmentColumns();
    /** The final state's blocks. */
    public final BlockColumns blocks = new BlockColumns();
    /** The record_function ranges. */
    public final AnnotationColumns annotations = new AnnotationColumns();
    /** One entry a trace list of the file, empty ones included, in device order, the host's last. */
    public final List<Trace> traces = new ArrayList<>();
    /** The memory of devices in bytes, by their numbers, where the recording says. */
    public final Map<Integer, Long> deviceBytes = new TreeMap<>();
    /** The allocator's settings as written: strings, numbers, booleans and maps of them; empty where the file has none. */
    public final Map<String, Object> settings = new LinkedHashMap<>();
    /** The keys of the top level, in file order; empty for a bare list. */
    public final List<String> topKeys = new ArrayList<>();
    /** Counts of what could not be used. */
    public final IngestCounters counters = new IngestCounters();
    /** The known keys that at least one event has: what tells torch versions apart. */
    public final Set<String> eventKeys = new TreeSet<>();

    /** Empty columns of the allocator's recording. */
    public SnapshotColumns() {
        this(Recorder.ALLOCATOR);
    }

    /** Empty columns of a recorder. */
    public SnapshotColumns(Recorder recorder) {
        this.recorder = recorder;
    }

    /** How many events the traces of a device have. */
    public int eventCount(int device) {
        return traces.stream()
                .filter(trace -> trace.device() == device)
                .mapToInt(Trace::count)
                .sum();
    }
}
