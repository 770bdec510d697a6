package dev.leakline.attach;

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
 * @param snapshot its memory history
 * @param dumps who held what: while it grew, and at the moment of the snapshot
 * @param counters what was counted
 */
public record ProbeOutputs(Path stem, Optional<Path> snapshot, List<Path> dumps, Optional<Path> counters) {
    private static final Pattern NAME =
            Pattern.compile("(?<stem>.+?)\\.(?<kind>pickle|counters\\.jsonl|((growth|growth-before)\\.)?holders)");

    /** The processes that wrote some of these files, in the order of their first ones. */
    public static List<ProbeOutputs> of(List<Path> files) {
        Map<Path, List<Path>> processes = new LinkedHashMap<>();
        for (Path file : files) {
            Matcher name = NAME.matcher(file.getFileName().toString());
            if (name.matches()) {
                Path stem = file.resolveSibling(name.group("stem"));
                processes.computeIfAbsent(stem, _ -> new ArrayList<>()).add(file);
            }
        }
        return processes.entrySet().stream()
                .map(process -> of(process.getKey(), process.getValue()))
                .toList();
    }

    private static ProbeOutputs of(Path stem, List<Path> files) {
        return new ProbeOutputs(
                stem,
                ending(files, ".pickle").findFirst(),
                ending(files, ".holders").toList(),
                ending(files, ".counters.jsonl").findFirst());
    }

    private static Stream<Path> ending(List<Path> files, String end) {
        return files.stream().filter(file -> file.toString().endsWith(end));
    }

    /** A file beside those, such as a report. */
    public Path beside(String end) {
        return stem.resolveSibling(stem.getFileName() + end);
    }
}
