package dev.leakline.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leakline.attach.linux.ProcessStat;
import dev.leakline.columns.ProcessSample;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads what Linux says of the host memory of processes, and of what they may use. */
public final class ProcFolder implements AutoCloseable {
    private static final long UNKNOWN = ProcessSample.UNKNOWN;
    private static final long KIB = 1024;
    /** Places among the fields of {@code stat} behind the name: the state, the number of threads, the start time in clock ticks since boot. */
    private static final int STATE = 0;

    private static final int THREADS = 17;
    private static final int START = 19;
    /** A DataLoader has some dozens of workers; what has more descendants is no training job. */
    private static final int MOST_CHILDREN = 1024;

    /** A process has a list of children for each of its threads, so these cost most; a worker that begins counts some seconds later. */
    private static final long KEPT_NANOS = 10_000_000_000L;
    /** Limits are set when a container begins, and seldom changed later. */
    private static final long LIMIT_KEPT_NANOS = 60_000_000_000L;

    private static final int MOST_KEPT = 4096;

    /** Data of a process that seldom changes, and when it was read. */
    private record Slow(String name, long started, long read, List<Long> descendants, long limit, long limitRead) {}

    private final Map<Long, Slow> slow = new HashMap<>();
    private final Path proc;
    private final Path cgroups;
    private final ProcText text;
    /** The memory of the machine, {@link #UNKNOWN} until it was read. */
    private long machine = UNKNOWN;

    ProcFolder(Path proc, Path cgroups) {
        this.proc = proc;
        this.cgroups = cgroups;
        this.text = new ProcText(proc);
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

    /** A process; null where none of that number runs. */
    public @Nullable Host read(long pid) {
        try {
            return host(pid);
        } catch (IOException | RuntimeException e) {
            // It has ended, and its number may be another's by now.
            slow.remove(pid);
        }
        try {
            return host(pid);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private Host host(long pid) throws IOException {
        long rss = text.resident(pid);
        Slow rest = slow(pid);
        if (rss == 0 && hasEnded(pid)) {
            throw new IOException("the process is a zombie: it has ended, and its parent has not read how");
        }
        return new Host(rest.name, rest.started, rss == 0 ? UNKNOWN : rss, ofAll(rest.descendants), rest.limit);
    }

    /** Its first thread may end before others: then nobody says what is resident. */
    private boolean hasEnded(long pid) throws IOException {
        ProcessStat stat = new ProcessStat(text.of(pid, "stat"));
        return stat.field(STATE).equals("Z") && Integer.parseInt(stat.field(THREADS)) <= 1;
    }

    private Slow slow(long pid) throws IOException {
        long now = System.nanoTime();
        Slow known = slow.get(pid);
        if (known == null || now - known.read > KEPT_NANOS) {
            if (slow.size() >= MOST_KEPT) {
                slow.clear();
            }
            ProcessStat stat = new ProcessStat(text.of(pid, "stat"));
            long started = Long.parseLong(stat.field(START));
            boolean isSame = known != null && known.started == started && now - known.limitRead <= LIMIT_KEPT_NANOS;
            Slow before = isSame ? known : null;
            known = new Slow(
                    name(pid, stat.name()),
                    started,
                    now,
                    descendants(pid),
                    before == null ? limit(pid) : before.limit,
                    before == null ? now : before.limitRead);
            slow.put(pid, known);
        }
        return known;
    }

    /** The script or module of a Python, which says more than that it is one; else what the process calls itself. */
    private String name(long pid, String own) {
        if (!own.startsWith("python")) {
            return own;
        }
        try {
            String line = text.of(pid, "cmdline");
            String[] words = new String(line.getBytes(ISO_8859_1), UTF_8).split("\0", -1);
            for (int i = 1; i < words.length && !words[i].equals("-c"); i++) {
                if (words[i].equals("-W") || words[i].equals("-X")) {
                    i++;
                } else if (words[i].equals("-m") && i + 1 < words.length) {
                    return words[i + 1];
                } else if (!words[i].isEmpty() && !words[i].startsWith("-")) {
                    return words[i].substring(words[i].lastIndexOf('/') + 1);
                }
            }
        } catch (IOException e) {
            // it has ended, as the next look says
        }
        return own;
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

    /** The bytes of a line such as {@code VmRSS:  1234 kB}. */
    private static long bytes(String text, String name) {
        int at = text.indexOf(name);
        if (at < 0) {
            return UNKNOWN;
        }
        long kibibytes = 0;
        for (int i = at + name.length(); i < text.length() && text.charAt(i) != '\n'; i++) {
            int digit = Character.digit(text.charAt(i), 10);
            kibibytes = digit < 0 ? kibibytes : kibibytes * 10 + digit;
        }
        return kibibytes * KIB;
    }

    private List<Long> descendants(long pid) {
        List<Long> found = new ArrayList<>(children(pid));
        for (int i = 0; i < found.size() && i < MOST_CHILDREN; i++) {
            found.addAll(children(found.get(i)));
        }
        return found;
    }

    private long ofAll(List<Long> descendants) {
        long sum = 0;
        for (long pid : descendants) {
            try {
                sum += text.resident(pid);
            } catch (IOException | RuntimeException e) {
                // It has ended by now.
            }
        }
        return sum;
    }

    private List<Long> children(long pid) {
        String[] threads = new File(proc + "/" + pid + "/task").list();
        List<Long> children = new ArrayList<>();
        for (String thread : threads == null ? new String[0] : threads) {
            try {
                String list = text.of(pid, "task/" + thread + "/children");
                for (String child :
                        list.isBlank() ? new String[0] : list.strip().split(" ")) {
                    children.add(Long.valueOf(child));
                }
            } catch (IOException | RuntimeException e) {
                // It has ended by now, or the kernel does not list children.
            }
        }
        return children;
    }

    /** The least of the machine's memory and the limits of the process's control groups. */
    private long limit(long pid) throws IOException {
        LongBinaryOperator least = (a, b) -> a < 0 ? b : b < 0 ? a : Math.min(a, b);
        long limit = machine();
        for (String line : text.of(pid, "cgroup").lines().toList()) {
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
            machine = bytes(Files.readString(proc.resolve("meminfo"), StandardCharsets.ISO_8859_1), "MemTotal:");
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

    @Override
    public void close() {
        text.close();
    }
}
