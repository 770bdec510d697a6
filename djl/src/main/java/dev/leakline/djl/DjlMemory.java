package dev.leakline.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import dev.leakline.profile.MemoryCounters;
import dev.leakline.profile.MemorySource;

/**
 * The memory that the arrays of an {@link NDManager}, and of all managers below it, take: arrays that nobody closed, exactly and at once, on any
 * device and engine. Views count like arrays, with what they show. An array that was detached, or belongs to another manager, is not in it:
 * those are in {@link dev.leakline.profile.NativeHeapMemory} on the CPU and {@link dev.leakline.profile.NvmlMemory} on a GPU.
 *
 * <p>It is read by the thread that made it, others are refused: to ask an array for its size while another thread closes it would end the
 * process. So it is a source for calls of one thread and not for a monitor. A reading takes time with the number of arrays.
 */
public final class DjlMemory implements MemorySource {
    private final NDManager manager;
    private final Thread thread = Thread.currentThread();

    private DjlMemory(NDManager manager) {
        this.manager = manager;
    }

    /** The arrays below a manager, which are closed by this thread. */
    public static DjlMemory of(NDManager manager) {
        return new DjlMemory(manager);
    }

    @Override
    public MemoryCounters read() {
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("arrays may be asked for their sizes by thread " + thread.getName()
                    + " only, which closes them; profile other threads by a source of their own");
        }
        long bytes = 0;
        for (NDArray array : manager.getManagedArrays()) {
            bytes += array.size() * array.getDataType().getNumOfBytes();
        }
        return MemoryCounters.allocated(bytes);
    }

    @Override
    public int device() {
        return manager.getDevice().getDeviceId();
    }
}
