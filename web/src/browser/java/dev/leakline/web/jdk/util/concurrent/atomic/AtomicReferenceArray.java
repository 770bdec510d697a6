package dev.leakline.web.jdk.util.concurrent.atomic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code java.util.concurrent.atomic.AtomicReferenceArray} where there is one thread. */
public final class AtomicReferenceArray<T extends @Nullable Object> {
    private final List<@Nullable T> values;

    public AtomicReferenceArray(int length) {
        values = new ArrayList<>(Collections.nCopies(length, null));
    }

    public int length() {
        return values.size();
    }

    public @Nullable T get(int index) {
        return values.get(index);
    }

    public void set(int index, T value) {
        values.set(index, value);
    }

    public @Nullable T getAndSet(int index, @Nullable T value) {
        return values.set(index, value);
    }

    public @Nullable T accumulateAndGet(int index, T value, BinaryOperator<@Nullable T> operator) {
        set(index, operator.apply(get(index), value));
        return get(index);
    }

    @SuppressWarnings("ReferenceEquality") // as the JDK says
    public boolean compareAndSet(int index, @Nullable T expected, T value) {
        if (values.get(index) != expected) {
            return false;
        }
        values.set(index, value);
        return true;
    }
}
