package dev.leakline.watch;

import dev.leakline.attach.linux.ProcFile;
import dev.leakline.attach.linux.ProcessStat;
import dev.leakline.live.ProcessSample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** What Linux says of the host memory of processes, and of what they may use. */
public final class ProcFolder {
    private static final long UNKNOWN = ProcessSample.UNKNOWN;
    private static final long KIB = 1024;
    /** The place of the start time, in clock ticks since boot, among the fields of {@code stat} behind the name. */
    private static final int START = 19;
    /** A DataLoader has some dozens of workers; what has more descendants is no training job. */
    private static final int MOST_CHILDREN = 1024;

    private final Path proc;
    private final Path cgroups;
    /** The memory of the machine, {@link #UNKNOWN} until it was read. */
    private long machine = UNKNOWN;

    ProcFolder(Path proc, Path cgroups) {
        this.proc = proc;
        this.cgroups = cgroups;
    }

    /**
     * A process.
     *
     * @param name what it calls itself
     * @param started its start in clock ticks since boot
     * @param rss its resident bytes
     * @param rssChildren those of its descendants
     * @param limit the memory that it may use
     */
    public record Host(String name, long started, long rss, long rssChildren, long limit) {}

    /** A process; null where there is none of that number. */
    public @Nullable Host read(long pid) {
        try {
            ProcessStat stat = new ProcessStat(text(pid, "stat"));
            return new Host(stat.name(), Long.parseLong(stat.field(START)), resident(pid), ofChildren(pid), limit(pid));
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** That of this machine. */
    public static ProcFolder ofThisMachine() {
        return new ProcFolder(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /** The memory of the machine, {@link ProcessSample#UNKNOWN} where nobody says. */
    public long machineBytes() {
        try {
            return machine();
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    private String text(long pid, String file) throws IOException {
        return Files.readString(proc.resolve(pid + "/" + file), StandardCharsets.ISO_8859_1);
    }

    private long resident(long pid) throws IOException {
        return text(pid, "status")
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(ProcFolder::bytes)
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** The bytes of a line such as {@code VmRSS:  1234 kB}. */
    private static long bytes(String line) {
        return Long.parseLong(line.replaceAll("\\D+", "")) * KIB;
    }

    private long ofChildren(long pid) {
        long sum = 0;
        List<Long> open = new ArrayList<>(children(pid));
        for (int i = 0; i < open.size() && i < MOST_CHILDREN; i++) {
            try {
                sum += Math.max(resident(open.get(i)), 0);
                open.addAll(children(open.get(i)));
            } catch (IOException | RuntimeException e) {
                // It has ended by now.
            }
        }
        return sum;
    }

    private List<Long> children(long pid) {
        List<Long> children = new ArrayList<>();
        try {
            for (int thread : ProcFile.numbers(proc.resolve(pid + "/task"))) {
                String list = text(pid, "task/" + thread + "/children");
                for (String child :
                        list.isBlank() ? new String[0] : list.strip().split(" ")) {
                    children.add(Long.valueOf(child));
                }
            }
        } catch (IOException | RuntimeException e) {
            // It has ended by now, or the kernel does not list children.
        }
        return children;
    }

    /** The least of the machine's memory and the limits of the process's control groups. */
    private long limit(long pid) throws IOException {
        LongBinaryOperator least = (a, b) -> a < 0 ? b : b < 0 ? a : Math.min(a, b);
        long limit = machine();
        for (String line : text(pid, "cgroup").lines().toList()) {
            String[] parts = line.split(":", 3);
            boolean isUnified = parts[1].isEmpty();
            if (isUnified || List.of(parts[1].split(",")).contains("memory")) {
                Path root = isUnified ? cgroups : cgroups.resolve("memory");
                String file = isUnified ? "memory.max" : "memory.limit_in_bytes";
                Path group = root.resolve(parts[2].substring(1)).normalize();
                for (; group != null && group.startsWith(root); group = group.getParent()) {
                    limit = least.applyAsLong(limit, limitOf(group.resolve(file)));
                }
            }
        }
        return limit;
    }

    private long machine() throws IOException {
        if (machine < 0) {
            machine = Files.readString(proc.resolve("meminfo"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith("MemTotal:"))
                    .mapToLong(ProcFolder::bytes)
                    .findFirst()
                    .orElse(UNKNOWN);
        }
        return machine;
    }

    private static long limitOf(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            return text.matches("\\d{1,18}") ? Long.parseLong(text) : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
