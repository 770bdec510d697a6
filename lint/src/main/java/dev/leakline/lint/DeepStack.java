package dev.leakline.lint;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** Work on a stack that is deep enough for nested code: deep nesting is deep recursion. */
public final class DeepStack {
    private static final long BYTES = 512L << 20;

    private DeepStack() {}

    /** A thread of that depth. */
    public static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "lint", BYTES);
        thread.setDaemon(true);
        return thread;
    }

    /** The result of work; {@code otherwise} where code is nested too deeply even so, or this thread is interrupted. */
    static <T> T call(Supplier<T> work, T otherwise) {
        FutureTask<T> task = new FutureTask<>(work::get);
        thread(task).start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StackOverflowError) {
                return otherwise;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
