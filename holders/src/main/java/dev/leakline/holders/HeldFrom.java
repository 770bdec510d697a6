package dev.leakline.holders;

/** Kinds of roots that hold a vertex, the best first; a vertex that one kind reaches is not searched from the next. */
enum HeldFrom {
    /** A name: a module's global, a class, a running call, what a thread keeps for itself; by references that Python knows. */
    NAME,
    /** A name, through the autograd graph or an optimizer. */
    GRAPH,
    /** An object of which Python counts more references than there are objects that refer to it. */
    NATIVE,
    /** A cycle that nothing outside refers to. */
    NOBODY,
    /** Something that the dump does not show. */
    UNSEEN;

    /** The place in the order of rounds. */
    @SuppressWarnings("EnumOrdinal") // the order of the constants is that of the rounds
    int number() {
        return ordinal();
    }
}
