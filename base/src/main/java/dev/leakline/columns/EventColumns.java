package dev.leakline.columns;

import dev.leakline.primitive.PackedTable;

/**
 * The events of all traces, one row each, in file order.
 *
 * <p>Sizes are bytes: what the program requested in alloc and free events, real sizes in segment events. Addresses are unsigned.
 * Text is given as numbers of the snapshot's {@link StringTable}. Filled once by a reader; any number of threads may read then.
 */
public final class EventColumns {
    private static final int ACTION = 0;
    private static final int ADDRESS = 1;
    private static final int SIZE = 2;
    private static final int TIME = 3;
    private static final int STREAM = 4;
    private static final int STACK = 5;
    private static final int POOL = 6;
    private static final int COMPILE_CONTEXT = 7;
    private static final int USER_METADATA = 8;

    private final PackedTable rows = new PackedTable(USER_METADATA + 1);

    /**
     * Appends an event.
     *
     * @param address unsigned; for an {@link Action#OOM} the bytes that the device had free
     * @param timeMicros Unix microseconds, 0 where the recording has no times
     * @param stack a number of the {@link StackTable}
     * @param pool a number of the {@link PoolTable}
     */
    public void add(
            Action action,
            long address,
            long size,
            long timeMicros,
            long stream,
            int stack,
            int pool,
            int compileContext,
            int metadata) {
        rows.set(ACTION, action.code());
        rows.set(ADDRESS, address);
        rows.set(SIZE, size);
        rows.set(TIME, timeMicros);
        rows.set(STREAM, stream);
        rows.set(STACK, stack);
        rows.set(POOL, pool);
        rows.set(COMPILE_CONTEXT, compileContext);
        rows.set(USER_METADATA, metadata);
        rows.endRow();
    }

    /** The action of an event. */
    public Action action(int event) {
        return Action.of((int) rows.get(ACTION, event));
    }

    /** Where; of an {@link Action#OOM}, which has no address, see {@link #deviceFree}. */
    public long address(int event) {
        return rows.get(ADDRESS, event);
    }

    /** Bytes that were free on the device when the request failed; only for {@link Action#OOM}. */
    public long deviceFree(int event) {
        return rows.get(ADDRESS, event);
    }

    /** Bytes. */
    public long size(int event) {
        return rows.get(SIZE, event);
    }

    /** Unix microseconds, 0 where the recording has no times. */
    public long timeMicros(int event) {
        return rows.get(TIME, event);
    }

    /** The raw stream handle; 0 is the default stream. */
    public long stream(int event) {
        return rows.get(STREAM, event);
    }

    /** The stack's number. */
    public int stack(int event) {
        return (int) rows.get(STACK, event);
    }

    /** The memory pool's number. */
    public int pool(int event) {
        return (int) rows.get(POOL, event);
    }

    /** The compiled region's name, as a string number. */
    public int compileContext(int event) {
        return (int) rows.get(COMPILE_CONTEXT, event);
    }

    /** The program's own note, as a string number. */
    public int userMetadata(int event) {
        return (int) rows.get(USER_METADATA, event);
    }

    /** Events. */
    public int size() {
        return rows.size();
    }
}
