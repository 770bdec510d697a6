package dev.leakline.lint;

import java.util.function.Supplier;

/** Work on the stack that a browser's worker has. */
public final class DeepStack {
    private DeepStack() {}

    /** A thread. */
    public static Thread thread(Runnable work) {
        return new Thread(work);
    }

    static <T> T call(Supplier<T> work, T otherwise) {
        try {
            return work.get();
        } catch (StackOverflowError e) {
            return otherwise;
        }
    }
}
