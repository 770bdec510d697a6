package dev.leakline.ps;

import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.ps.GpuFinding.Kind;
import dev.leakline.ps.GpuFinding.Row;
import dev.leakline.ps.GpuProcess.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is likely not meant among processes and the memory that they hold.
 *
 * <p>Which GPU is a process's own is told where its launcher said so, and only of memory on a GPU that belongs to another process of the
 * same job by the same rule: a model that is spread over several GPUs is no mistake. CUDA counts GPUs by their speed unless it is told to
 * go by the bus, as the driver does; the two agree where all GPUs are alike. Instances of a GPU that is cut into several are not judged.
 */
final class GpuFindings {
    private final List<GpuDevice> devices;
    private final Map<Integer, GpuProcess> processes = new HashMap<>();
    private final ProcessFolder proc;
    private final boolean isNested;

    private GpuFindings(List<GpuDevice> devices, List<GpuProcess> processes, ProcessFolder proc, boolean isNested) {
        this.devices = devices;
        this.proc = proc;
        this.isNested = isNested;
        processes.forEach(process -> this.processes.put(process.pid(), process));
    }

    /** Findings, the most serious first. */
    static List<GpuFinding> of(
            List<GpuDevice> devices, List<GpuProcess> processes, ProcessFolder proc, boolean isNested) {
        GpuFindings all = new GpuFindings(devices, processes, proc, isNested);
        List<GpuFinding> findings = new ArrayList<>();
        add(findings, Kind.SURVIVOR, all.survivors(), GpuFindings::ofSurvivors);
        add(findings, Kind.UNSEEN, all.unseen(), _ -> all.ofUnseen());
        add(findings, Kind.WRONG_GPU, all.misplaced(), _ -> OF_MISPLACED);
        add(findings, Kind.WORKER, all.workers(), _ -> OF_WORKERS);
        return List.copyOf(findings);
    }

    /** Makes the remedy for some rows. */
    private interface Remedy {
        String of(List<Row> rows);
    }

    private static void add(List<GpuFinding> findings, Kind kind, List<Row> rows, Remedy remedy) {
        if (!rows.isEmpty()) {
            findings.add(new GpuFinding(kind, rows, remedy.of(rows)));
        }
    }

    private static final String OF_MISPLACED =
            "call torch.cuda.set_device(LOCAL_RANK) before anything else uses the GPU, and load checkpoints with"
                    + " map_location; or show each process only its own GPU with CUDA_VISIBLE_DEVICES";

    private static final String OF_WORKERS =
            "each process that uses CUDA creates a context of a few hundred MiB: let datasets and collate functions"
                    + " return CPU tensors and move them in the training loop; do not pass models or CUDA tensors to workers";

    private List<Row> survivors() {
        return processes.values().stream()
                .filter(process -> process.role() == Role.SURVIVOR)
                .sorted(java.util.Comparator.comparingInt(GpuProcess::pid))
                .map(process -> new Row(
                        process.pid(),
                        Use.UNKNOWN,
                        "it inherited " + process.deviceFiles()
                                + " driver files from a process that has ended; while they are open, the driver keeps"
                                + " that process's memory allocated"))
                .toList();
    }

    private static String ofSurvivors(List<Row> rows) {
        String pids = rows.stream().map(row -> String.valueOf(row.pid())).collect(Collectors.joining(" "));
        return "close the driver files in the DataLoader's worker_init_fn, or start the workers before the first use"
                + " of the GPU, or use the start method forkserver; to free the memory now: kill " + pids;
    }

    private List<Row> unseen() {
        return each((device, use) -> processes.containsKey(use.pid())
                ? null
                : new Row(
                        use.pid(),
                        use.bytes(),
                        isNested
                                ? "it is outside this PID namespace (such as a container's), and the driver numbers"
                                        + " processes differently there"
                                : "on GPU " + device.index()
                                        + ", not in /proc: it has ended, or runs in a virtual machine"));
    }

    private String ofUnseen() {
        if (isNested) {
            return "run leakline ps on the host, or start the container with --pid=host";
        }
        return "the driver keeps a process's memory until the last process that has its files open ends: end the leftover processes of its"
                + " job, or see who has them open: sudo fuser -v /dev/nvidia*";
    }

    private List<Row> workers() {
        return each((device, use) -> {
            GpuProcess process = processes.get(use.pid());
            return process != null && process.isLoader()
                    ? new Row(
                            use.pid(),
                            use.bytes(),
                            "it loads data, and has a context of its own on GPU " + device.index())
                    : null;
        });
    }

    private List<Row> misplaced() {
        boolean isCut = devices.stream().anyMatch(device -> device.uuid().startsWith("MIG-"));
        return isCut ? List.of() : each(this::misplaced);
    }

    private @Nullable Row misplaced(GpuDevice device, Use use) {
        LocalRank rank = processes.containsKey(use.pid()) ? proc.rank(use.pid()) : null;
        List<GpuDevice> order = rank == null ? List.of() : order(rank);
        if (rank == null || order.isEmpty()) {
            return null;
        }
        int place = order.indexOf(device);
        if (place < 0) {
            return new Row(
                    use.pid(),
                    use.bytes(),
                    "on GPU " + device.index() + ", and it was started with CUDA_VISIBLE_DEVICES="
                            + String.join(",", rank.visible() == null ? List.of() : rank.visible()));
        }
        boolean isOfOther =
                rank.rank() >= 0 && rank.rank() < order.size() && place < rank.size() && place != rank.rank();
        return isOfOther
                ? new Row(
                        use.pid(),
                        use.bytes(),
                        "on GPU " + device.index() + ", that of rank " + place + "; it has rank " + rank.rank()
                                + " and GPU " + order.get(rank.rank()).index())
                : null;
    }

    /** The GPUs as a process counts them; none where that is not certain. */
    private List<GpuDevice> order(LocalRank rank) {
        boolean areAlike = devices.stream().map(GpuDevice::name).distinct().count() == 1;
        if (rank.visible() == null) {
            return areAlike || rank.isByBus() ? devices : List.of();
        }
        List<GpuDevice> order = new ArrayList<>();
        for (String visible : rank.visible()) {
            GpuDevice device = device(visible, areAlike || rank.isByBus());
            if (device == null) {
                return List.of();
            }
            order.add(device);
        }
        return order;
    }

    private @Nullable GpuDevice device(String visible, boolean isByNumber) {
        boolean isNumber = visible.matches("\\d{1,3}");
        return devices.stream()
                .filter(device -> isNumber
                        ? isByNumber && device.index() == Integer.parseInt(visible)
                        : visible.startsWith("GPU-") && device.uuid().startsWith(visible))
                .findFirst()
                .orElse(null);
    }

    /** Decides whether the memory of one process on one GPU is listed. */
    private interface Look {
        @Nullable
        Row at(GpuDevice device, Use use);
    }

    private List<Row> each(Look look) {
        List<Row> rows = new ArrayList<>();
        for (GpuDevice device : devices) {
            for (Use use : device.uses()) {
                Row row = look.at(device, use);
                if (row != null) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }
}
