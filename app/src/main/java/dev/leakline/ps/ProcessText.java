package dev.leakline.ps;

import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.ps.GpuFinding.Row;
import dev.leakline.ps.GpuProcess.Role;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes and the memory that they hold, as text. */
public final class ProcessText {
    private static final String ROW = "  %10s  %8s  %-10s  %s";

    private final GpuProcesses found;
    private final int columns;
    private final List<String> lines = new ArrayList<>();

    private ProcessText(GpuProcesses found, int columns) {
        this.found = found;
        this.columns = columns;
    }

    /** Lines no wider than {@code columns}. */
    public static List<String> of(GpuProcesses found, int columns) {
        ProcessText text = new ProcessText(found, columns);
        found.devices().forEach(text::device);
        text.others();
        found.findings().forEach(text::finding);
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
            line("  %10s  %s".formatted(ByteSize.format(rest), "belongs to no process listed here"));
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
                process == null
                        ? "not in /proc: it has ended, or is outside this PID namespace"
                        : process.command() + kind));
        found.processes().stream()
                .filter(other -> other.role() == Role.WORKER && other.parent() == use.pid())
                .forEach(this::worker);
    }

    private void worker(GpuProcess process) {
        String what = process.isLoader() ? "its DataLoader worker, " : "its child process, ";
        line(ROW.formatted("-", process.pid(), process.user(), what + files(process)));
    }

    private void others() {
        List<GpuProcess> others = found.processes().stream()
                .filter(process ->
                        process.role() == Role.IDLE || (process.role() == Role.WORKER && !isHolder(process.parent())))
                .toList();
        if (!others.isEmpty()) {
            line("Processes with driver files open but no memory:");
            others.forEach(process -> line(
                    ROW.formatted(files(process.deviceFiles()), process.pid(), process.user(), process.command())));
            line("");
        }
    }

    private void finding(GpuFinding finding) {
        line(title(finding.kind()));
        for (Row row : finding.rows()) {
            GpuProcess process = process(row.pid());
            line(ROW.formatted(
                    row.bytes() == Use.UNKNOWN ? "-" : ByteSize.format(row.bytes()),
                    row.pid(),
                    process == null ? "?" : process.user(),
                    process == null ? "?" : process.command()));
            wrap("            " + row.reason());
        }
        wrap("What to do: " + finding.remedy());
        line("");
    }

    private static String title(GpuFinding.Kind kind) {
        return switch (kind) {
            case SURVIVOR -> "Leftover processes of a job that has ended:";
            case UNSEEN -> "Memory of processes that are not visible here:";
            case WRONG_GPU -> "Processes with memory on another rank's GPU:";
            case WORKER -> "DataLoader workers that hold GPU memory:";
        };
    }

    private static String files(GpuProcess process) {
        return "with " + process.deviceFiles() + " driver files open";
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

    /** Words in as many lines as they need, all as far in as the first. */
    private void wrap(String text) {
        String margin = "  " + " ".repeat(text.length() - text.stripLeading().length());
        StringBuilder line = new StringBuilder(margin);
        for (String word : text.strip().split(" ", -1)) {
            if (line.length() + word.length() >= columns && line.length() > margin.length()) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(margin);
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
    }

    private void line(String line) {
        lines.add(line.length() > columns ? line.substring(0, columns - 1) + "…" : line);
    }
}
