package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;

import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.testkit.snapshot.event.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Calls of functions, of which a profiler noted the memory before, at the peak and after, as a recording in which memory takes the same way.
 *
 * <p>Each call is a {@code record_function} range in which a line of its function allocates; what grows between calls is allocated by
 * {@value #BETWEEN_LINE}. A call that ends lower than it began frees the youngest blocks that are held, or the oldest, whoever made them. A call that
 * does nothing would leave no trace, so each takes a scratch of {@value #SCRATCH} bytes as well.
 */
final class ProfiledCalls {
    /** A call: bytes allocated before it, at its peak and after it. */
    record Call(String function, long before, long peak, long after) {}

    static final String BETWEEN_LINE = "main.py:40";
    private static final int SCRATCH = 512;
    /** All that calls keep or free is a multiple of it, so that any of them can free what another keeps. */
    private static final long UNIT = 2 << 20;

    private final SnapshotBuilder recording = snapshot();
    private final List<String> functions = new ArrayList<>();
    private final Deque<String> held = new ArrayDeque<>();
    private long live;
    private int blocks;

    private final boolean freesOldest;

    private ProfiledCalls(boolean freesOldest) {
        this.freesOldest = freesOldest;
    }

    /** The recording of calls, in order. */
    static SnapshotBuilder record(List<Call> calls) {
        return new ProfiledCalls(false).run(calls);
    }

    /** The same where calls free what is held for longest: a queue, of which nothing stays for good. */
    static SnapshotBuilder recordQueue(List<Call> calls) {
        return new ProfiledCalls(true).run(calls);
    }

    private SnapshotBuilder run(List<Call> calls) {
        live = calls.getFirst().before();
        recording.preexisting("model", live, "main.py:3 load");
        for (Call call : calls) {
            moveTo(call.before(), BETWEEN_LINE + " main");
            recording.annotation(call.function(), Stage.START);
            run(call);
            recording.annotation(call.function(), Stage.END);
        }
        return recording;
    }

    private void run(Call call) {
        String[] stack = stack(call.function());
        long kept = Math.max(live, call.after());
        moveTo(kept, stack);
        if (call.peak() > kept) {
            recording.alloc("transient", call.peak() - kept, stack).free("transient", stack);
        }
        moveTo(call.after(), stack);
        recording.alloc("scratch", SCRATCH, stack).free("scratch", stack);
    }

    private String[] stack(String function) {
        if (!functions.contains(function)) {
            functions.add(function);
        }
        int line = functions.indexOf(function);
        return new String[] {"steps.py:" + (10 + 10 * line) + " " + function, "main.py:" + (20 + line) + " main"};
    }

    private void moveTo(long bytes, String... stack) {
        while (live + UNIT <= bytes) {
            String key = "block" + blocks++;
            recording.alloc(key, UNIT, stack);
            held.push(key);
            live += UNIT;
        }
        while (live - UNIT >= bytes) {
            recording.free(freesOldest ? held.removeLast() : held.pop(), stack);
            live -= UNIT;
        }
        if (live != bytes) {
            throw new IllegalArgumentException("expected multiples of " + UNIT + " bytes, found a way to " + bytes);
        }
    }
}
