package dev.leakline.cli.common;

import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Snapshot;
import dev.leakline.Sources;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.result.AnalysisResult;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The inputs given on the command line that could be read; errors of the others are printed.
 *
 * @param inputs what could be read, in order
 * @param exit the exit code that the others call for
 */
public record InputFiles<T extends Input>(List<T> inputs, int exit) {
    /** Files of a folder; a case with more is a store of many. */
    private static final int MOST_FILES = 256;

    private static final int DEPTH = 3;

    /** Opens files of a kind. */
    public interface Opener<T> {
        T open(Path path, LongConsumer progress) throws IOException;
    }

    /** Reads streams of a kind. */
    public interface Reader<T> {
        T read(String name, InputStream stream, LongConsumer progress) throws IOException;
    }

    /** A file that was read, or why it could not be. */
    private record Attempt<T>(
            String file, @Nullable T input, @Nullable IOException failure) {}

    /** Reads files of all kinds, side by side; {@code -} is standard input. */
    public static InputFiles<Input> open(List<String> files) {
        return open(files, (LinePattern) null);
    }

    /** Reads files of all kinds; in texts, only figures that {@code pattern} matches are read, if it is not null. */
    public static InputFiles<Input> open(List<String> files, @Nullable LinePattern pattern) {
        return open(
                files,
                (path, progress) -> Input.open(path, pattern, progress),
                (name, stream, progress) -> Input.read(name, stream, pattern, progress));
    }

    /** The same of folders, too, as the files of one case: those that say nothing about memory are no error there. */
    public static InputFiles<Input> openCase(List<String> given, @Nullable LinePattern pattern) throws IOException {
        List<String> files = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (String name : given) {
            List<String> found = name.equals("-") || !isFolder(path(name)) ? List.of() : filesOf(path(name));
            files.addAll(found.isEmpty() ? List.of(name) : found);
            if (found.isEmpty()) {
                named.add(name);
            }
        }
        return open(
                files,
                (path, progress) -> named.contains(path.toString())
                        ? Input.open(path, pattern, progress)
                        : Input.openAnything(path, progress),
                (name, stream, progress) -> Input.read(name, stream, pattern, progress));
    }

    /** A file itself, or the files of a folder in the order of their names. Folders with a manifest are read as one. */
    public static List<String> ofCase(Path path) throws IOException {
        if (!isFolder(path)) {
            return List.of(path.toString());
        }
        List<String> found = filesOf(path);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("the folder " + path + " is empty");
        }
        return found;
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path) && !isBundle(path);
    }

    private static List<String> filesOf(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder, DEPTH)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .filter(file -> file.toFile().length() > 0 && !JobRecord.is(file))
                    .sorted()
                    .limit(MOST_FILES)
                    .map(Path::toString)
                    .toList();
        }
    }

    /** Returns whether a folder is what gpumemprof or stormlog wrote of one process, and is read as one input. */
    public static boolean isBundle(Path folder) {
        return Files.isRegularFile(folder.resolve("manifest.json"));
    }

    /** Reads snapshots that can be replayed. */
    public static InputFiles<Snapshot> replayable(List<String> given) {
        List<String> files = new ArrayList<>();
        for (String name : given) {
            List<Path> found = name.equals("-") || !isFolder(path(name)) ? List.of() : JobFiles.recordings(path(name));
            files.addAll(
                    found.isEmpty()
                            ? List.of(name)
                            : found.stream().map(Path::toString).toList());
        }
        return open(
                files,
                (path, progress) -> Snapshot.open(path, progress).replayable(),
                (name, stream, progress) ->
                        Snapshot.read(name, stream, progress).replayable());
    }

    /** Reads files of one kind. */
    public static <T extends Input> InputFiles<T> open(List<String> files, Opener<T> opener, Reader<T> reader) {
        files.forEach(InputFiles::path); // names that are none are an error of usage, before anything is read
        List<Attempt<T>> attempts = files.parallelStream()
                .map(file -> attempt(file, opener, reader))
                .toList();
        List<T> inputs = new ArrayList<>();
        int exit = 0;
        for (Attempt<T> attempt : attempts) {
            if (attempt.input != null) {
                inputs.add(attempt.input);
                exit = Math.max(exit, warn(attempt.file, attempt.input));
            }
            if (attempt.failure != null) {
                exit = Failures.report(attempt.file, attempt.failure);
            }
        }
        if (inputs.isEmpty()) {
            attempts.stream().limit(1).forEach(InputFiles::adviseOn);
        }
        return new InputFiles<>(inputs, exit);
    }

    private static void adviseOn(Attempt<?> attempt) {
        if (attempt.failure != null) {
            NextStep.afterUnreadable(attempt.file, attempt.failure);
        }
    }

    private static <T> Attempt<T> attempt(String file, Opener<T> opener, Reader<T> reader) {
        try (Progress progress = new Progress(Printable.of(file, 60))) {
            T input = file.equals("-")
                    ? reader.read("standard input", System.in, progress)
                    : opener.open(path(file), progress);
            return new Attempt<>(file, input, null);
        } catch (IOException e) {
            return new Attempt<>(file, null, e);
        }
    }

    /** Refuses holder dumps without anything else, which say nothing of growth. */
    public static void refuseDumps(List<? extends Input> inputs) {
        if (inputs.stream().allMatch(HolderDump.class::isInstance)) {
            throw new IllegalArgumentException(
                    "expected a snapshot or a report, found a holder dump; leakline holders BEFORE AFTER compares"
                            + " dumps of one process");
        }
    }

    /** The result of the inputs of one case: a report's own, or that of an analysis with the sources. */
    public static AnalysisResult result(List<Input> inputs, Sources sources) {
        EarlierReport earlier = EarlierReport.among(inputs);
        return earlier == null
                ? Analysis.run(inputs, Analysis.Options.ALL.with(sources))
                : sources.attach(earlier.result());
    }

    /** The path that a user means. */
    public static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + file + "' is not a valid path: " + e.getReason(), e);
        }
    }

    private static int warn(String file, Input input) {
        String incomplete = input.incomplete();
        if (incomplete == null) {
            return 0;
        }
        Terminal.err()
                .println("leakline: " + Printable.of(file + ": " + incomplete) + "; reporting on the part before");
        return Failures.UNREADABLE;
    }
}
