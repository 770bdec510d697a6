package dev.leakline.objects;

/** Kinds of references in a holder dump, in the order of its numbers. */
public enum ReferenceKind {
    /** Nobody knows. */
    UNKNOWN,
    /** An attribute, by its name. */
    ATTRIBUTE,
    /** A dictionary's entry under a text. */
    TEXT_KEY,
    /** A dictionary's entry under anything else. */
    OTHER_KEY,
    /** An item of a sequence. */
    INDEX,
    /** A local variable. */
    LOCAL,
    /** A variable that a function closes over. */
    CLOSURE,
    /** The default of an argument. */
    DEFAULT,
    /** A reference of PyTorch's autograd, which Python's collector does not see. */
    AUTOGRAD,
    /** Glue that people do not name: a {@code __dict__}, the contents of a cell. */
    INTERNAL,
    /** From a tensor, or from a storage's object, to the device memory. */
    MEMORY;

    private static final ReferenceKind[] ALL = values();

    /** The kind of a number from a dump; what later versions may add is {@link #UNKNOWN}. */
    public static ReferenceKind of(int number) {
        return number < 0 || number >= MEMORY.number() ? UNKNOWN : ALL[number];
    }

    /** The number of a kind in dumps, and in columns. */
    @SuppressWarnings("EnumOrdinal") // the order of the constants is the format's
    public int number() {
        return ordinal();
    }
}
