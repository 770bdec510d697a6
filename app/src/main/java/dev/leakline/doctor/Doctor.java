package dev.leakline.doctor;

import dev.leakline.attach.Permissions;
import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.ProcFile;
import dev.leakline.nvml.GpuDevice;
import dev.leakline.ps.GpuProcesses;
import dev.leakline.result.DoctorReport;
import dev.leakline.result.DoctorReport.Check;
import dev.leakline.result.Tool;
import dev.leakline.text.ByteSize;
import dev.leakline.watch.ProcFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Looks at what this machine and a Python on it can do, and what would help where they cannot. */
public final class Doctor {
    /** A snapshot of a million events has some 300 MB, and a job with several processes writes one each. */
    private static final long LITTLE_DISK = ByteSize.GIB;
    /** DataLoader workers hand on whole batches there; 64 MiB, which containers get, hold hardly one. */
    private static final long LITTLE_SHARED = ByteSize.GIB;

    private final List<Check> checks = new ArrayList<>();

    private Doctor() {}

    /**
     * Looks at this machine.
     *
     * @param version the version of Leakline
     * @param python the Python that is asked, which imports torch if it can
     */
    public static DoctorReport examine(String version, String python) {
        Doctor doctor = new Doctor();
        doctor.system();
        doctor.devices();
        doctor.checks.addAll(PythonCheck.of(python));
        doctor.tracing();
        doctor.hostMemory();
        doctor.disk("disk", Path.of(System.getProperty("java.io.tmpdir")));
        doctor.shared();
        return new DoctorReport(DoctorReport.SCHEMA, Tool.leakline(version), List.copyOf(doctor.checks));
    }

    private void system() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch") + ", Java " + System.getProperty("java.version") + ", heap "
                + ByteSize.format(Runtime.getRuntime().maxMemory());
        checks.add(
                ProcFile.isThere()
                        ? Check.ok("system", system)
                        : Check.limited(
                                "system",
                                system,
                                "ps, watch and attach need Linux; report, explain and leakline run work here"));
    }

    private void devices() {
        try {
            GpuProcesses found = GpuProcesses.now();
            checks.add(
                    found.devices().isEmpty()
                            ? Check.limited("device", String.join("; ", found.notes()), "run nvidia-smi to see why")
                            : Check.ok("device", list(found.devices())));
        } catch (LiveException e) {
            checks.add(other() ? amd() : Check.missing("device", e.reason(), e.remedy()));
        } catch (IOException e) {
            checks.add(Check.missing("device", "the driver fails: " + e.getMessage(), "run nvidia-smi to see why"));
        }
    }

    private static String list(List<GpuDevice> devices) {
        return devices.stream()
                .map(device -> device.name() + ", " + ByteSize.format(device.used()) + " of "
                        + ByteSize.format(device.total()) + " in use")
                .collect(Collectors.joining("; "));
    }

    /** Returns whether AMD's driver is there. */
    private static boolean other() {
        return Files.exists(Path.of("/dev/kfd"));
    }

    private static Check amd() {
        return Check.limited(
                "device",
                "an AMD GPU (/dev/kfd)",
                "recordings work; for what processes hold use rocm-smi, as ps and watch ask NVIDIA's driver");
    }

    private void tracing() {
        try {
            LiveException obstacle = Permissions.obstacle();
            checks.add(
                    obstacle == null
                            ? Check.ok("ptrace", "leakline attach may enter processes of this user")
                            : Check.limited("ptrace", obstacle.reason(), obstacle.remedy()));
        } catch (IOException e) {
            checks.add(Check.limited("ptrace", "cannot be told: " + e.getMessage(), "start the job with leakline run"));
        }
    }

    private void hostMemory() {
        if (!ProcFile.isThere()) {
            return;
        }
        long machine;
        ProcFolder.Host self;
        try (ProcFolder folder = ProcFolder.ofThisMachine()) {
            machine = folder.machineBytes();
            self = folder.read(ProcessHandle.current().pid());
        }
        long limit = self == null ? machine : self.limit();
        checks.add(
                limit > 0 && limit < machine
                        ? Check.limited(
                                "memory",
                                "a control group limits host memory to " + ByteSize.format(limit) + " of "
                                        + ByteSize.format(machine),
                                "a job that needs more is killed without a traceback: raise limits.memory, docker --memory"
                                        + " or --mem")
                        : Check.ok("memory", ByteSize.format(machine) + " of host memory, no limit"));
    }

    private void disk(String name, Path folder) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            String says = ByteSize.format(free) + " free in " + folder;
            checks.add(
                    free >= LITTLE_DISK
                            ? Check.ok(name, says)
                            : Check.limited(
                                    name, says, "name a folder with more room: leakline run --keep DIR, or TMPDIR"));
        } catch (IOException e) {
            checks.add(Check.missing(name, "cannot look at " + folder, "set TMPDIR to a folder that exists"));
        }
    }

    private void shared() {
        Path folder = Path.of("/dev/shm");
        if (!Files.isDirectory(folder)) {
            return;
        }
        try {
            long total = Files.getFileStore(folder).getTotalSpace();
            checks.add(
                    total >= LITTLE_SHARED
                            ? Check.ok("shm", ByteSize.format(total) + " of shared memory in /dev/shm")
                            : Check.limited(
                                    "shm",
                                    "only " + ByteSize.format(total) + " of shared memory in /dev/shm",
                                    "DataLoader workers need more: docker run --shm-size=8g or --ipc=host"));
        } catch (IOException e) {
            checks.add(Check.missing("shm", "cannot look at /dev/shm", "mount a tmpfs there"));
        }
    }
}
