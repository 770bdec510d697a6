package dev.leakline.testkit.pickle;

import dev.leakline.testkit.pickle.Container.Kind;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Common parts of Python's pickler and PyTorch's: nesting, scalars, and the memo's numbering. */
abstract class AbstractPickleWriter implements ValueStream {
    final FrameBuffer out;
    final Scalars scalars;
    private final Deque<Container> open = new ArrayDeque<>();
    private @Nullable Handle pending;
    private int memoised;

    AbstractPickleWriter(FrameBuffer out, Scalars scalars) {
        this.out = out;
        this.scalars = scalars;
    }

    /** Before a value of {@code parent}, or before a key where the parent is a dict. */
    abstract void beforeItem(Container parent);

    /** After a value of {@code parent}, which is to count it. */
    abstract void afterItem(Container parent);

    /** Writes a string, as an object of its own if {@code distinct}, and binds the handle that stands for it. */
    abstract void string(String text, @Nullable Handle handle, boolean distinct) throws IOException;

    @Override
    public void key(String name) throws IOException {
        beforeItem(innermost());
        out.boundary();
        string(name, null, false);
    }

    @Override
    public void key(String name, Handle identity) throws IOException {
        beforeItem(innermost());
        out.boundary();
        int index = identity.indexIn(this);
        if (index < 0) {
            string(name, identity, true);
        } else {
            scalars.get(index);
        }
    }

    @Override
    public void text(String text) throws IOException {
        Handle handle = beginValue();
        string(text, handle, true);
        endValue();
    }

    @Override
    public void symbol(String text) throws IOException {
        Handle handle = beginValue();
        string(text, handle, false);
        endValue();
    }

    @Override
    public void number(long value) throws IOException {
        beginValue();
        scalars.number(value);
        endValue();
    }

    @Override
    public void number(BigInteger value) throws IOException {
        beginValue();
        scalars.number(value);
        endValue();
    }

    @Override
    public void number(double value) throws IOException {
        beginValue();
        scalars.number(value);
        endValue();
    }

    @Override
    public void bool(boolean value) throws IOException {
        beginValue();
        scalars.bool(value);
        endValue();
    }

    @Override
    public void none() throws IOException {
        beginValue();
        scalars.none();
        endValue();
    }

    @Override
    public boolean refer(Handle handle) throws IOException {
        int index = handle.indexIn(this);
        if (index < 0) {
            pending = handle;
            return false;
        }
        beginValue();
        scalars.get(index);
        endValue();
        return true;
    }

    @Override
    public void close() throws IOException {
        if (!open.isEmpty()) {
            throw new IllegalStateException(open.size() + " containers are still open");
        }
        out.write(Op.STOP);
        out.close();
    }

    /** Enters a container; the handle that waits for a value becomes its handle. */
    final Container enter(Kind kind, int size) throws IOException {
        Container entered = new Container(kind, size, beginValue());
        open.push(entered);
        return entered;
    }

    /** The container that ends here, still open. */
    final Container closing(Kind kind) {
        Container innermost = innermost();
        if (innermost.kind != kind) {
            throw new IllegalStateException("the innermost container is a " + innermost.kind + ", not a " + kind);
        }
        if (innermost.size != UNKNOWN && innermost.size != innermost.written) {
            throw new IllegalStateException("announced " + innermost.size + " items, got " + innermost.written);
        }
        return innermost;
    }

    final void leave() {
        open.pop();
        endValue();
    }

    /** Stores the value written last in the memo. */
    final int memoise(@Nullable Handle handle) {
        scalars.put(memoised);
        rebind(handle, memoised);
        return memoised++;
    }

    /** Lets the handle, if there is one, stand for what the memo holds at an index. */
    final void rebind(@Nullable Handle handle, int index) {
        if (handle != null) {
            handle.bind(this, index);
        }
    }

    private @Nullable Handle beginValue() throws IOException {
        Container parent = open.peek();
        if (parent != null && parent.kind != Kind.DICT) {
            beforeItem(parent);
        }
        out.boundary();
        Handle handle = pending;
        pending = null;
        return handle;
    }

    private void endValue() {
        Container parent = open.peek();
        if (parent != null) {
            afterItem(parent);
        }
    }

    private Container innermost() {
        Container innermost = open.peek();
        if (innermost == null) {
            throw new IllegalStateException("no container is open");
        }
        return innermost;
    }
}
