package dev.leakline.nvml;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * NVIDIA's management library, which comes with the driver: the part that shows which processes hold memory. Source: {@code nvml.h} of CUDA
 * 13.
 *
 * <p>Functions are looked up by name, newest version first, and one that is missing is as if it had nothing to tell: drivers live for
 * ten years. The numbers of processes are those of the outermost PID namespace. Any number of threads may ask.
 */
public final class Nvml implements AutoCloseable {
    static final int SUCCESS = 0;

    /** Where distributions, and Windows's subsystem for Linux, have it. */
    private static final List<String> NAMES = List.of("libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1");

    private static final int MISSING = -1;
    /** A machine has at most 16 GPUs, cut into at most 7; this is for good measure. */
    private static final int MOST_DEVICES = 256;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final SymbolLookup library;
    private final Map<String, Optional<MethodHandle>> functions = new ConcurrentHashMap<>();

    private Nvml(SymbolLookup library) {
        this.library = library;
    }

    /** Opens the library; null where this machine has none, or it finds no driver. */
    public static @Nullable Nvml open() {
        return open(NAMES);
    }

    @SuppressWarnings("restricted") // Native access is what this class is for; the manifest allows it.
    static @Nullable Nvml open(List<String> names) {
        for (String name : names) {
            try {
                Nvml nvml = new Nvml(SymbolLookup.libraryLookup(name, Arena.global()));
                return nvml.isDone("nvmlInit_v2") ? nvml : null;
            } catch (IllegalArgumentException e) {
                // There is none of that name.
            }
        }
        return null;
    }

    /** All devices; a device that is cut into instances gives these. Throws {@link IOException} where the driver does not say. */
    public List<NvmlDevice> devices() throws IOException {
        int count = count("nvmlDeviceGetCount_v2");
        if (count < 0) {
            throw new IOException("the NVIDIA driver does not report the number of devices; nvidia-smi may show why");
        }
        List<NvmlDevice> devices = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            MemorySegment device = handle("nvmlDeviceGetHandleByIndex_v2", index);
            if (device != null) {
                add(devices, index, device);
            }
        }
        return devices;
    }

    private void add(List<NvmlDevice> devices, int index, MemorySegment device) {
        List<NvmlDevice> instances = new ArrayList<>();
        for (int i = 0; i < count("nvmlDeviceGetMaxMigDeviceCount", device); i++) {
            MemorySegment instance = handle("nvmlDeviceGetMigDeviceHandleByIndex", device, i);
            if (instance != null) {
                instances.add(new NvmlDevice(this, index, instance));
            }
        }
        devices.addAll(instances.isEmpty() ? List.of(new NvmlDevice(this, index, device)) : instances);
    }

    /** The answer of a function that counts devices; negative where it fails. */
    private int count(String function, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(INT);
            return isDone(function, with(arguments, count)) ? Math.min(count.get(INT, 0), MOST_DEVICES) : MISSING;
        }
    }

    private @Nullable MemorySegment handle(String function, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.ADDRESS);
            return isDone(function, with(arguments, handle)) ? handle.get(ValueLayout.ADDRESS, 0) : null;
        }
    }

    private static Object[] with(Object[] arguments, MemorySegment last) {
        Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = last;
        return all;
    }

    boolean isDone(String function, Object... arguments) {
        return call(function, arguments) == SUCCESS;
    }

    /** Calls a function that takes addresses and integers; what is missing fails. */
    int call(String function, Object... arguments) {
        MethodHandle handle = functions
                .computeIfAbsent(function, name -> find(name, arguments))
                .orElse(null);
        if (handle == null) {
            return MISSING;
        }
        try {
            return (int) handle.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("restricted")
    private Optional<MethodHandle> find(String function, Object[] arguments) {
        MemoryLayout[] layouts = Arrays.stream(arguments)
                .map(argument -> argument instanceof Integer ? INT : ValueLayout.ADDRESS)
                .toArray(MemoryLayout[]::new);
        FunctionDescriptor descriptor = FunctionDescriptor.of(INT, layouts);
        return library.find(function).map(address -> Linker.nativeLinker().downcallHandle(address, descriptor));
    }

    @Override
    public void close() {
        call("nvmlShutdown");
    }
}
