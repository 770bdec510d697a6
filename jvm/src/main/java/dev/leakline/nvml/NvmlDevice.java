package dev.leakline.nvml;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A device, or an instance of one, that can be queried until its {@link Nvml} is closed. Any number of threads may ask. */
public final class NvmlDevice {
    private static final int INSUFFICIENT_SIZE = 7;
    private static final int NAME_BYTES = 96;
    private static final int MOST_ROWS = 1 << 16;
    /** Processes that may begin between the question how many there are and the question which. */
    private static final int SPARE_ROWS = 32;

    private static final List<String> KINDS = List.of("Compute", "Graphics", "MPSCompute");

    private final Nvml library;
    private final int index;
    private final MemorySegment handle;

    NvmlDevice(Nvml library, int index, MemorySegment handle) {
        this.library = library;
        this.index = index;
        this.handle = handle;
    }

    /** Queries the driver for the device's current state. */
    public GpuDevice describe() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(3L * Long.BYTES, Long.BYTES);
            boolean isKnown = library.isDone("nvmlDeviceGetMemoryInfo", handle, memory);
            long total = isKnown ? memory.get(ValueLayout.JAVA_LONG, 0) : 0;
            long used = isKnown ? memory.get(ValueLayout.JAVA_LONG, 2L * Long.BYTES) : 0;
            List<GpuDevice.Use> uses = new ArrayList<>();
            for (String kind : KINDS) {
                uses.addAll(uses(kind, total, arena));
            }
            String name = text("nvmlDeviceGetName", arena);
            return new GpuDevice(index, name, text("nvmlDeviceGetUUID", arena), total, used, uses);
        }
    }

    /** Returns whether the driver lists the processes that compute on it; of virtual and of very old devices it does not. */
    public boolean listsProcesses() {
        try (Arena arena = Arena.ofConfined()) {
            return canList(listing(KINDS.getFirst()), arena.allocate(ValueLayout.JAVA_INT));
        }
    }

    private static String listing(String kind) {
        return "nvmlDeviceGet" + kind + "RunningProcesses_v3";
    }

    /** Asks how many rows a listing has, without room for any. */
    private boolean canList(String name, MemorySegment count) {
        int asked = library.call(name, handle, count, MemorySegment.NULL);
        return asked == Nvml.SUCCESS || asked == INSUFFICIENT_SIZE;
    }

    private List<GpuDevice.Use> uses(String kind, long total, Arena arena) throws IOException {
        String name = listing(kind);
        MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
        if (!canList(name, count)) {
            return List.of();
        }
        int room = Math.clamp(count.get(ValueLayout.JAVA_INT, 0), 0, MOST_ROWS) + SPARE_ROWS;
        MemorySegment rows =
                arena.allocate((long) room * ProcessRows.LARGEST, Long.BYTES).fill(ProcessRows.UNTOUCHED);
        count.set(ValueLayout.JAVA_INT, 0, room);
        if (!library.isDone(name, handle, count, rows)) {
            return List.of();
        }
        int written = count.get(ValueLayout.JAVA_INT, 0);
        return ProcessRows.read(rows.asByteBuffer().order(ByteOrder.nativeOrder()), written, total, kind);
    }

    private String text(String function, Arena arena) {
        MemorySegment text = arena.allocate(NAME_BYTES);
        return library.isDone(function, handle, text, NAME_BYTES - 1) ? text.getString(0) : "";
    }
}
