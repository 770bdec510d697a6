package dev.leakline.testkit.pickle;

import org.jspecify.annotations.Nullable;

/** A dict, list or tuple that is being written. */
final class Container {
    /** Kinds of containers, by which they are closed. */
    enum Kind {
        DICT,
        LIST,
        TUPLE
    }

    final Kind kind;
    final int size;
    final @Nullable Handle handle;
    int written;
    /** Items since the last batch was full. */
    int batched;

    Container(Kind kind, int size, @Nullable Handle handle) {
        this.kind = kind;
        this.size = size;
        this.handle = handle;
    }

    /** Counts an item; says whether it fills a batch of that many. */
    boolean fills(int batch) {
        written++;
        batched++;
        boolean full = batched == batch;
        if (full) {
            batched = 0;
        }
        return full;
    }
}
