package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.columns.ProfiledCall.Sample;
import java.util.ArrayList;
import java.util.List;

/** A job whose calls a profiler watches, told call by call. */
public final class Job {
    public static final long MB = 1 << 20;

    private final List<ProfiledCall> calls = new ArrayList<>();
    private double clock = 1_790_000_000;
    private double seconds = 0.01;
    private long live;
    private long highest;
    private long reserved;
    private long inactive;
    private int device;

    /** A job that holds so much when the first call is made. */
    public Job(long live) {
        this.live = live;
        this.reserved = live;
    }

    /** From here on on this device. */
    Job onDevice(int number) {
        device = number;
        return this;
    }

    /** From here on so much is reserved that is free in pieces. */
    Job inPieces(long bytes) {
        inactive = bytes;
        reserved = Math.max(reserved, live + bytes);
        return this;
    }

    /** From here on calls take so long. */
    Job taking(double time) {
        seconds = time;
        return this;
    }

    /** Memory changes while no call is under way. */
    public Job between(long bytes) {
        live += bytes;
        return this;
    }

    /** Gives the cache back to the driver. */
    Job emptyCache() {
        reserved = live + inactive;
        return this;
    }

    /** A call that keeps so much, or gives back. */
    public Job call(String function, long keeps) {
        return call(function, keeps, 0);
    }

    /** A call that also needs so much while it runs. */
    public Job call(String function, long keeps, long own) {
        return call(function, keeps, own, () -> {});
    }

    /** A call in which others are made, before what it keeps itself. */
    Job call(String function, long keeps, long own, Runnable inner) {
        long before = live;
        Sample start = sample(before, "before_" + function);
        long outer = highest;
        highest = live;
        clock += seconds / 4;
        inner.run();
        clock += seconds / 2;
        highest = Math.max(highest, Math.max(live, live + keeps) + own);
        live += keeps;
        reserved = Math.max(reserved, highest + inactive);
        clock += seconds / 4;
        Sample end = sample(live, "after_" + function);
        calls.add(new ProfiledCall(
                function,
                end.time() - start.time(),
                start,
                end,
                sample(highest, "peak_" + function),
                Math.max(live - before, 0),
                Math.max(before - live, 0),
                0,
                0,
                1));
        highest = Math.max(outer, highest);
        clock += 0.1;
        return this;
    }

    private Sample sample(long bytes, String operation) {
        return new Sample(clock, bytes, reserved, bytes, reserved, bytes, inactive, 0, device, operation);
    }

    /** A copy of what was written so far. */
    public List<ProfiledCall> calls() {
        return List.copyOf(calls);
    }
}
