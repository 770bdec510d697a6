package dev.leakline.columns;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;

/** The beginnings and ends of record_function ranges, one row each, in file order. */
public final class AnnotationColumns {
    private final IntArrayList names = new IntArrayList();
    private final ByteArrayList starts = new ByteArrayList();
    private final IntArrayList devices = new IntArrayList();
    private final LongArrayList times = new LongArrayList();

    /** Appends a mark; {@code name} is a string number, the device the one current in the thread, the time Unix microseconds. */
    public void add(int name, boolean isStart, int device, long timeMicros) {
        names.add(name);
        starts.add((byte) (isStart ? 1 : 0));
        devices.add(device);
        times.add(timeMicros);
    }

    /** The range's name, as a string number. */
    public int name(int mark) {
        return names.get(mark);
    }

    /** Returns whether the range begins here; else it ends. */
    public boolean isStart(int mark) {
        return starts.get(mark) != 0;
    }

    /** The device that was current, not that of any allocation. */
    public int device(int mark) {
        return devices.get(mark);
    }

    /** Unix microseconds. */
    public long timeMicros(int mark) {
        return times.get(mark);
    }

    /** Marks. */
    public int size() {
        return names.size();
    }
}
