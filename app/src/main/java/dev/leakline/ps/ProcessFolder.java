package dev.leakline.ps;

import dev.leakline.attach.linux.ProcFile;
import dev.leakline.attach.linux.ProcessStat;
import dev.leakline.primitive.Ints;
import dev.leakline.ps.GpuProcess.Role;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads processes and the NVIDIA driver files that they have open from {@code /proc}. */
final class ProcessFolder {
    private static final Pattern DEVICE = Pattern.compile("/dev/nvidia(\\d{1,3})?.*");
    private static final int MOST_COMMAND = 4096;
    /** Linux gives a program a quarter of its stack for them, 2 MiB by default. */
    private static final int MOST_VARIABLES = 2 << 20;

    /** Fields of {@code /proc/PID/stat} after the name in brackets: state, parent, group, session. */
    private static final int PARENT = 1;

    private static final int GROUP = 2;
    private static final int SESSION = 3;

    private final Path proc;
    private int hidden;

    /** Reads a folder that is laid out like {@code /proc}. */
    ProcessFolder(Path proc) {
        this.proc = proc;
    }

    /** How many processes did not let us see which files they have open. */
    int hidden() {
        return hidden;
    }

    List<Integer> pids() throws IOException {
        return ProcFile.numbers(proc);
    }

    /** A process, or null where it is gone by now. */
    @Nullable
    GpuProcess read(int pid) {
        Path folder = proc.resolve(String.valueOf(pid));
        try {
            ProcessStat stat = new ProcessStat(text(folder.resolve("stat")));
            List<String> files = deviceFiles(folder.resolve("fd"));
            return new GpuProcess(
                    pid,
                    Integer.parseInt(stat.field(PARENT)),
                    Integer.parseInt(stat.field(GROUP)),
                    Integer.parseInt(stat.field(SESSION)),
                    Files.getOwner(folder).getName(),
                    Printable.of(stat.name(), 64),
                    command(folder, stat.name()),
                    files.size(),
                    devices(files),
                    Role.IDLE);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** The rank that a process was started for, from its environment; null if that is not readable, or of another container. */
    @Nullable
    LocalRank rank(int pid) {
        try {
            Path folder = proc.resolve(String.valueOf(pid));
            if (!target(folder.resolve("ns/mnt")).equals(target(proc.resolve("self/ns/mnt")))) {
                return null;
            }
            Map<String, String> variables = new HashMap<>();
            for (String variable :
                    text(folder.resolve("environ"), MOST_VARIABLES).split("\0", -1)) {
                int equals = variable.indexOf('=');
                if (equals > 0) {
                    variables.put(variable.substring(0, equals), variable.substring(equals + 1));
                }
            }
            return LocalRank.of(variables);
        } catch (IOException e) {
            return null;
        }
    }

    private static String command(Path folder, String name) throws IOException {
        String command = text(folder.resolve("cmdline")).replace('\0', ' ').strip();
        return command.isEmpty() ? "[" + Printable.of(name, 64) + "]" : Printable.of(command, MOST_COMMAND);
    }

    private List<String> deviceFiles(Path folder) throws IOException {
        try (Stream<Path> links = Files.list(folder)) {
            return links.map(ProcessFolder::target)
                    .filter(target -> DEVICE.matcher(target).matches())
                    .toList();
        } catch (AccessDeniedException e) {
            hidden++;
            return List.of();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static Ints devices(List<String> files) {
        TreeSet<Integer> numbers = new TreeSet<>();
        for (String file : files) {
            Matcher device = DEVICE.matcher(file);
            if (device.matches() && device.group(1) != null) {
                numbers.add(Integer.valueOf(device.group(1)));
            }
        }
        return Ints.of(numbers.stream().mapToInt(Integer::intValue).toArray());
    }

    private static String text(Path file) throws IOException {
        return text(file, MOST_COMMAND);
    }

    private static String text(Path file, int most) throws IOException {
        try (java.io.InputStream stream = Files.newInputStream(file)) {
            return new String(stream.readNBytes(most), StandardCharsets.UTF_8);
        }
    }
}
