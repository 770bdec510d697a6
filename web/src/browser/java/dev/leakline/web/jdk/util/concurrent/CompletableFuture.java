package dev.leakline.web.jdk.util.concurrent;

import java.util.function.Supplier;

/** {@code java.util.concurrent.CompletableFuture} where there is one thread: done before it is asked for. */
public final class CompletableFuture<T> {
    private final T value;

    private CompletableFuture(T value) {
        this.value = value;
    }

    public static <T> CompletableFuture<T> supplyAsync(Supplier<T> supplier) {
        return new CompletableFuture<>(supplier.get());
    }

    public T join() {
        return value;
    }
}
