package dev.leakline.profile;

import static dev.leakline.profile.MemoryCounters.UNKNOWN;

import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.nvml.Nvml;
import dev.leakline.nvml.NvmlDevice;
import dev.leakline.nvml.PidNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The NVIDIA driver's counters of a device and of a process on it, through NVML: free, total, and held by the process. The driver sees
 * segments, not tensors: it knows neither what is allocated nor any peak, and what an allocator keeps in its cache still counts.
 *
 * <p>In a container with a PID namespace of its own the driver's numbers mean other processes, and what is held is unknown. Access to native
 * code must be allowed: {@code --enable-native-access}.
 */
public final class NvmlMemory implements MemorySource, AutoCloseable {
    private final Nvml nvml;
    private final NvmlDevice device;
    private final int index;
    private final long pid;
    private final boolean isOutermost;

    private NvmlMemory(Nvml nvml, NvmlDevice device, int index, long pid) throws IOException {
        this.nvml = nvml;
        this.device = device;
        this.index = index;
        this.pid = pid;
        this.isOutermost = PidNamespace.isOutermost();
    }

    /**
     * This process on a device. Throws {@link IOException} where there is no driver, or not exactly one such device.
     *
     * @param device its number as the driver counts, which {@code CUDA_VISIBLE_DEVICES} does not change, or its identity, {@code GPU-...} or
     *     {@code MIG-...}
     */
    public static NvmlMemory open(String device) throws IOException {
        return open(device, ProcessHandle.current().pid());
    }

    /** Another process on a device, by its number. */
    public static NvmlMemory open(String device, long pid) throws IOException {
        Nvml nvml = Nvml.open();
        if (nvml == null) {
            throw new IOException(
                    "no NVIDIA driver found: libnvidia-ml.so.1 is missing or finds no driver; a container needs the"
                            + " driver's libraries (--gpus all)");
        }
        try {
            return of(nvml, device, pid);
        } catch (IOException e) {
            nvml.close();
            throw e;
        }
    }

    private static NvmlMemory of(Nvml nvml, String device, long pid) throws IOException {
        Predicate<GpuDevice> isMeant = each ->
                each.uuid().equals(device) || String.valueOf(each.index()).equals(device);
        List<String> seen = new ArrayList<>();
        List<NvmlMemory> found = new ArrayList<>();
        for (NvmlDevice each : nvml.devices()) {
            GpuDevice now = each.describe();
            seen.add(now.index() + " " + now.uuid());
            if (isMeant.test(now)) {
                found.add(new NvmlMemory(nvml, each, now.index(), pid));
            }
        }
        if (found.size() != 1) {
            throw new IOException(
                    "expected one device " + device + ", found " + found.size() + "; name one of " + seen);
        }
        return found.getFirst();
    }

    @Override
    public MemoryCounters read() throws IOException {
        GpuDevice now = device.describe();
        long total = now.total() == 0 ? UNKNOWN : now.total();
        long free = total == UNKNOWN ? UNKNOWN : Math.max(total - now.used(), 0);
        return MemoryCounters.NONE.withDevice(isOutermost ? held(now) : UNKNOWN, free, total);
    }

    private long held(GpuDevice now) {
        long held = 0;
        for (Use use : now.uses()) {
            if (use.pid() == pid) {
                held = use.bytes() == Use.UNKNOWN || held == UNKNOWN ? UNKNOWN : held + use.bytes();
            }
        }
        return held;
    }

    @Override
    public int device() {
        return index;
    }

    @Override
    public void close() {
        nvml.close();
    }
}
