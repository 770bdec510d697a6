package dev.leakline.testkit.snapshot;

/** Kinds of events of which {@code torch.cuda.memory._record_memory_history(context=...)} keeps stacks. */
public enum Context {
    /** Nothing. */
    NONE,
    /** Live blocks. */
    STATE,
    /** Also events; a free has the stack of its allocation. */
    ALLOC,
    /** Also events; a free has the stack of the free. PyTorch's default. */
    ALL;

    boolean includes(Context least) {
        return compareTo(least) >= 0;
    }
}
