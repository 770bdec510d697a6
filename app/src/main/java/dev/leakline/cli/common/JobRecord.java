package dev.leakline.cli.common;

import dev.leakline.Sources;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.codec.Codec;
import dev.leakline.report.Given;
import dev.leakline.source.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** Writes it; a folder in which that cannot be goes without. */
    public static void write(Path folder, List<String> command) {
        try {
            String folderNumber = number(folder);
            PrivateFiles.write(
                    folder.resolve(NAME),
                    out -> {
                        JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out);
                        json.writeStartObject();
                        json.writeStringProperty("schema", "leakline.job/1");
                        json.writeStringProperty("folder", folderNumber);
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
        List<List<String>> commands =
                files.stream().map(JobRecord::command).distinct().toList();
        return new Given(files, commands.size() == 1 ? commands.getFirst() : List.of());
    }

    /** The folders that were named; where there is none, the working folder for what a job of this user left. */
    public static Sources sources(List<Path> folders, List<String> files) {
        boolean isOwn = folders.isEmpty() && !given(files).job().isEmpty();
        return isOwn ? Sources.ofJob(InputFiles.path("")) : Sources.of(folders);
    }

    private static List<String> command(String file) {
        if (file.equals("-")) {
            return List.of();
        }
        Path path = InputFiles.path(file).toAbsolutePath();
        Path folder = Files.isDirectory(path) ? path : path.getParent();
        return folder == null ? List.of() : read(folder);
    }

    private static List<String> read(Path folder) {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        try (InputStream in = Files.newInputStream(file)) {
            Map<String, Object> read = Codec.readObject(in, ReadLimits.DEFAULT);
            boolean isOurs = number(folder).equals(read.get("folder"))
                    && Files.getOwner(file).getName().equals(System.getProperty("user.name"));
            return isOurs && read.get("command") instanceof List<?> words
                    ? words.stream().map(Objects::toString).toList()
                    : List.of();
        } catch (IOException | UnsupportedOperationException e) {
            return List.of();
        }
    }

    private static String number(Path folder) throws IOException {
        return String.valueOf(Files.getAttribute(folder, "unix:ino"));
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
