package org.teavm.classlib.java.util.stream.impl;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** A stream without what came before; TeaVM's forgets that between two steps, as before and after {@code skip}. */
public class TDistinctStreamImpl<T> extends TWrappingStreamImpl<T, T> {
    private final Set<T> visited = new HashSet<>();

    public TDistinctStreamImpl(TSimpleStreamImpl<T> source) {
        super(source);
    }

    @Override
    protected Predicate<T> wrap(Predicate<? super T> consumer) {
        return value -> !visited.add(value) || consumer.test(value);
    }
}
