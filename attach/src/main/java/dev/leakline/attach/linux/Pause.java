package dev.leakline.attach.linux;

import java.io.InterruptedIOException;
import java.time.Duration;

/** Waits a little. */
public final class Pause {
    private Pause() {}

    public static void of(Duration time) throws InterruptedIOException {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
