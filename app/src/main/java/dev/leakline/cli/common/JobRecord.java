package dev.leakline.cli.common;

import dev.leakline.Sources;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.codec.Codec;
import dev.leakline.report.Given;
import dev.leakline.source.ReadLimits;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The command of a job, in a file beside the recordings that it left. It is repeated in advice, which people and agents run, so it counts only where
 * this user wrote it on this machine: the file is the user's, and names the number that the folder has in its file system, which no archive knows.
 */
public final class JobRecord {
    private static final String NAME = "job.json";

    private JobRecord() {}

    /** Returns whether a file is such a record, by its name. */
    static boolean is(Path file) {
        return file.endsWith(NAME);
    }

    /** Writes it, of a job that was started at a time; a folder in which that cannot be goes without. */
    public static void write(Path folder, List<String> command, Instant started) {
        try {
            String folderNumber = number(folder);
            PrivateFiles.write(
                    folder.resolve(NAME),
                    out -> {
                        JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out);
                        json.writeStartObject();
                        json.writeStringProperty("schema", "leakline.job/1");
                        json.writeStringProperty("folder", folderNumber);
                        json.writeStringProperty("started", started.toString());
                        json.writeArrayPropertyStart("command");
                        command.forEach(json::writeString);
                        json.writeEndArray();
                        json.writeEndObject();
                        json.flush();
                    },
                    PrivateFiles.FILE);
        } catch (IOException | UnsupportedOperationException e) {
            // the report stands without it, and says so by a placeholder
        }
    }

    /** Joins what was given with the command of the job that wrote it, where one is known. */
    public static Given given(List<String> files) {
        return new Given(files, command(records(files)));
    }

    /**
     * The folders that were named; where there is none, the working folder for what a job of this user left, but for files that have changed since
     * that job was started.
     */
    public static Sources sources(List<Path> folders, List<String> files) {
        List<Map<String, Object>> records = folders.isEmpty() ? records(files) : List.of();
        return command(records).isEmpty() ? Sources.of(folders) : Sources.ofJob(InputFiles.path(""), started(records));
    }

    /** The sources below folders that may be read, as {@link #sources} has those below the working folder. */
    public static Sources sourcesBelow(List<Path> roots, List<String> files) {
        List<Map<String, Object>> records = records(files);
        return command(records).isEmpty() ? Sources.of(roots) : Sources.ofJob(roots.getFirst(), started(records));
    }

    /** Says which sources were left out, since they have changed. */
    public static void tellChanged(Sources sources) {
        if (!sources.changed().isEmpty()) {
            Terminal.err()
                    .println("leakline: " + Printable.of(String.join(", ", sources.changed()))
                            + " changed after the job was started: no code of it is shown");
        }
    }

    /** When the first of the jobs was started; at the end of time where that is not known. */
    private static Instant started(List<Map<String, Object>> records) {
        return records.stream()
                .map(record -> String.valueOf(record.get("started")))
                .flatMap(text -> parsed(text).stream())
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    private static Optional<Instant> parsed(String time) {
        try {
            return Optional.of(Instant.parse(time));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** The one command of all records; empty where they have several, or one has none. */
    private static List<String> command(List<Map<String, Object>> records) {
        List<List<String>> commands =
                records.stream().map(JobRecord::command).distinct().toList();
        return commands.size() == 1 ? commands.getFirst() : List.of();
    }

    private static List<String> command(Map<String, Object> record) {
        return record.get("command") instanceof List<?> words
                ? words.stream().map(Objects::toString).toList()
                : List.of();
    }

    /** The records beside files, each folder's read once; an empty one for what has none. */
    private static List<Map<String, Object>> records(List<String> files) {
        return files.stream()
                .map(JobRecord::folder)
                .distinct()
                .map(folder -> folder.map(JobRecord::read).orElseGet(Map::of))
                .toList();
    }

    private static Optional<Path> folder(String file) {
        if (file.equals("-")) {
            return Optional.empty();
        }
        Path path = InputFiles.path(file).toAbsolutePath();
        return Optional.ofNullable(Files.isDirectory(path) ? path : path.getParent());
    }

    /** The record in a folder; empty where it is none that this user's run wrote there. */
    private static Map<String, Object> read(Path folder) {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            return Map.of();
        }
        try (InputStream in = Files.newInputStream(file)) {
            Map<String, Object> read = Codec.readObject(in, ReadLimits.DEFAULT);
            boolean isOurs = number(folder).equals(read.get("folder"))
                    && Files.getOwner(file).getName().equals(System.getProperty("user.name"));
            return isOurs ? read : Map.of();
        } catch (IOException | UnsupportedOperationException e) {
            return Map.of();
        }
    }

    private static String number(Path folder) throws IOException {
        return String.valueOf(Files.getAttribute(folder, "unix:ino"));
    }

    /** Writes the record of a process that runs. */
    public static void write(Path folder, int pid) {
        write(
                folder,
                ofProcess(pid),
                ProcessHandle.of(pid)
                        .flatMap(process -> process.info().startInstant())
                        .orElseGet(Instant::now));
    }

    /** The command of a running process; empty where it cannot be read. */
    public static List<String> ofProcess(int pid) {
        try {
            String line =
                    Files.readString(Path.of("/proc", String.valueOf(pid), "cmdline"), StandardCharsets.ISO_8859_1);
            return new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                    .transform(words ->
                            List.of(words.strip().replaceFirst("\0$", "").split("\0", -1)));
        } catch (IOException e) {
            return List.of();
        }
    }
}
