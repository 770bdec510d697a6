package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.PoolId;
import dev.leakline.testkit.snapshot.event.Scene;
import dev.leakline.testkit.snapshot.event.StackFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where and when the next event happens: what a Python thread would carry along. */
final class Cursor {
    private static final long START_US = 1_750_000_000_000_000L;
    private static final long BETWEEN_EVENTS_US = 10;

    int device;
    long stream;
    PoolId pool = PoolId.DEFAULT;
    List<StackFrame> where = CallStack.parse("train.py:1 <module>");
    String compileContext = "N/A";
    String metadata = "";
    Context context = Context.ALL;
    boolean expandable;
    long timeUs = START_US;

    /** A capture of the given frames, or of the present place if there are none. */
    CallStack capture(String... frames) {
        return new CallStack(frames.length == 0 ? where : CallStack.parse(frames));
    }

    /** The stack, if the recording includes such stacks. */
    @Nullable
    CallStack keep(Context least, @Nullable CallStack stack) {
        return context.includes(least) ? stack : null;
    }

    /** The stack of something that ends: of the place where it ends, or of where it began, or none. */
    @Nullable
    CallStack ending(CallStack here, @Nullable CallStack origin) {
        return context == Context.ALL ? here : keep(Context.ALLOC, origin);
    }

    /** Lets a little time pass. */
    long tick() {
        timeUs += BETWEEN_EVENTS_US;
        return timeUs;
    }

    Scene scene() {
        return new Scene(tick(), compileContext, metadata);
    }

    Request request(long bytes, CallStack stack) {
        return new Request(bytes, stream, pool, expandable, keep(Context.STATE, stack));
    }
}
