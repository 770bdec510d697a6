package dev.leakline.read.snapshot;

import static dev.leakline.read.snapshot.ValueStack.DICT;
import static dev.leakline.read.snapshot.ValueStack.INT;
import static dev.leakline.read.snapshot.ValueStack.MAP;
import static dev.leakline.read.snapshot.ValueStack.OTHER;
import static dev.leakline.read.snapshot.ValueStack.PAIR;
import static dev.leakline.read.snapshot.ValueStack.PENDING;
import static dev.leakline.read.snapshot.ValueStack.STRING;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns containers into rows the moment they are complete, so that no object graph is ever built.
 *
 * <p>Both pickle and JSON say a container's contents before they end it. When it ends, its contents are the topmost values of the
 * {@link ValueStack}, and each of them has been reduced to a single value before. So a dictionary is recognised by its keys
 * alone: one with an {@code action} becomes a row of events, one with a {@code filename} a frame, and what is left on the stack is the
 * row's number. A list is recognised by what stands in it: frames make it a stack, rows make it a range of rows. Nothing needs to
 * know where in the file it is, and the order in which a writer puts things does not matter.
 *
 * <p>The assumption is that rows of one list are written one after another, which every serialiser of a tree does. A file that
 * mixes the rows of two lists is refused.
 */
final class Assembler {
    /** A value of the top level that is not a scalar: a kind and its content. */
    record Part(byte kind, long value) {}

    private final ReadLimits limits;
    final SnapshotColumns columns = new SnapshotColumns();
    final ValueStack stack;
    final Memo memo = new Memo();
    private final EntryList entries;
    final Rows rows;
    private final RowRanges ranges = new RowRanges();
    private final ListRows lists;
    private final List<PendingDict> pendings = new ArrayList<>();
    private final IntArrayList freePendings = new IntArrayList();
    private final List<Map<String, Object>> maps = new ArrayList<>();
    private int mapEntries;

    Assembler(ReadLimits limits) {
        this.limits = limits;
        this.stack = new ValueStack(limits);
        Vocabulary.intern(columns.strings);
        this.entries = new EntryList(stack, columns);
        this.rows = new Rows(columns, entries, ranges, limits);
        this.lists = new ListRows(stack, columns, ranges, limits);
    }

    /** Puts the keys and values above {@code mark} into the dictionary just below it. */
    void setItems(int mark) throws ReadException {
        int dict = containerBelow(mark);
        if ((stack.depth - mark & 1) != 0) {
            throw damaged("a dictionary has a key without a value");
        }
        sealItems(mark + 1, 2);
        if (stack.kinds[dict] == DICT) {
            reduce(dict, mark);
        } else {
            addEntries(dict, mark);
        }
    }

    /** Puts the topmost two values, a key and its value, into the dictionary below them. */
    void setItem() throws ReadException {
        int key = stack.require(3) + 1;
        sealItems(key + 1, 2);
        if (stack.kinds[key - 1] == DICT) {
            stack.kinds[key - 1] = PENDING;
            stack.values[key - 1] = newPending();
            remember(key - 1);
        }
        addEntries(key - 1, key);
    }

    private int newPending() {
        if (!freePendings.isEmpty()) {
            return freePendings.removeLast();
        }
        pendings.add(new PendingDict());
        return pendings.size() - 1;
    }

    private void addEntries(int dict, int from) throws ReadException {
        switch (stack.kinds[dict]) {
            case PENDING -> pendings.get((int) stack.values[dict]).add(stack, from);
            case MAP -> putAll(maps.get((int) stack.values[dict]), from);
            case OTHER -> columns.counters.count("entry of something that is not a dictionary");
            default -> throw damaged("an entry is added to something that is not a dictionary, or to a complete row");
        }
        stack.depth = from;
    }

    /** Makes rows of the items from {@code from} on, in steps of {@code step}, that are still filled entry by entry. */
    private void sealItems(int from, int step) throws ReadException {
        for (int i = from; i < stack.depth; i += step) {
            if (stack.kinds[i] == PENDING) {
                seal(i);
            }
        }
    }

    private void seal(int item) throws ReadException {
        int id = (int) stack.values[item];
        PendingDict pending = pendings.get(id);
        int top = stack.depth;
        for (int i = 0; i < pending.kinds.size(); i++) {
            stack.push(pending.kinds.get(i), pending.values.get(i));
        }
        entries.index(top);
        become(item, top);
        remember(item);
        stack.depth = top;
        pending.clear();
        freePendings.add(id);
    }

    private void reduce(int dict, int from) throws ReadException {
        entries.index(from);
        become(dict, from);
        stack.depth = from;
        if (ValueStack.isRows(stack.kinds[dict])) {
            joinRun(dict);
        } else {
            remember(dict);
        }
    }

    /** Makes the item at {@code dict} what its indexed entries say it is. */
    private void become(int dict, int from) throws ReadException {
        byte kind = rows.kind();
        stack.kinds[dict] = kind;
        stack.values[dict] = kind == MAP ? newMap(from) : rows.add(kind);
    }

    /** A row that follows the rows of the item below joins them, so that a list waits as one item however long it is. */
    void joinRun(int item) {
        int below = item - 1;
        if (below >= 0 && stack.kinds[below] == stack.kinds[item]) {
            long run = stack.values[below];
            if (ValueStack.runFirst(run) + ValueStack.runCount(run) == ValueStack.runFirst(stack.values[item])) {
                stack.values[below] = run + ValueStack.runCount(stack.values[item]);
                stack.depth = item;
            }
        }
    }

    private long newMap(int from) throws ReadException {
        Map<String, Object> map = new LinkedHashMap<>();
        putAll(map, from);
        maps.add(map);
        return maps.size() - 1L;
    }

    private void putAll(Map<String, Object> map, int from) throws ReadException {
        mapEntries += 1 + (stack.depth - from) / 2;
        if (mapEntries > limits.settings()) {
            throw new ReadException(
                    Code.LIMIT, -1, "more than " + limits.settings() + " entries that do not belong to a snapshot");
        }
        for (int i = from; i < stack.depth; i += 2) {
            if (stack.kinds[i] == STRING) {
                map.put(columns.strings.get((int) stack.values[i]), part(i + 1));
            } else {
                columns.counters.count("a key that is not a string");
            }
        }
    }

    private Object part(int item) {
        long value = stack.values[item];
        return switch (stack.kinds[item]) {
            case INT -> value;
            case ValueStack.FLOAT -> Double.longBitsToDouble(value);
            case ValueStack.BOOL -> value != 0;
            case STRING -> columns.strings.get((int) value);
            case MAP -> maps.get((int) value);
            case DICT -> Map.of();
            default -> new Part(stack.kinds[item], value);
        };
    }

    /** Puts the values above {@code mark} into the list just below it. */
    void appends(int mark) throws ReadException {
        int list = containerBelow(mark);
        if (stack.depth > mark) {
            sealItems(mark, 1);
            lists.extend(list, mark);
            remember(list);
        }
        stack.depth = mark;
    }

    /** Puts the topmost value into the list below it. */
    void append() throws ReadException {
        appends(stack.require(2) + 1);
    }

    /** Replaces the topmost {@code count} values by a tuple; a pair of integers is a pool, others are not used. */
    void tuple(int count) throws ReadException {
        int from = stack.require(count);
        boolean isPair = count == 2 && stack.kinds[from] == INT && stack.kinds[from + 1] == INT;
        long pool = isPair ? columns.pools.intern(stack.values[from], stack.values[from + 1]) : 0;
        stack.depth = from;
        stack.push(isPair ? PAIR : OTHER, pool);
    }

    /** The columns; the stack must hold the one value that the file is. */
    SnapshotColumns finish() throws ReadException {
        if (stack.depth != 1 || stack.hasMark()) {
            throw damaged("it ends with " + stack.depth + " values instead of one");
        }
        sealItems(0, 1);
        Map<String, Object> root = stack.kinds[0] == MAP
                ? maps.get((int) stack.values[0])
                : Map.of("segments", new Part(stack.kinds[0], stack.values[0]));
        new TopLevel(columns, ranges, lists.traces(), limits).take(root, stack.kinds[0] != MAP);
        rows.flush();
        return columns;
    }

    /** Events and blocks so far. */
    int rowsRead() {
        return columns.events.size() + columns.blocks.size();
    }

    private int containerBelow(int mark) throws ReadException {
        if (mark < 1) {
            throw damaged("contents outside of any container");
        }
        return mark - 1;
    }

    /** Corrects what the memo says about an item that has become something else. */
    private void remember(int item) throws ReadException {
        if (stack.memos[item] != ValueStack.UNREMEMBERED) {
            memo.put(stack.memos[item], stack.kinds[item], stack.values[item]);
        }
    }

    private static ReadException damaged(String what) {
        return new ReadException(Code.DAMAGED, -1, what);
    }

    /** The entries so far of a dictionary that is filled one entry at a time, keys and values in turn. */
    private static final class PendingDict {
        final ByteArrayList kinds = new ByteArrayList();
        final LongArrayList values = new LongArrayList();

        /** Takes over the values of a stack from {@code from} to its top. */
        void add(ValueStack stack, int from) {
            for (int i = from; i < stack.depth; i++) {
                kinds.add(stack.kinds[i]);
                values.add(stack.values[i]);
            }
        }

        /** Forgets all entries, so that the object can be used again. */
        void clear() {
            kinds.elementsCount = 0;
            values.elementsCount = 0;
        }
    }
}
