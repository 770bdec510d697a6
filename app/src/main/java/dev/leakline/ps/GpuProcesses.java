package dev.leakline.ps;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.ProcFile;
import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.nvml.Nvml;
import dev.leakline.nvml.NvmlDevice;
import dev.leakline.nvml.PidNamespace;
import dev.leakline.ps.GpuProcess.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The processes that hold GPU memory, according to the driver, joined with those that have its files open, according to Linux.
 *
 * <p>Forked children inherit open files. Where the parent ends and a child lives on, the driver keeps the parent's memory: it goes by
 * the files, and they are still open. Such a survivor is told by four things together: it runs Python, has files of the driver open,
 * holds nothing in its own name, and was taken over by another parent than the one that started it. The last shows in the session, which
 * a child shares with its parent unless it began one itself, and in the process group, whose leader it is not.
 *
 * @param devices the GPUs, as the driver lists them; none where there is no driver
 * @param processes what has to do with them, by number
 * @param findings what is likely not meant, the most serious first
 * @param notes what could not be found out, and why
 * @param isComplete whether both the driver and Linux could be asked
 */
public record GpuProcesses(
        List<GpuDevice> devices,
        List<GpuProcess> processes,
        List<GpuFinding> findings,
        List<String> notes,
        boolean isComplete) {
    private static final int INIT = 1;

    /** Looks at this machine; throws {@link LiveException} where it has no NVIDIA GPU, or is not Linux. */
    public static GpuProcesses now() throws IOException {
        if (!ProcFile.isThere()) {
            throw new LiveException(
                    "this system has no Linux /proc", "leakline ps works on Linux with an NVIDIA driver");
        }
        Path proc = Path.of("/proc");
        boolean isNested = !PidNamespace.isOutermost();
        List<GpuDevice> devices = driver();
        GpuProcesses found = join(devices, new ProcessFolder(proc), isNested);
        if (devices == null && found.processes.isEmpty()) {
            throw new LiveException(
                    "this machine has no NVIDIA driver: there is no libnvidia-ml.so.1, no working nvidia-smi, and no process that"
                            + " this user may look into has a file of it open",
                    "run leakline ps where the GPUs are; a container needs the driver's libraries (--gpus all)");
        }
        return found;
    }

    /** Asks the driver by its library or, where that is of no help, its program; null where there is neither. */
    private static @Nullable List<GpuDevice> driver() throws IOException {
        Told library = library();
        List<GpuDevice> program = library.isWhole ? null : NvidiaSmi.ask();
        if (program == null && library.failure != null) {
            throw library.failure;
        }
        return program == null ? library.devices : program;
    }

    /** The devices that the library reported, if any, whether it listed all processes, and why it failed, if it did. */
    private record Told(
            @Nullable List<GpuDevice> devices,
            boolean isWhole,
            @Nullable IOException failure) {}

    private static Told library() {
        try (Nvml nvml = Nvml.open()) {
            List<GpuDevice> devices = new ArrayList<>();
            boolean isWhole = nvml != null;
            for (NvmlDevice device : nvml == null ? List.<NvmlDevice>of() : nvml.devices()) {
                devices.add(device.describe());
                isWhole &= device.listsProcesses();
            }
            return new Told(nvml == null ? null : devices, isWhole, null);
        } catch (IOException e) {
            return new Told(null, false, e);
        }
    }

    /** Joins what the driver says, null where there is none to ask, with what a folder like {@code /proc} says. */
    static GpuProcesses join(@Nullable List<GpuDevice> known, ProcessFolder proc, boolean isNested) throws IOException {
        List<GpuDevice> devices = known == null ? List.of() : known;
        Map<Integer, GpuProcess> all = new TreeMap<>();
        proc.pids().stream()
                .map(proc::read)
                .filter(Objects::nonNull)
                .forEach(process -> all.put(process.pid(), process));
        Set<Integer> holders = devices.stream()
                .flatMap(device -> device.uses().stream())
                .map(Use::pid)
                .collect(Collectors.toSet());
        List<GpuProcess> processes = all.values().stream()
                .filter(process -> process.deviceFiles() > 0 || holders.contains(process.pid()))
                .map(process -> process.as(role(process, all, holders)))
                .toList();
        return new GpuProcesses(
                devices,
                processes,
                GpuFindings.of(devices, processes, proc, isNested),
                notes(known, devices, isNested, proc.hidden()),
                known != null);
    }

    private static Role role(GpuProcess process, Map<Integer, GpuProcess> all, Set<Integer> holders) {
        if (holders.contains(process.pid())) {
            return Role.HOLDER;
        }
        if (!process.isPython()) {
            return Role.IDLE;
        }
        GpuProcess parent = all.get(process.parent());
        boolean isParentPython = parent != null && parent.isPython();
        if (!isParentPython && isTakenOver(process, parent)) {
            return Role.SURVIVOR;
        }
        return isParentPython || process.isLoader() ? Role.WORKER : Role.IDLE;
    }

    private static boolean isTakenOver(GpuProcess process, @Nullable GpuProcess parent) {
        boolean isLeader = process.group() == process.pid() || process.session() == process.pid();
        boolean isOther = parent == null || parent.pid() == INIT || parent.session() != process.session();
        return isOther && !isLeader;
    }

    private static List<String> notes(
            @Nullable List<GpuDevice> known, List<GpuDevice> devices, boolean isNested, int hidden) {
        List<String> notes = new ArrayList<>();
        if (known == null) {
            notes.add("the NVIDIA driver could not be queried (no libnvidia-ml.so.1, and nvidia-smi is missing or does"
                    + " not answer): memory per process is unknown");
        }
        if (hidden > 0) {
            notes.add(hidden + " processes of other users hide their open files; run leakline ps with sudo");
        }
        boolean isUsed = devices.stream().anyMatch(device -> device.used() > 0);
        boolean isEmpty = devices.stream().allMatch(device -> device.uses().isEmpty());
        if (isNested && isUsed && isEmpty) {
            notes.add("memory cannot be attributed to processes: this is a separate PID namespace, such as a container,"
                    + " and the driver uses process IDs from outside; run leakline ps on the host, or start"
                    + " the container with --pid=host");
        }
        return notes;
    }
}
