package dev.leakline.attach;

import dev.leakline.attach.linux.RemoteMemory;
import dev.leakline.attach.linux.StoppedThread;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Work that is done while the main thread of a process stands still.
 *
 * <p>It has a thread of its own, because Linux ties the traced to the tracing thread and lets go of what a thread traces when it ends,
 * so that nothing stays stopped whatever happens here. Ctrl-C in the midst of it would end this program between two steps, with the
 * other's registers not its own: so the end of this program waits for the end of the work.
 */
final class Stopped {
    private static final ReentrantLock AT_WORK = new ReentrantLock();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(AT_WORK::lock, "leakline-finish"));
    }

    /** Work to do with the stopped thread. */
    interface Work {
        void with(StoppedThread thread) throws IOException;
    }

    private Stopped() {}

    static void run(int pid, RemoteMemory memory, Work work) throws IOException {
        FutureTask<Void> task = new FutureTask<>(() -> {
            perform(pid, memory, work);
            return null;
        });
        Thread.ofPlatform().name("leakline-tracer").start(task);
        try {
            task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        }
    }

    private static void perform(int pid, RemoteMemory memory, Work work) throws IOException {
        AT_WORK.lock();
        try (StoppedThread thread = StoppedThread.stop(pid, memory)) {
            work.with(thread);
        } finally {
            AT_WORK.unlock();
        }
    }
}
