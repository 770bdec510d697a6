package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Report;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.result.AnalysisResult;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The inputs given on the command line that could be read; errors of the others are printed.
 *
 * @param inputs what could be read, in order
 * @param exit the exit code that the others call for
 */
record InputFiles<T extends Input>(List<T> inputs, int exit) {
    /** Opens files of a kind. */
    interface Opener<T> {
        T open(Path path, LongConsumer progress) throws IOException;
    }

    /** Reads streams of a kind. */
    interface Reader<T> {
        T read(String name, InputStream stream, LongConsumer progress) throws IOException;
    }

    /** Reads files of all kinds, one after the other; {@code -} is standard input. */
    static InputFiles<Input> open(List<String> files) {
        return open(files, (LinePattern) null);
    }

    /** Reads files of all kinds; in texts, only figures that {@code pattern} matches are read, if it is not null. */
    static InputFiles<Input> open(List<String> files, @Nullable LinePattern pattern) {
        return open(
                files,
                (path, progress) -> Input.open(path, pattern, progress),
                (name, stream, progress) -> Input.read(name, stream, pattern, progress));
    }

    /** Reads files of one kind. */
    static <T extends Input> InputFiles<T> open(List<String> files, Opener<T> opener, Reader<T> reader) {
        List<T> inputs = new ArrayList<>();
        int exit = 0;
        for (String file : files) {
            try (Progress progress = new Progress(Printable.of(file, 60))) {
                T input = file.equals("-")
                        ? reader.read("standard input", System.in, progress)
                        : opener.open(path(file), progress);
                inputs.add(input);
                exit = Math.max(exit, warn(file, input));
            } catch (IOException e) {
                exit = Failures.report(file, e);
            }
        }
        return new InputFiles<>(inputs, exit);
    }

    /** The result of an input: a report's own, or that of an analysis. */
    static AnalysisResult result(Input input) {
        return switch (input) {
            case Report report -> report.result();
            case HolderDump _ ->
                throw new IllegalArgumentException(
                        "expected a snapshot or a report, found a holder dump; leakline holders BEFORE AFTER compares"
                                + " dumps of one process");
            default -> Analysis.run(List.of(input), Analysis.Options.ALL);
        };
    }

    /** The path that a user means. */
    static Path path(String file) {
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
