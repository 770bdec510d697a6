package dev.leakline.read.snapshot;

import static dev.leakline.read.snapshot.ValueStack.ANNOTATION_ROWS;
import static dev.leakline.read.snapshot.ValueStack.BLOCK_ROWS;
import static dev.leakline.read.snapshot.ValueStack.EVENTS;
import static dev.leakline.read.snapshot.ValueStack.FRAME;
import static dev.leakline.read.snapshot.ValueStack.HISTORY_ROWS;
import static dev.leakline.read.snapshot.ValueStack.LIST_OF;
import static dev.leakline.read.snapshot.ValueStack.MAP;
import static dev.leakline.read.snapshot.ValueStack.SEGMENT_ROWS;
import static dev.leakline.read.snapshot.ValueStack.STRING;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.StatedSizes;
import java.util.BitSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Makes the rows of a snapshot's columns from the {@link EntryList} of each dictionary. */
final class Rows {
    static final long EVENT_KEYS = keys(
            Vocabulary.ACTION,
            Vocabulary.ADDR,
            Vocabulary.DEVICE_FREE,
            Vocabulary.SIZE,
            Vocabulary.STREAM,
            Vocabulary.TIME_US,
            Vocabulary.COMPILE_CONTEXT,
            Vocabulary.USER_METADATA,
            Vocabulary.POOL_ID,
            Vocabulary.FRAMES);
    private static final long FRAME_KEYS =
            keys(Vocabulary.NAME, Vocabulary.FILENAME, Vocabulary.LINE, Vocabulary.FX_ORIGINAL_TRACE);
    /** A line of a traceback, as torch.fx keeps it of the code that it rewrites; lines of more digits than any file has are none. */
    private static final Pattern MODEL_LINE = Pattern.compile("File \"([^\"\\n]+)\", line (\\d{1,9}), in ([^\\n]+)");

    private static final long BLOCK_KEYS = keys(
            Vocabulary.ADDRESS,
            Vocabulary.SIZE,
            Vocabulary.REQUESTED_SIZE,
            Vocabulary.STATE,
            Vocabulary.FRAMES,
            Vocabulary.HISTORY);
    private static final long SEGMENT_KEYS = keys(
            Vocabulary.DEVICE,
            Vocabulary.ADDRESS,
            Vocabulary.TOTAL_SIZE,
            Vocabulary.ALLOCATED_SIZE,
            Vocabulary.ACTIVE_SIZE,
            Vocabulary.REQUESTED_SIZE,
            Vocabulary.STREAM,
            Vocabulary.SEGMENT_TYPE,
            Vocabulary.SEGMENT_POOL_ID,
            Vocabulary.IS_EXPANDABLE,
            Vocabulary.FRAMES,
            Vocabulary.BLOCKS);
    private static final long ANNOTATION_KEYS =
            keys(Vocabulary.NAME, Vocabulary.STAGE, Vocabulary.DEVICE, Vocabulary.TIME_US);
    private static final long HISTORY_KEYS = keys(Vocabulary.ADDR, Vocabulary.REAL_SIZE, Vocabulary.FRAMES);

    private final SnapshotColumns columns;
    private final EntryList entries;
    private final RowRanges ranges;
    private final ReadLimits limits;
    final StatedSizes sizes;
    /** The lists of blocks that belong to a segment. */
    private final BitSet taken = new BitSet();
    /** The stacks of the former tenants of blocks (torch 1.13 and 2.0), in file order. */
    private final IntArrayList histories = new IntArrayList();

    private long keysOfEvents;

    Rows(SnapshotColumns columns, EntryList entries, RowRanges ranges, ReadLimits limits) {
        this.columns = columns;
        this.entries = entries;
        this.ranges = ranges;
        this.limits = limits;
        this.sizes = new StatedSizes(limits, columns.counters);
    }

    /** The kind of the indexed entries: the keys that only one kind of row has decide. */
    byte kind() {
        if (entries.has(Vocabulary.ACTION)) {
            return EVENTS;
        }
        if (entries.has(Vocabulary.FILENAME)) {
            return FRAME;
        }
        if (entries.has(Vocabulary.BLOCKS)) {
            return SEGMENT_ROWS;
        }
        if (entries.has(Vocabulary.STATE)) {
            return BLOCK_ROWS;
        }
        if (entries.has(Vocabulary.STAGE)) {
            return ANNOTATION_ROWS;
        }
        return entries.has(Vocabulary.REAL_SIZE) ? HISTORY_ROWS : MAP;
    }

    /** Appends the indexed entries as a row of a kind and answers its number: of the frame, or a run of that one row. */
    long add(byte kind) throws ReadException {
        return switch (kind) {
            case EVENTS -> ValueStack.run(addEvent(), 1);
            case FRAME -> addFrame();
            case SEGMENT_ROWS -> ValueStack.run(addSegment(), 1);
            case BLOCK_ROWS -> ValueStack.run(addBlock(), 1);
            case ANNOTATION_ROWS -> ValueStack.run(addAnnotation(), 1);
            default -> ValueStack.run(addHistory(), 1);
        };
    }

    /** Notes which keys an event has that did not come as {@link EntryList}. */
    void noteEventKeys(long seen) {
        keysOfEvents |= seen;
    }

    /** Hands what was noted on the way to the snapshot. */
    void flush() {
        for (long left = keysOfEvents & EVENT_KEYS; left != 0; left &= left - 1) {
            columns.eventKeys.add(columns.strings.get(Long.numberOfTrailingZeros(left)));
        }
        entries.flush();
    }

    private int addEvent() throws ReadException {
        entries.countOthers(EVENT_KEYS);
        noteEventKeys(entries.seen());
        Action action = action();
        boolean isFailed = action == Action.OOM;
        columns.events.add(
                action,
                isFailed ? size(Vocabulary.DEVICE_FREE) : entries.integer(Vocabulary.ADDR, 0),
                sizes.take(entries.required(Vocabulary.SIZE, "event")),
                entries.integer(Vocabulary.TIME_US, 0),
                entries.integer(Vocabulary.STREAM, 0),
                entries.stackNumber(Vocabulary.FRAMES),
                entries.pool(Vocabulary.POOL_ID),
                entries.string(Vocabulary.COMPILE_CONTEXT),
                entries.string(Vocabulary.USER_METADATA));
        return columns.events.size() - 1;
    }

    private long size(int key) throws ReadException {
        return sizes.take(entries.integer(key, 0));
    }

    private Action action() {
        int name = entries.string(Vocabulary.ACTION);
        Action action = Vocabulary.action(name);
        if (action == Action.UNKNOWN) {
            columns.counters.count("action " + columns.strings.get(name));
        }
        return action;
    }

    /** Adds a frame; of generated code that says which line of the model it is from, the frame of that line. */
    private int addFrame() {
        entries.countOthers(FRAME_KEYS);
        if (entries.has(Vocabulary.FX_ORIGINAL_TRACE)) {
            String trace = columns.strings.get(entries.string(Vocabulary.FX_ORIGINAL_TRACE));
            MatchResult model = MODEL_LINE
                    .matcher(trace)
                    .results()
                    .reduce((_, last) -> last)
                    .orElse(null);
            if (model != null) {
                return columns.frames.intern(
                        columns.strings.intern(model.group(3)),
                        columns.strings.intern(model.group(1)),
                        Integer.parseInt(model.group(2)));
            }
        }
        return columns.frames.intern(entries.string(Vocabulary.NAME), entries.string(Vocabulary.FILENAME), (int)
                entries.integer(Vocabulary.LINE, 0));
    }

    private int addSegment() throws ReadException {
        entries.countOthers(SEGMENT_KEYS);
        long address = entries.integer(Vocabulary.ADDRESS, 0);
        long device = entries.integer(Vocabulary.DEVICE, 0);
        limits.checkDevice(device);
        int range = rangeOf(Vocabulary.BLOCKS, BLOCK_ROWS);
        take(range);
        int first = range < 0 ? columns.blocks.size() : ranges.first(range);
        int count = range < 0 ? 0 : ranges.count(range);
        columns.blocks.place(first, count, address);
        columns.segments.add(new SegmentColumns.Row(
                (int) device,
                address,
                sizes.take(entries.required(Vocabulary.TOTAL_SIZE, "segment")),
                size(Vocabulary.ALLOCATED_SIZE),
                size(Vocabulary.ACTIVE_SIZE),
                entries.integer(Vocabulary.STREAM, 0),
                entries.pool(Vocabulary.SEGMENT_POOL_ID),
                entries.string(Vocabulary.SEGMENT_TYPE) == Vocabulary.LARGE,
                entries.integer(Vocabulary.IS_EXPANDABLE, 0) != 0,
                entries.stackNumber(Vocabulary.FRAMES),
                first,
                count));
        return columns.segments.size() - 1;
    }

    /** Notes that a list of blocks belongs to a segment; none belongs to two. */
    private void take(int range) throws ReadException {
        if (range >= 0 && taken.get(range)) {
            throw new ReadException(ReadException.Code.DAMAGED, -1, "two segments have the same blocks");
        }
        if (range >= 0) {
            taken.set(range);
        }
    }

    private int addBlock() throws ReadException {
        entries.countOthers(BLOCK_KEYS);
        long size = sizes.take(entries.required(Vocabulary.SIZE, "block"));
        columns.blocks.add(
                entries.integer(Vocabulary.ADDRESS, 0),
                size,
                sizes.take(entries.integer(Vocabulary.REQUESTED_SIZE, size)),
                state(),
                entries.has(Vocabulary.FRAMES) ? entries.stackNumber(Vocabulary.FRAMES) : historyStack());
        return columns.blocks.size() - 1;
    }

    private BlockState state() {
        return switch (entries.string(Vocabulary.STATE)) {
            case Vocabulary.ACTIVE_ALLOCATED -> BlockState.ALLOCATED;
            case Vocabulary.ACTIVE_PENDING_FREE, Vocabulary.ACTIVE_AWAITING_FREE -> BlockState.PENDING_FREE;
            case Vocabulary.INACTIVE -> BlockState.INACTIVE;
            default -> {
                columns.counters.count("block state " + columns.strings.get(entries.string(Vocabulary.STATE)));
                yield BlockState.INACTIVE;
            }
        };
    }

    /** The first entry of a block's history is its present tenant. */
    private int historyStack() {
        int range = rangeOf(Vocabulary.HISTORY, HISTORY_ROWS);
        return range < 0 ? StackTable.NONE : histories.get(ranges.first(range));
    }

    private int rangeOf(int key, byte rows) {
        byte kind = entries.kind(key);
        if (kind == rows + LIST_OF) {
            return (int) entries.value(key);
        }
        if (kind != ValueStack.LIST && kind != ValueStack.NULL) {
            entries.countMistyped(key);
        }
        return -1;
    }

    private int addAnnotation() {
        entries.countOthers(ANNOTATION_KEYS);
        columns.annotations.add(
                entries.string(Vocabulary.NAME),
                entries.kind(Vocabulary.STAGE) == STRING && entries.string(Vocabulary.STAGE) == Vocabulary.START,
                (int) entries.integer(Vocabulary.DEVICE, 0),
                entries.integer(Vocabulary.TIME_US, 0));
        return columns.annotations.size() - 1;
    }

    private int addHistory() {
        entries.countOthers(HISTORY_KEYS);
        histories.add(entries.stackNumber(Vocabulary.FRAMES));
        return histories.size() - 1;
    }

    private static long keys(int... keys) {
        long set = 0;
        for (int key : keys) {
            set |= 1L << key;
        }
        return set;
    }
}
