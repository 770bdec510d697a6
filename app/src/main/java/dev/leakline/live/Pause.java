package dev.leakline.live;

import java.io.InterruptedIOException;
import java.time.Duration;

/** Waits a little. */
final class Pause {
    private Pause() {}

    static void of(Duration time) throws InterruptedIOException {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
