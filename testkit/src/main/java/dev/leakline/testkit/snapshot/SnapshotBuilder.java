package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.PoolId;
import dev.leakline.testkit.snapshot.event.Stage;
import java.util.function.ObjIntConsumer;

/**
 * A made-up recording, told event by event, that comes out as the snapshot PyTorch would have written.
 *
 * <pre>{@code
 * byte[] file = snapshot()
 *         .layout(V2_8)
 *         .preexisting("weights", 7 * MB)
 *         .repeat(5, (s, i) -> s.alloc("loss" + i, 3 * MB, "train.py:41 train").step())
 *         .free("loss0", "train.py:50 train")
 *         .write(Dialect.PROTOCOL_4);
 * }</pre>
 *
 * <p>The builder keeps the allocator's books itself: segments and blocks at the end agree with the events, requested
 * sizes are what was requested, sizes of blocks are multiples of 512. Segments are allocated and mapped when they are
 * needed. A stack is given as frames {@code "FILE:LINE FUNCTION"}, innermost first; without frames it is the one of
 * {@link #at}. Stacks of frees are those of the free unless {@link #context} says otherwise. Each event is 10
 * microseconds after the one before.
 *
 * <p>Keys name allocations while they live. Wrong use (a key that is not alive, or alive twice) throws at once.
 */
public final class SnapshotBuilder {
    private static final long STEP_US = 1000;

    private final Recording recording = new Recording();
    private final Cursor cursor = recording.cursor;
    private final Settings settings = new Settings();
    private Layout layout = Layout.V2_14;
    private int maxEntries = Integer.MAX_VALUE;
    private int steps;

    private SnapshotBuilder() {}

    /** An empty recording of one device in the newest layout. */
    public static SnapshotBuilder snapshot() {
        return new SnapshotBuilder();
    }

    /** Sets the version of PyTorch that writes. */
    public SnapshotBuilder layout(Layout version) {
        layout = version;
        return this;
    }

    /** Sets which stacks are recorded from here on. */
    public SnapshotBuilder context(Context kept) {
        cursor.context = kept;
        return this;
    }

    /** Keeps only the last events of each device, as a ring buffer of that size does. */
    public SnapshotBuilder wrapAt(int entries) {
        maxEntries = entries;
        return this;
    }

    /** Changes an entry of {@code allocator_settings}. Tells the reader only: the builder's allocator keeps its ways. */
    public SnapshotBuilder setting(String key, Object value) {
        settings.change(key, value);
        return this;
    }

    /** Takes new memory from expandable segments from here on. */
    public SnapshotBuilder expandableSegments() {
        cursor.expandable = true;
        return setting("expandable_segments", true);
    }

    /** Makes at least so many devices visible. */
    public SnapshotBuilder devices(int count) {
        recording.showDevices(count);
        return this;
    }

    /** Switches to a device. */
    public SnapshotBuilder device(int ordinal) {
        cursor.device = ordinal;
        return this;
    }

    /** Switches to a stream, by its raw value; 0 is the default stream. */
    public SnapshotBuilder stream(long raw) {
        cursor.stream = raw;
        return this;
    }

    /** Switches to a memory pool; (0, 0) is the default pool. */
    public SnapshotBuilder pool(long first, long second) {
        cursor.pool = new PoolId(first, second);
        return this;
    }

    /** Moves to a place in the program: the stack of all that names none. */
    public SnapshotBuilder at(String... frames) {
        cursor.where = CallStack.parse(frames);
        return this;
    }

    /** Sets what {@code compile_context} says from here on. */
    public SnapshotBuilder compileContext(String text) {
        cursor.compileContext = text;
        return this;
    }

    /** Sets what {@code user_metadata} says from here on. */
    public SnapshotBuilder metadata(String text) {
        cursor.metadata = text;
        return this;
    }

    /** Lets time pass. */
    public SnapshotBuilder afterMicros(long micros) {
        cursor.timeUs += micros;
        return this;
    }

    /** Allocates before the recording: a block without an event, and without a stack unless frames are given. */
    public SnapshotBuilder preexisting(String key, long size, String... frames) {
        recording.preexisting(key, size, frames);
        return this;
    }

    /** Allocates {@code size} bytes. */
    public SnapshotBuilder alloc(String key, long size, String... frames) {
        recording.allocate(key, size, frames);
        return this;
    }

    /** Allocates pinned host memory; {@link #free} frees it. In the file from {@link Layout#V2_14} on. */
    public SnapshotBuilder hostAlloc(String key, long size, String... frames) {
        recording.hostAllocate(key, size, frames);
        return this;
    }

    /** Frees at once: requested and completed. */
    public SnapshotBuilder free(String key, String... frames) {
        recording.free(key, frames);
        return this;
    }

    /** Frees a block that another stream still uses: requested only, until {@link #complete} or {@link #emptyCache}. */
    public SnapshotBuilder requestFree(String key, String... frames) {
        recording.requestFree(key, frames);
        return this;
    }

    /** Completes a pending free. The frames are those of whoever noticed, usually some later allocation. */
    public SnapshotBuilder complete(String key, String... frames) {
        recording.completeFree(key, frames);
        return this;
    }

    /** Completes pending frees and returns cached segments and pages of the current device to the driver. */
    public SnapshotBuilder emptyCache(String... frames) {
        recording.emptyCache(cursor.capture(frames));
        return this;
    }

    /** Fails to allocate {@code size} bytes, after the cache was emptied in vain. */
    public SnapshotBuilder oom(long size, long deviceFree, String... frames) {
        CallStack here = cursor.capture(frames);
        recording.emptyCache(here);
        recording.device().outOfMemory(size, deviceFree, here);
        return this;
    }

    /** Takes another snapshot, which leaves an event in every device's trace. */
    public SnapshotBuilder snapshotEvent() {
        recording.devices.forEach(DeviceRecording::snapshotTaken);
        return this;
    }

    /** Writes a note on a live allocation. In the file from {@link Layout#V2_14} on. */
    public SnapshotBuilder annotate(String key, String note, String... frames) {
        recording.annotate(key, note, frames);
        return this;
    }

    /** Enters or leaves a {@code record_function} range. In the file from {@link Layout#V2_6} on. */
    public SnapshotBuilder annotation(String name, Stage stage) {
        recording.mark(name, stage);
        return this;
    }

    /** Ends the training step, if one is open, and begins the next 1 ms later, in the words of torch.profiler. */
    public SnapshotBuilder step() {
        if (steps > 0) {
            annotation("ProfilerStep#" + (steps - 1), Stage.END);
        }
        afterMicros(STEP_US);
        return annotation("ProfilerStep#" + steps++, Stage.START);
    }

    /** Does something for each number from 0 on. */
    public SnapshotBuilder repeat(int times, ObjIntConsumer<SnapshotBuilder> what) {
        for (int i = 0; i < times; i++) {
            what.accept(this, i);
        }
        return this;
    }

    /** When the last event was, in Unix microseconds. */
    public long timeMicros() {
        return cursor.timeUs;
    }

    /** The address of a live allocation. */
    public long addressOf(String key) {
        return recording.block(key).address;
    }

    /** Bytes that a live allocation takes of the device: its requested size rounded up to 512. */
    public long sizeOf(String key) {
        return recording.block(key).size;
    }

    /** The value that Python would pickle: Maps, Lists, PyTuples, Strings, numbers, Booleans. May be called repeatedly. */
    public Object build() {
        return build(false);
    }

    /** The file in a dialect; {@link Dialect#CPP} has the C++ writer's order of keys as well. */
    public byte[] write(Dialect dialect) {
        return dialect.bytes(build(dialect == Dialect.CPP));
    }

    private Object build(boolean cpp) {
        return new SnapshotTree(new Form(layout, cpp), recording, maxEntries).build(settings);
    }
}
