package dev.leakline.cli;

import dev.leakline.live.GpuProcess;
import dev.leakline.live.GpuProcess.Role;
import dev.leakline.live.GpuProcesses;
import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.primitive.ByteSize;
import dev.leakline.primitive.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes and the memory that they hold, as text. */
final class ProcessText {
    private static final String ROW = "  %10s  %8s  %-10s  %s";

    private final GpuProcesses found;
    private final int columns;
    private final List<String> lines = new ArrayList<>();

    private ProcessText(GpuProcesses found, int columns) {
        this.found = found;
        this.columns = columns;
    }

    static List<String> of(GpuProcesses found, int columns) {
        ProcessText text = new ProcessText(found, columns);
        found.devices().forEach(text::device);
        text.others();
        text.survivors();
        found.notes().forEach(note -> text.wrap("note: " + note));
        return text.lines;
    }

    private void device(GpuDevice device) {
        String of = device.total() > 0 ? " of " + ByteSize.format(device.total()) : "";
        line("GPU " + device.index() + "  " + Printable.of(device.name()) + "  " + ByteSize.format(device.used()) + of
                + " in use");
        if (!device.uses().isEmpty()) {
            line(ROW.formatted("memory", "PID", "user", "command"));
        }
        device.uses().stream()
                .sorted(Comparator.comparingLong(Use::bytes).reversed())
                .forEach(this::use);
        long rest = device.used() - device.attributed();
        boolean isAnyUnknown = device.uses().stream().anyMatch(use -> use.bytes() == Use.UNKNOWN);
        if (rest > 0 && !isAnyUnknown) {
            line("  %10s  %s".formatted(ByteSize.format(rest), "belongs to no process of this list"));
        }
        line("");
    }

    private void use(Use use) {
        GpuProcess process = process(use.pid());
        String bytes = use.bytes() == Use.UNKNOWN ? "unknown" : ByteSize.format(use.bytes());
        String kind = use.kind().equals("Compute") ? "" : " (" + use.kind() + ")";
        line(ROW.formatted(
                bytes,
                use.pid(),
                process == null ? "?" : process.user(),
                process == null ? "not in /proc: gone, or outside of this PID namespace" : process.command() + kind));
        found.processes().stream()
                .filter(other -> other.role() == Role.WORKER && other.parent() == use.pid())
                .forEach(this::worker);
    }

    private void worker(GpuProcess process) {
        String what = process.isLoader() ? "its DataLoader's worker, " : "its child, ";
        line(ROW.formatted("-", process.pid(), process.user(), what + files(process)));
    }

    private void others() {
        List<GpuProcess> others = found.processes().stream()
                .filter(process ->
                        process.role() == Role.IDLE || (process.role() == Role.WORKER && !isHolder(process.parent())))
                .toList();
        if (!others.isEmpty()) {
            line("With the driver's files open, and no memory:");
            others.forEach(process -> line(
                    ROW.formatted(files(process.deviceFiles()), process.pid(), process.user(), process.command())));
            line("");
        }
    }

    private void survivors() {
        List<GpuProcess> survivors = found.processes().stream()
                .filter(process -> process.role() == Role.SURVIVOR)
                .toList();
        if (!survivors.isEmpty()) {
            line("Survivors of a job that is gone:");
            survivors.forEach(process -> line(
                    ROW.formatted(files(process.deviceFiles()), process.pid(), process.user(), process.command())));
            String pids = String.join(
                    " ",
                    survivors.stream().map(each -> String.valueOf(each.pid())).toList());
            wrap(
                    "Each inherited the driver's files from a process that has ended. While they are open, the driver keeps what that"
                            + " process held. To get the memory back: kill " + pids);
            wrap(
                    "So that it does not happen again, close these files in the DataLoader's worker_init_fn, or start workers before"
                            + " the GPU is first used, or with the start method forkserver.");
            line("");
        }
    }

    private static String files(GpuProcess process) {
        return "with " + process.deviceFiles() + " of the driver's files open";
    }

    private static String files(int count) {
        return count == 1 ? "1 file" : count + " files";
    }

    private boolean isHolder(int pid) {
        GpuProcess process = process(pid);
        return process != null && process.role() == Role.HOLDER;
    }

    private @Nullable GpuProcess process(int pid) {
        return found.processes().stream()
                .filter(process -> process.pid() == pid)
                .findFirst()
                .orElse(null);
    }

    private void wrap(String text) {
        StringBuilder line = new StringBuilder(" ");
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() + 1 > columns && line.length() > 1) {
                lines.add(line.toString());
                line = new StringBuilder(" ");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
    }

    private void line(String line) {
        lines.add(line.length() > columns ? line.substring(0, columns - 1) + "…" : line);
    }
}
