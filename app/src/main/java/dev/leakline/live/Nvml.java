package dev.leakline.live;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * NVIDIA's management library, which the driver brings along, as far as it tells who holds memory. Source: {@code nvml.h} of CUDA 13.
 *
 * <p>Functions are looked up by name, newest version first, and one that is missing is as if it had nothing to tell: drivers live for
 * ten years. The numbers of processes are those of the outermost PID namespace.
 */
final class Nvml implements AutoCloseable {
    /** Where distributions, and Windows's subsystem for Linux, have it. */
    private static final List<String> NAMES = List.of("libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1");

    private static final int SUCCESS = 0;
    private static final int INSUFFICIENT_SIZE = 7;
    private static final int NAME_BYTES = 96;
    /** A machine has at most 16 GPUs, cut into at most 7; this is for good measure. */
    private static final int MOST_DEVICES = 256;

    private static final int MOST_ROWS = 1 << 16;
    /** Processes that may begin between the question how many there are and the question which. */
    private static final int SPARE_ROWS = 32;

    private static final List<String> KINDS = List.of("Compute", "Graphics", "MPSCompute");
    private static final Linker LINKER = Linker.nativeLinker();
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final Arena arena = Arena.ofConfined();
    private final SymbolLookup library;

    private Nvml(SymbolLookup library) {
        this.library = library;
    }

    /** Opens the library; null where this machine has none, or it finds no driver. */
    @SuppressWarnings("restricted") // Native access is what this class is for; the manifest allows it.
    static @Nullable Nvml open() {
        for (String name : NAMES) {
            try {
                Nvml nvml = new Nvml(SymbolLookup.libraryLookup(name, Arena.global()));
                return nvml.call("nvmlInit_v2") == SUCCESS ? nvml : null;
            } catch (IllegalArgumentException e) {
                // There is none of that name.
            }
        }
        return null;
    }

    /** All devices; a device that is cut into instances gives these. */
    List<GpuDevice> devices() throws IOException {
        MemorySegment count = arena.allocate(INT);
        if (call("nvmlDeviceGetCount_v2", count) != SUCCESS) {
            throw new IOException("NVIDIA's driver does not say how many devices there are");
        }
        List<GpuDevice> devices = new ArrayList<>();
        for (int index = 0; index < Math.min(count.get(INT, 0), MOST_DEVICES); index++) {
            MemorySegment handle = handle("nvmlDeviceGetHandleByIndex_v2", index);
            if (handle != null) {
                add(devices, index, handle);
            }
        }
        return devices;
    }

    private void add(List<GpuDevice> devices, int index, MemorySegment device) throws IOException {
        List<MemorySegment> instances = instances(device);
        if (instances.isEmpty()) {
            devices.add(describe(index, device));
        }
        for (MemorySegment instance : instances) {
            devices.add(describe(index, instance));
        }
    }

    private List<MemorySegment> instances(MemorySegment device) {
        MemorySegment count = arena.allocate(INT);
        List<MemorySegment> instances = new ArrayList<>();
        if (call("nvmlDeviceGetMaxMigDeviceCount", device, count) == SUCCESS) {
            for (int i = 0; i < Math.min(count.get(INT, 0), MOST_DEVICES); i++) {
                MemorySegment handle = handle("nvmlDeviceGetMigDeviceHandleByIndex", device, i);
                if (handle != null) {
                    instances.add(handle);
                }
            }
        }
        return instances;
    }

    private GpuDevice describe(int index, MemorySegment device) throws IOException {
        MemorySegment memory = arena.allocate(3L * Long.BYTES, Long.BYTES);
        boolean isKnown = call("nvmlDeviceGetMemoryInfo", device, memory) == SUCCESS;
        long total = isKnown ? memory.get(ValueLayout.JAVA_LONG, 0) : 0;
        long used = isKnown ? memory.get(ValueLayout.JAVA_LONG, 2L * Long.BYTES) : 0;
        List<GpuDevice.Use> uses = new ArrayList<>();
        for (String kind : KINDS) {
            uses.addAll(uses(device, kind, total));
        }
        return new GpuDevice(
                index, text("nvmlDeviceGetName", device), text("nvmlDeviceGetUUID", device), total, used, uses);
    }

    private List<GpuDevice.Use> uses(MemorySegment device, String kind, long total) throws IOException {
        String name = "nvmlDeviceGet" + kind + "RunningProcesses_v3";
        MemorySegment count = arena.allocate(INT);
        int asked = call(name, device, count, MemorySegment.NULL);
        if (asked != SUCCESS && asked != INSUFFICIENT_SIZE) {
            return List.of();
        }
        int room = Math.clamp(count.get(INT, 0), 0, MOST_ROWS) + SPARE_ROWS;
        MemorySegment rows =
                arena.allocate((long) room * ProcessRows.LARGEST, Long.BYTES).fill(ProcessRows.UNTOUCHED);
        count.set(INT, 0, room);
        if (call(name, device, count, rows) != SUCCESS) {
            return List.of();
        }
        return ProcessRows.read(rows.asByteBuffer().order(ByteOrder.nativeOrder()), count.get(INT, 0), total, kind);
    }

    private String text(String function, MemorySegment device) {
        MemorySegment text = arena.allocate(NAME_BYTES);
        boolean isKnown = call(function, device, text, NAME_BYTES - 1) == SUCCESS;
        return isKnown ? text.getString(0) : "";
    }

    private @Nullable MemorySegment handle(String function, Object... arguments) {
        MemorySegment handle = arena.allocate(ValueLayout.ADDRESS);
        Object[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = handle;
        return call(function, all) == SUCCESS ? handle.get(ValueLayout.ADDRESS, 0) : null;
    }

    /** Calls a function that takes addresses and integers; what is missing fails. */
    @SuppressWarnings("restricted")
    private int call(String function, Object... arguments) {
        MemorySegment address = library.find(function).orElse(null);
        if (address == null) {
            return -1;
        }
        IntFunction<MemoryLayout> layout = i -> arguments[i] instanceof Integer ? INT : POINTER;
        MemoryLayout[] layouts = java.util.stream.IntStream.range(0, arguments.length)
                .mapToObj(layout)
                .toArray(MemoryLayout[]::new);
        MethodHandle handle = LINKER.downcallHandle(address, FunctionDescriptor.of(INT, layouts));
        try {
            return (int) handle.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        call("nvmlShutdown");
        arena.close();
    }
}
