package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.allocator.Workload.Operation;
import dev.leakline.columns.Action;
import dev.leakline.columns.EventColumns;

/**
 * Compares a replay under the recorded settings with the recording: whether the allocator called the driver at the same requests, with the
 * same calls, of the same sizes.
 */
final class Verification implements Replay.Observer {
    private final EventColumns rows;
    private final RecordedDriver driver;
    /** The calls of the operation that is under way: what they did, and with how many bytes. */
    private final IntArrayList actions = new IntArrayList();

    private final LongArrayList callSizes = new LongArrayList();
    private int recorded;
    private int predicted;
    private int matching;

    Verification(EventColumns rows, RecordedDriver driver) {
        this.rows = rows;
        this.driver = driver;
    }

    /** Calls to the driver in the recording. */
    int recorded() {
        return recorded;
    }

    /** Calls to the driver in the replay. */
    int predicted() {
        return predicted;
    }

    /** Calls that are in both. */
    int matching() {
        return matching;
    }

    @Override
    public void called(Action call, long size) {
        actions.add(call.code());
        callSizes.add(size);
    }

    @Override
    public boolean followsRecording() {
        return true;
    }

    @Override
    public void before(Operation operation, int event) {
        actions.clear();
        callSizes.clear();
        switch (operation) {
            case ALLOCATE, FAIL -> driver.beginRequest(event);
            case EMPTY_CACHE -> driver.beginRelease(event);
            case FREE, FREE_LATER, COMPLETE, MAYBE_EMPTY_CACHE -> driver.beginOther();
        }
    }

    @Override
    public void after(Operation operation, int event) {
        IntArrayList expected = driver.expected();
        recorded += expected.size();
        predicted += actions.size();
        for (int i = 0; i < expected.size(); i++) {
            matching += takeOut(rows.action(expected.get(i)), rows.size(expected.get(i))) ? 1 : 0;
        }
    }

    /** Returns whether the replay did this too; takes it out, so that it counts once. */
    private boolean takeOut(Action action, long size) {
        for (int i = 0; i < actions.size(); i++) {
            if (actions.get(i) == action.code() && callSizes.get(i) == size) {
                actions.removeAt(i);
                callSizes.removeAt(i);
                return true;
            }
        }
        return false;
    }
}
