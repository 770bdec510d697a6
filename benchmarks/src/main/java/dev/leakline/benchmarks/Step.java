package dev.leakline.benchmarks;

import dev.leakline.columns.Action;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.PoolTable.PoolId;
import dev.leakline.columns.SnapshotColumns;

/**
 * One event of a loop.
 *
 * @param size bytes requested, or of a segment its own
 * @param timeMicros in the first repetition
 * @param stack a number of the recording's stack table
 * @param frames the step whose list of frames this one's is: itself, or an earlier one
 */
record Step(
        Action action,
        long address,
        long size,
        long stream,
        PoolId pool,
        String compileContext,
        String metadata,
        long timeMicros,
        int stack,
        int frames) {

    /** An event as it was recorded. */
    static Step recorded(SnapshotColumns columns, int row, int frames) {
        EventColumns events = columns.events;
        return new Step(
                events.action(row),
                events.address(row),
                events.size(row),
                events.stream(row),
                columns.pools.get(events.pool(row)),
                columns.strings.get(events.compileContext(row)),
                columns.strings.get(events.userMetadata(row)),
                events.timeMicros(row),
                events.stack(row),
                frames);
    }

    /** Makes a step that undoes this one, somewhat or wholly, later on, somewhere else in the program. */
    Step undo(Action undoing, long time, int where, int whoseFrames) {
        return new Step(undoing, address, size, stream, pool, compileContext, metadata, time, where, whoseFrames);
    }
}
