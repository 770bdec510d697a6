package dev.leakline.read.snapshot;

import static dev.leakline.read.snapshot.Vocabulary.ACTION;
import static dev.leakline.read.snapshot.Vocabulary.ADDR;
import static dev.leakline.read.snapshot.Vocabulary.COMPILE_CONTEXT;
import static dev.leakline.read.snapshot.Vocabulary.DEVICE_FREE;
import static dev.leakline.read.snapshot.Vocabulary.FRAMES;
import static dev.leakline.read.snapshot.Vocabulary.POOL_ID;
import static dev.leakline.read.snapshot.Vocabulary.SIZE;
import static dev.leakline.read.snapshot.Vocabulary.STREAM;
import static dev.leakline.read.snapshot.Vocabulary.TIME_US;
import static dev.leakline.read.snapshot.Vocabulary.USER_METADATA;

import dev.leakline.columns.Action;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.LittleEndian;
import dev.leakline.source.ByteWindow;
import dev.leakline.source.ReadException;

/**
 * A short cut for what nearly all of a large file consists of: events as Python's pickle protocols 4 and 5 write them.
 *
 * <p>Such an event is a dictionary, remembered and then filled at once, whose keys and frames were all seen before. Its bytes
 * therefore alternate between references to keys and a handful of operations for values, and it can be read field by field into
 * a row, without the {@link ValueStack}. The assumption is checked byte by byte. The first one that does not fit makes the lane
 * give up: the window and the memo are put back to where the event began, and {@link PickleMachine}, which knows everything,
 * reads it again. So the lane can be left out, and the result is the same, only later.
 */
final class EventLane {
    /** An event is tried only if this much of it is certain to be in the window: some 700 frames, at up to five bytes each. */
    private static final int ROOM = 4096;
    /** Room for one field other than the stack, of which a short string is the longest. */
    private static final int FIELD = 512;
    /** Frames that fit into {@link #ROOM}, at two bytes each. */
    private static final int MOST_FRAMES = ROOM / 2;

    private static final int GAVE_UP = -1;
    private static final byte MEMOIZE = (byte) 0x94;
    private static final byte LONG1 = (byte) 0x8a;
    private static final byte TUPLE2 = (byte) 0x86;
    private static final byte SHORT_BINUNICODE = (byte) 0x8c;

    private final ByteWindow in;
    private final Assembler assembler;
    private final SnapshotColumns columns;
    private final Memo memo;
    private final long[] fields = new long[Vocabulary.KEY_END];
    private final byte[] kinds = new byte[Vocabulary.KEY_END];
    private final int[] frames = new int[MOST_FRAMES];
    /** The last short string: its bytes with its length in front, and its number. */
    private long lastText;

    private int lastString;
    private byte[] bytes;
    private int at;
    /** Where the lane gives up, so that nothing is read beyond the window. */
    private int end;

    EventLane(ByteWindow in, Assembler assembler) {
        this.in = in;
        this.assembler = assembler;
        this.columns = assembler.columns;
        this.memo = assembler.memo;
        this.bytes = in.bytes;
        for (int key : new int[] {ADDR, DEVICE_FREE, SIZE, STREAM, TIME_US}) {
            kinds[key] = ValueStack.INT;
        }
        for (int key : new int[] {ACTION, COMPILE_CONTEXT, USER_METADATA}) {
            kinds[key] = ValueStack.STRING;
        }
        kinds[POOL_ID] = ValueStack.PAIR;
        kinds[FRAMES] = ValueStack.STACK;
    }

    /**
     * Reads as many events as there are in this shape, the first of which begins one byte before where the window stands. They are
     * left on the stack as one run; if there is not even one, nothing has changed.
     */
    boolean read() throws ReadException {
        bytes = in.bytes;
        at = in.at - 1;
        int first = columns.events.size();
        int start = at;
        while (start + ROOM < in.low && bytes[start] == '}') {
            int remembered = memo.size();
            end = start + ROOM - FIELD;
            if (!readEvent()) {
                memo.shrink(remembered);
                break;
            }
            start = at;
        }
        int count = columns.events.size() - first;
        if (count > 0) {
            in.at = start;
            assembler.stack.push(ValueStack.EVENTS, ValueStack.run(first, count));
            assembler.joinRun(assembler.stack.depth - 1);
        }
        return count > 0;
    }

    private boolean readEvent() throws ReadException {
        if (bytes[at + 1] != MEMOIZE || bytes[at + 2] != '(') {
            return false;
        }
        at += 3;
        memo.add(ValueStack.OTHER, 0);
        long seen = 0;
        while (bytes[at] != 'u') {
            int key = reference(ValueStack.STRING);
            if (key <= 0 || key >= kinds.length || at > end || !readValue(key)) {
                return false;
            }
            seen |= 1L << key;
        }
        at++;
        return addEvent(seen);
    }

    private boolean addEvent(long seen) throws ReadException {
        long needed = 1L << ACTION | 1L << SIZE;
        Action action = Vocabulary.action(fields[ACTION]);
        if ((seen & needed) != needed || action == Action.UNKNOWN || action == Action.OOM) {
            return false;
        }
        if (!assembler.rows.sizes.isPossible(fields[SIZE])) {
            return false;
        }
        assembler.rows.noteEventKeys(seen);
        columns.events.add(
                action,
                value(seen, ADDR),
                assembler.rows.sizes.take(fields[SIZE]),
                value(seen, TIME_US),
                value(seen, STREAM),
                (int) value(seen, FRAMES),
                (int) value(seen, POOL_ID),
                (int) value(seen, COMPILE_CONTEXT),
                (int) value(seen, USER_METADATA));
        return true;
    }

    private long value(long seen, int key) {
        return (seen >>> key & 1) == 0 ? 0 : fields[key];
    }

    private boolean readValue(int key) throws ReadException {
        byte kind = kinds[key];
        return switch (kind) {
            case ValueStack.INT -> readInt(key);
            case ValueStack.STRING -> readString(key);
            case ValueStack.STACK -> readStack(key);
            case ValueStack.PAIR -> readPool(key);
            default -> false;
        };
    }

    private boolean readInt(int key) {
        switch (bytes[at]) {
            case 'K' -> fields[key] = bytes[at + 1] & 0xff;
            case 'M' -> fields[key] = LittleEndian.getInt(bytes, at + 1) & 0xffff;
            case 'J' -> fields[key] = LittleEndian.getInt(bytes, at + 1);
            case LONG1 -> {
                return readLong(key);
            }
            default -> {
                return false;
            }
        }
        at += bytes[at] == 'K' ? 2 : bytes[at] == 'M' ? 3 : 5;
        return true;
    }

    private boolean readLong(int key) {
        int length = bytes[at + 1];
        if (length <= 0 || length > Long.BYTES) {
            return false;
        }
        int unused = Long.SIZE - 8 * length;
        fields[key] = LittleEndian.getLong(bytes, at + 2) << unused >> unused;
        at += 2 + length;
        return true;
    }

    private boolean readString(int key) throws ReadException {
        if (bytes[at] != SHORT_BINUNICODE) {
            int string = reference(ValueStack.STRING);
            fields[key] = string;
            return string != GAVE_UP;
        }
        int length = bytes[at + 1] & 0xff;
        int after = at + 2 + length;
        if (bytes[after] != MEMOIZE) {
            return false;
        }
        fields[key] = string(length);
        memo.add(ValueStack.STRING, fields[key]);
        at = after + 1;
        return true;
    }

    /** The number of the string that stands here; most often it is the one that stood in the event before. */
    private int string(int length) throws ReadException {
        if (length >= Long.BYTES) {
            return columns.strings.intern(bytes, at + 2, length);
        }
        long ofString = -1L >>> (Long.SIZE - 8 * (length + 1));
        long text = (LittleEndian.getLong(bytes, at + 2) << 8 | length) & ofString;
        if (text != lastText) {
            lastString = columns.strings.intern(bytes, at + 2, length);
            lastText = text;
        }
        return lastString;
    }

    private boolean readPool(int key) throws ReadException {
        if (bytes[at] != 'K' || bytes[at + 2] != 'K' || bytes[at + 4] != TUPLE2 || bytes[at + 5] != MEMOIZE) {
            return false;
        }
        fields[key] = columns.pools.intern(bytes[at + 1] & 0xff, bytes[at + 3] & 0xff);
        memo.add(ValueStack.PAIR, fields[key]);
        at += 6;
        return true;
    }

    private boolean readStack(int key) throws ReadException {
        if (bytes[at] != ']') {
            return readKnownStack(key);
        }
        if (bytes[at + 1] != MEMOIZE) {
            return false;
        }
        at += 2;
        return bytes[at] == '(' ? readNewStack(key) : rememberEmptyStack(key);
    }

    /** An empty list is followed by the end of the event, else by the first of its frames, which is not for the lane. */
    private boolean rememberEmptyStack(int key) throws ReadException {
        fields[key] = StackTable.NONE;
        memo.add(ValueStack.LIST, 0);
        return bytes[at] == 'u';
    }

    private boolean readNewStack(int key) throws ReadException {
        at++;
        int depth = 0;
        while (bytes[at] != 'e') {
            int frame = at < end ? reference(ValueStack.FRAME) : GAVE_UP;
            if (frame == GAVE_UP) {
                return false;
            }
            frames[depth++] = frame;
        }
        at++;
        fields[key] = columns.stacks.intern(frames, depth);
        memo.add(ValueStack.STACK, fields[key]);
        return true;
    }

    /** Frees repeat the stack of their allocation, or share one empty list. */
    private boolean readKnownStack(int key) {
        int entry = entry();
        boolean isStack = entry != Memo.UNSET && Memo.kind(entry) == ValueStack.STACK;
        fields[key] = isStack ? Memo.number(entry) : StackTable.NONE;
        return isStack || (entry != Memo.UNSET && Memo.kind(entry) == ValueStack.LIST);
    }

    /** The number of what is referred to, if it is of a kind; else it gives up. */
    private int reference(byte kind) {
        int entry = entry();
        return entry != Memo.UNSET && Memo.kind(entry) == kind ? Memo.number(entry) : GAVE_UP;
    }

    /** Reads a reference and returns the memo's entry for it; {@link Memo#UNSET} where none stands here. */
    private int entry() {
        int index = -1;
        if (bytes[at] == 'j') {
            index = LittleEndian.getInt(bytes, at + 1);
            at += 5;
        } else if (bytes[at] == 'h') {
            index = bytes[at + 1] & 0xff;
            at += 2;
        }
        return index < 0 ? Memo.UNSET : memo.get(index);
    }
}
