package dev.leakline.read.snapshot;

import static dev.leakline.read.snapshot.ValueStack.ANNOTATION_ROWS;
import static dev.leakline.read.snapshot.ValueStack.EVENTS;
import static dev.leakline.read.snapshot.ValueStack.LIST;
import static dev.leakline.read.snapshot.ValueStack.LIST_OF;
import static dev.leakline.read.snapshot.ValueStack.SEGMENT_ROWS;
import static dev.leakline.read.snapshot.ValueStack.TRACES;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.read.snapshot.Assembler.Part;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** The outermost dictionary of a snapshot, whose values say what the lists of rows are. */
final class TopLevel {
    /** A setting of the allocator may be a table; tables inside tables are not its. */
    private static final int SETTINGS_DEPTH = 2;

    private final SnapshotColumns columns;
    private final RowRanges ranges;
    private final List<IntArrayList> traceLists;
    private final ReadLimits limits;
    private int settings;

    TopLevel(SnapshotColumns columns, RowRanges ranges, List<IntArrayList> traceLists, ReadLimits limits) {
        this.columns = columns;
        this.ranges = ranges;
        this.traceLists = traceLists;
        this.limits = limits;
    }

    /** Takes what the file says; {@code isBareList} where it is nothing but a list of segments (torch 1.13). */
    void take(Map<String, Object> root, boolean isBareList) throws ReadException {
        boolean isSnapshot = isBareList ? isSegments(root.get("segments")) : isSnapshot(root);
        if (!isSnapshot) {
            throw new ReadException(Code.NOT_A_SNAPSHOT, -1, "not a memory snapshot: " + describe(root, isBareList));
        }
        if (!isBareList) {
            columns.topKeys.addAll(root.keySet());
        }
        for (Map.Entry<String, Object> part : root.entrySet()) {
            takePart(part.getKey(), part.getValue());
        }
    }

    private static boolean isSnapshot(Map<String, Object> root) {
        return isSegments(root.get("segments"))
                || (root.get("device_traces") instanceof Part part && (part.kind() == TRACES || part.kind() == LIST));
    }

    private static boolean isSegments(@org.jspecify.annotations.Nullable Object value) {
        return value instanceof Part part && (part.kind() == SEGMENT_ROWS + LIST_OF || part.kind() == LIST);
    }

    private static String describe(Map<String, Object> root, boolean isBareList) {
        if (isBareList) {
            return "it is neither a dictionary nor a list of segments";
        }
        List<String> keys =
                root.keySet().stream().limit(5).map(key -> "'" + key + "'").toList();
        return keys.isEmpty()
                ? "it is an empty dictionary"
                : "it is a dictionary with " + String.join(", ", keys) + (root.size() > 5 ? ", ..." : "")
                        + ", but has neither 'segments' nor 'device_traces'";
    }

    private void takePart(String key, Object value) throws ReadException {
        switch (key) {
            case "segments", "host_segments" -> expect(key, value, SEGMENT_ROWS + LIST_OF);
            case "external_annotations" -> expect(key, value, ANNOTATION_ROWS + LIST_OF);
            case "device_traces" -> takeTraces(value);
            case "host_traces" -> takeHostTrace(value);
            case "allocator_settings" -> takeSettings(value);
            default -> columns.counters.count("key " + key);
        }
    }

    private void expect(String key, Object value, int kind) {
        if (!(value instanceof Part part) || (part.kind() != kind && part.kind() != LIST)) {
            columns.counters.count("'" + key + "' of an unexpected type");
        }
    }

    private void takeTraces(Object value) throws ReadException {
        expect("device_traces", value, TRACES);
        if (value instanceof Part part && part.kind() == TRACES) {
            IntArrayList lists = traceLists.get((int) part.value());
            limits.checkDevice(lists.size() - 1);
            BitSet taken = new BitSet();
            for (int device = 0; device < lists.size(); device++) {
                take(lists.get(device), taken);
                columns.traces.add(trace(device, lists.get(device)));
            }
        }
    }

    /** Events happened on one device: a list that several refer to would be analysed for each. */
    private static void take(int range, BitSet taken) throws ReadException {
        if (range >= 0 && taken.get(range)) {
            throw new ReadException(Code.DAMAGED, -1, "two devices have the same events");
        }
        if (range >= 0) {
            taken.set(range);
        }
    }

    private void takeHostTrace(Object value) {
        expect("host_traces", value, EVENTS + LIST_OF);
        if (value instanceof Part part && part.kind() == EVENTS + LIST_OF) {
            columns.traces.add(trace(SnapshotColumns.HOST, (int) part.value()));
        }
    }

    private Trace trace(int device, int range) {
        return range < 0 ? new Trace(device, 0, 0) : new Trace(device, ranges.first(range), ranges.count(range));
    }

    private void takeSettings(Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, setting) -> columns.settings.put((String) key, setting(setting, 1)));
        }
    }

    private Object setting(Object value, int depth) {
        if (value instanceof Map<?, ?> map && depth < SETTINGS_DEPTH) {
            Map<String, Object> table = new java.util.LinkedHashMap<>();
            if (settings <= limits.shownSettings()) {
                map.forEach((key, entry) -> table.put((String) key, setting(entry, depth + 1)));
            }
            return table;
        }
        settings++;
        return settings > limits.shownSettings() || value instanceof Part || value instanceof Map ? "?" : value;
    }
}
