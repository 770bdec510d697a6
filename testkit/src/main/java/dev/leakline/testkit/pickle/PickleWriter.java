package dev.leakline.testkit.pickle;

import dev.leakline.testkit.pickle.Container.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pickler of CPython (its C implementation), protocols 0 to 5: same values, same bytes.
 *
 * <p>Dicts and lists enter the memo before their contents, tuples and strings after. From protocol 1 on items are added
 * in batches of {@value #BATCH}, each opened by a MARK, except that a container of one item has no MARK; protocol 0 adds
 * each item by itself. A dict whose size is a multiple of the batch is closed by an empty batch.
 */
public final class PickleWriter extends AbstractPickleWriter {
    private static final int BATCH = 1000;
    private static final int SHORT_TUPLE = 3;
    private static final int LAST_SINGLETON = 0xff;

    private final int protocol;
    private final Map<String, Integer> symbols = new HashMap<>();

    private PickleWriter(FrameBuffer out, int protocol) {
        super(out, protocol == 0 ? new TextScalars(out) : new BinaryScalars(out, protocol));
        this.protocol = protocol;
    }

    /** Begins a pickle. */
    public static PickleWriter open(OutputStream file, int protocol) {
        FrameBuffer out = new FrameBuffer(file);
        if (protocol >= 2) {
            out.write(Op.PROTO);
            out.write(protocol);
        }
        out.framing(protocol >= 4);
        return new PickleWriter(out, protocol);
    }

    @Override
    public void beginDict(int size) throws IOException {
        Container dict = enter(Kind.DICT, size);
        empty(Op.EMPTY_DICT, Op.DICT);
        memoise(dict.handle);
    }

    @Override
    public void beginList(int size) throws IOException {
        Container list = enter(Kind.LIST, size);
        empty(Op.EMPTY_LIST, Op.LIST);
        memoise(list.handle);
    }

    @Override
    public void beginTuple(int size) throws IOException {
        enter(Kind.TUPLE, size);
        if (size > 0 && !isShort(size)) {
            out.write(Op.MARK);
        }
    }

    @Override
    public void endDict() {
        Container dict = closing(Kind.DICT);
        if (inBatches(dict) && dict.written > 0) {
            beforeItem(dict);
            out.write(Op.SETITEMS);
        }
        leave();
    }

    @Override
    public void endList() {
        Container list = closing(Kind.LIST);
        if (inBatches(list) && list.batched > 0) {
            out.write(Op.APPENDS);
        }
        leave();
    }

    @Override
    public void endTuple() {
        Container tuple = closing(Kind.TUPLE);
        if (tuple.size == 0) {
            empty(Op.EMPTY_TUPLE, Op.TUPLE);
        } else {
            out.write(isShort(tuple.size) ? Op.TUPLE1 + tuple.size - 1 : Op.TUPLE);
            memoise(tuple.handle);
        }
        leave();
    }

    @Override
    void beforeItem(Container parent) {
        if (parent.batched == 0 && inBatches(parent)) {
            out.write(Op.MARK);
        }
    }

    @Override
    void afterItem(Container parent) {
        boolean full = parent.fills(BATCH);
        boolean dict = parent.kind == Kind.DICT;
        if (full && inBatches(parent)) {
            out.write(dict ? Op.SETITEMS : Op.APPENDS);
        } else if (addsSingly(parent)) {
            out.write(dict ? Op.SETITEM : Op.APPEND);
        }
    }

    /** Python keeps one object each for the empty string and for every string of one Latin-1 character. */
    @Override
    void string(String text, @Nullable Handle handle, boolean distinct) throws IOException {
        boolean singleton = text.isEmpty() || (text.length() == 1 && text.charAt(0) <= LAST_SINGLETON);
        if (distinct && !singleton) {
            scalars.text(text);
            memoise(handle);
        } else {
            symbolic(text, handle);
        }
    }

    private void symbolic(String text, @Nullable Handle handle) throws IOException {
        Integer index = symbols.get(text);
        if (index == null) {
            scalars.text(text);
            symbols.put(text, memoise(handle));
        } else {
            scalars.get(index);
            rebind(handle, index);
        }
    }

    private void empty(int binary, int text) {
        if (protocol == 0) {
            out.write(Op.MARK);
            out.write(text);
        } else {
            out.write(binary);
        }
    }

    private boolean isShort(int size) {
        return protocol >= 2 && size <= SHORT_TUPLE;
    }

    private boolean inBatches(Container container) {
        return container.kind != Kind.TUPLE && !addsSingly(container);
    }

    private boolean addsSingly(Container container) {
        return container.kind != Kind.TUPLE && (protocol == 0 || container.size == 1);
    }
}
