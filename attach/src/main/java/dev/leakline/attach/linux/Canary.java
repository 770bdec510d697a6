package dev.leakline.attach.linux;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that does nothing and stands beside a job. Service managers send a signal to all processes of a service, terminals and
 * {@code timeout} to all of a group, others to the first one alone, and nothing tells the receiver which it was. If the signal has ended
 * this process as well, everybody got it, the job too.
 */
final class Canary implements AutoCloseable {
    /** Whoever sends a signal to many does so in a loop over them; a job that is asked to end has seconds to do so. */
    private static final int WAIT_MILLIS = 250;

    private @Nullable Process process = start();

    /** It reads what nobody writes, and so ends with this program however that ends. */
    private static @Nullable Process start() {
        try {
            return new ProcessBuilder("cat")
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return null; // Then every signal is taken to be meant for this program alone.
        }
    }

    /** Returns whether a signal that has just come was sent to all. */
    synchronized boolean isHit() {
        try {
            if (process == null || !process.waitFor(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        process = start();
        return true;
    }

    @Override
    public synchronized void close() {
        if (process != null) {
            process.destroyForcibly();
            process = null;
        }
    }
}
