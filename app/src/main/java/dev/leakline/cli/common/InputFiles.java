package dev.leakline.cli.common;

import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Snapshot;
import dev.leakline.Sources;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.result.AnalysisResult;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
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

    /** Takes what was read for one of a kind; throws where it is none. */
    private interface Kind<T> {
        T of(Input input) throws IOException;
    }

    /** A file that was read, or why it could not be. */
    private record Attempt<T>(
            String file, @Nullable T input, @Nullable IOException failure) {}

    /** Reads files of all kinds, side by side; {@code -} is standard input. */
    public static InputFiles<Input> open(List<String> files, Demand demand) {
        return open(files, (_, progress) -> demand.to(progress), input -> input);
    }

    /** Reads files that a job has left, without a word of how far it has come: what is on stderr after the job's lines has Leakline's name before it. */
    public static List<Input> ofJob(List<String> files) {
        return open(files, (_, _) -> Demand.EVIDENCE, input -> input).inputs;
    }

    /** The same of folders, too, as the files of one case: those that say nothing about memory are no error there. */
    public static InputFiles<Input> openCase(List<String> given, @Nullable LinePattern pattern) throws IOException {
        List<String> files = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (String name : given) {
            List<String> found = isFolder(name) ? filesOf(path(name)) : List.of();
            files.addAll(found.isEmpty() ? List.of(name) : found);
            if (found.isEmpty()) {
                named.add(name);
            }
        }
        InputFiles<Input> read = open(
                files,
                (file, progress) -> file.equals("-") || named.contains(file)
                        ? Demand.EVIDENCE.by(pattern).to(progress)
                        : Demand.ANYTHING.to(progress),
                input -> input);
        if (!read.inputs.isEmpty() && read.inputs.stream().noneMatch(Input::isEvidence)) {
            String nothing = "nothing in it says anything about memory";
            return new InputFiles<>(
                    List.of(),
                    Failures.report(String.join(", ", given), new ReadException(Code.NOT_A_SNAPSHOT, -1, nothing)));
        }
        return read;
    }

    /** A file itself, or the files of a folder in the order of their names. Folders with a manifest are read as one. */
    public static List<String> ofCase(Path path) throws IOException {
        if (!isFolder(path)) {
            return List.of(path.toString());
        }
        List<String> found = filesOf(path);
        return found.isEmpty() ? List.of(path.toString()) : found; // which is refused as that
    }

    private static boolean isFolder(String name) {
        return !name.equals("-") && isFolder(path(name));
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

    /** Reads recordings, those of a folder as well. */
    public static InputFiles<Snapshot> recordings(List<String> given) {
        return recordings(given, Snapshot::of);
    }

    /** Reads snapshots that can be replayed. */
    public static InputFiles<Snapshot> replayable(List<String> given) {
        return recordings(given, input -> Snapshot.of(input).replayable());
    }

    private static InputFiles<Snapshot> recordings(List<String> given, Kind<Snapshot> kind) {
        List<String> files = new ArrayList<>();
        for (String name : given) {
            List<Path> found = isFolder(name) ? JobFiles.recordings(path(name)) : List.of();
            files.addAll(
                    found.isEmpty()
                            ? List.of(name)
                            : found.stream().map(Path::toString).toList());
        }
        return open(files, (_, progress) -> Demand.EVIDENCE.to(progress), kind);
    }

    private static <T extends Input> InputFiles<T> open(
            List<String> files, BiFunction<String, LongConsumer, Demand> demand, Kind<T> kind) {
        files.forEach(InputFiles::path); // names that are none are an error of usage, before anything is read
        List<Attempt<T>> attempts =
                files.parallelStream().map(file -> attempt(file, demand, kind)).toList();
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

    private static <T> Attempt<T> attempt(String file, BiFunction<String, LongConsumer, Demand> demand, Kind<T> kind) {
        try (Progress progress = new Progress(Printable.of(file, 60))) {
            InputSource source =
                    file.equals("-") ? InputSource.of("standard input", System.in) : InputSource.of(path(file));
            return new Attempt<>(file, kind.of(Input.open(source, demand.apply(file, progress))), null);
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
