package dev.leakline.attach;

import dev.leakline.source.ProbeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that the probe wrote in one process, by their names.
 *
 * @param stem what all of them begin with
 * @param snapshot its memory history, the last that was written
 * @param isFinal whether that was written at the end, and not while the process's memory grew
 * @param dumps who held what: while it grew, and at the moment of the snapshot
 * @param counters what was counted
 * @param host how much of the host's memory it had
 * @param memory what that was used for, look by look
 */
public record ProbeOutputs(
        Path stem,
        Optional<Path> snapshot,
        boolean isFinal,
        List<Path> dumps,
        Optional<Path> counters,
        Optional<Path> host,
        Optional<Path> memory) {
    /** How the probe names what it writes until that is whole. */
    private static final Pattern PART = Pattern.compile("(?<whole>.+)\\.[0-9a-f]{16}\\.tmp");

    /** The processes that wrote some of these files, in the order of their first ones. */
    public static List<ProbeOutputs> of(List<Path> files) {
        Map<String, List<Path>> processes = new LinkedHashMap<>();
        for (Path file : files) {
            ProbeFile written = ProbeFile.of(file.getFileName().toString());
            if (written != null) {
                processes
                        .computeIfAbsent(written.stem(), _ -> new ArrayList<>())
                        .add(file);
            }
        }
        return processes.entrySet().stream()
                .map(process -> of(process.getValue().getFirst().resolveSibling(process.getKey()), process.getValue()))
                .toList();
    }

    /** The number of the process that wrote a file of such a name, -1 where none did. */
    static int pid(Path file) {
        ProbeFile written = ProbeFile.of(file.getFileName().toString());
        return written == null ? -1 : written.pid();
    }

    /** The number of the process that began to write a file and did not end, -1 where none did. */
    static int pidOfPart(Path file) {
        Matcher part = PART.matcher(file.getFileName().toString());
        return part.matches() ? pid(Path.of(part.group("whole"))) : -1;
    }

    /** The number of the process. */
    public int pid() {
        return pid(beside(".pickle"));
    }

    private static ProbeOutputs of(Path stem, List<Path> files) {
        Optional<Path> growth = ending(files, ".growth.pickle").findFirst();
        Optional<Path> last = ending(files, ".pickle")
                .filter(file -> !Optional.of(file).equals(growth))
                .findFirst();
        return new ProbeOutputs(
                stem,
                last.or(() -> growth),
                last.isPresent(),
                ending(files, ".holders").toList(),
                ending(files, "." + ProbeFile.COUNTERS).findFirst(),
                ending(files, "." + ProbeFile.LEVELS).findFirst(),
                ending(files, "." + ProbeFile.LOOKS).findFirst());
    }

    private static Stream<Path> ending(List<Path> files, String end) {
        return files.stream().filter(file -> file.toString().endsWith(end));
    }

    /** A file beside those, such as a report. */
    public Path beside(String end) {
        return stem.resolveSibling(stem.getFileName() + end);
    }
}
