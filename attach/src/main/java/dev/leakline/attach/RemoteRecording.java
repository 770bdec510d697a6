package dev.leakline.attach;

import dev.leakline.attach.Attach.Options;
import dev.leakline.attach.Attach.Task;
import dev.leakline.attach.Attach.Visit;
import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Signals;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Has a job that runs record what it allocates for a while: one visit switches PyTorch's memory history on, a second one has it write the
 * snapshot, switches it off, and dumps who holds each tensor. Between the two the job only pays for the recording. A job that recorded
 * before goes on recording afterwards. Being asked to end, as by Ctrl-C, ends the recording early: nobody's job goes on recording for
 * nobody.
 */
public final class RemoteRecording {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private final int pid;
    private final Attach attach;
    private final long entries;
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean wasRecording;

    private RemoteRecording(int pid, long entries, Attach attach) {
        this.pid = pid;
        this.entries = entries;
        this.attach = attach;
    }

    /**
     * Records a process.
     *
     * @param pid the number of the process, as this program sees it
     * @param length for how long
     * @param entries how many allocations and frees to keep, the last ones
     * @param options how it is visited
     * @param progress is told in words what takes time
     * @throws LiveException where that is not possible, with the reason and the remedy
     */
    public static Visit of(int pid, Duration length, long entries, Options options, Consumer<String> progress)
            throws IOException {
        RemoteRecording recording = new RemoteRecording(pid, entries, new Attach(pid, options, progress));
        try (Signals.End _ = Signals.onEnd(recording.ended::countDown)) {
            recording.begin();
            progress.accept("process " + pid + " records its memory for " + length.toSeconds()
                    + " s; Ctrl-C ends the recording early");
            recording.await(length);
            return recording.finish();
        }
    }

    private void begin() throws IOException {
        attach.visit(new Task("record", entries, false));
        wasRecording = attach.foundRecording();
    }

    private void await(Duration length) throws IOException {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end && !isEnded()) {
            if (Permissions.isGone(pid)) {
                throw LiveException.gone(pid);
            }
        }
    }

    /** Returns whether somebody wants it to end, after waiting a little for that. */
    private boolean isEnded() throws IOException {
        try {
            return ended.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private Visit finish() throws IOException {
        return attach.visit(new Task("finish", entries, wasRecording));
    }
}
