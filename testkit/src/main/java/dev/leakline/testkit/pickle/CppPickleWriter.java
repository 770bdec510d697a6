package dev.leakline.testkit.pickle;

import dev.leakline.testkit.pickle.Container.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pickler in PyTorch's C++ ({@code torch/csrc/jit/serialization/pickler.cpp}), which writes
 * {@code _memory_snapshot_pickled()}.
 *
 * <p>Strings are memoised by value. A container is memoised only under a handle, after its contents. All items of a
 * container form one batch, which is there even when it is empty.
 */
public final class CppPickleWriter extends AbstractPickleWriter {
    private static final int SHORT_TUPLE = 3;

    private final Map<String, Integer> strings = new HashMap<>();

    private CppPickleWriter(FrameBuffer out) {
        super(out, new CppScalars(out));
    }

    /** Begins a pickle. */
    public static CppPickleWriter open(OutputStream file) {
        FrameBuffer out = new FrameBuffer(file);
        out.write(Op.PROTO);
        out.write(2);
        return new CppPickleWriter(out);
    }

    @Override
    public void beginDict(int size) throws IOException {
        begin(Kind.DICT, size, Op.EMPTY_DICT);
    }

    @Override
    public void endDict() {
        end(Kind.DICT, Op.SETITEMS);
    }

    @Override
    public void beginList(int size) throws IOException {
        begin(Kind.LIST, size, Op.EMPTY_LIST);
    }

    @Override
    public void endList() {
        end(Kind.LIST, Op.APPENDS);
    }

    @Override
    public void beginTuple(int size) throws IOException {
        enter(Kind.TUPLE, size);
        if (size > SHORT_TUPLE) {
            out.write(Op.MARK);
        }
    }

    @Override
    public void endTuple() {
        int size = closing(Kind.TUPLE).size;
        boolean isShort = size > 0 && size <= SHORT_TUPLE;
        int longOrEmpty = size == 0 ? Op.EMPTY_TUPLE : Op.TUPLE;
        end(Kind.TUPLE, isShort ? Op.TUPLE1 + size - 1 : longOrEmpty);
    }

    @Override
    void beforeItem(Container parent) {}

    @Override
    void afterItem(Container parent) {
        parent.written++;
    }

    @Override
    void string(String text, @Nullable Handle handle, boolean distinct) throws IOException {
        Integer index = strings.get(text);
        if (index == null) {
            scalars.text(text);
            strings.put(text, memoise(handle));
        } else {
            scalars.get(index);
            rebind(handle, index);
        }
    }

    private void begin(Kind kind, int size, int opcode) throws IOException {
        enter(kind, size);
        out.write(opcode);
        out.write(Op.MARK);
    }

    private void end(Kind kind, int opcode) {
        Container ended = closing(kind);
        out.write(opcode);
        if (ended.handle != null) {
            memoise(ended.handle);
        }
        leave();
    }
}
