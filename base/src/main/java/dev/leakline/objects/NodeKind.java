package dev.leakline.objects;

/** Kinds of objects in a holder dump, in the order of its numbers. */
public enum NodeKind {
    /** Any object that is nothing else. */
    OBJECT,
    /** A module, or its {@code __dict__}. */
    MODULE,
    /** A class. */
    CLASS,
    /** The frame of a call that runs. */
    RUNNING_FRAME,
    /** The frame of a generator or a coroutine that waits. */
    SUSPENDED_FRAME,
    /** The frame of a call that is over, kept by a traceback. */
    FINISHED_FRAME,
    /** A function, a method, or what stands for one. */
    FUNCTION,
    /** A tensor. */
    TENSOR,
    /** The Python object of a storage. */
    STORAGE_OBJECT,
    /** A node of the autograd graph. */
    AUTOGRAD,
    /** A dictionary. */
    DICT,
    /** A list. */
    LIST,
    /** A tuple. */
    TUPLE,
    /** A set. */
    SET,
    /** The cell of a closure's variable. */
    CELL,
    /** Another container. */
    CONTAINER,
    /** An instance of {@code torch.nn.Module}. */
    NN_MODULE,
    /** An optimizer. */
    OPTIMIZER,
    /** Data of one thread or one context. */
    THREAD_LOCAL,
    /** An exception or a traceback. */
    EXCEPTION,
    /** The device memory itself, which is no object: a row of the storages. */
    STORAGE;

    private static final NodeKind[] ALL = values();

    /** The kind of a number from a dump; what later versions may add is an {@link #OBJECT}. */
    public static NodeKind of(int number) {
        return number < 0 || number >= STORAGE.number() ? OBJECT : ALL[number];
    }

    /** The number of a kind in dumps, and in columns. */
    @SuppressWarnings("EnumOrdinal") // the order of the constants is the format's
    public int number() {
        return ordinal();
    }

    /** Returns whether dumps begin here: what holds these is not asked. */
    public boolean isRoot() {
        return this == MODULE || this == CLASS || this == RUNNING_FRAME;
    }

    /** Returns whether people see it as a box of items. */
    public boolean isContainer() {
        return this == DICT || this == LIST || this == TUPLE || this == SET || this == CONTAINER;
    }
}
