package dev.leakline.cli.common;

import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Ranks;
import dev.leakline.Snapshot;
import dev.leakline.Summary;
import dev.leakline.result.JobSummary;
import dev.leakline.result.JobSummary.UnreadableFile;
import dev.leakline.result.ProcessSummary;
import dev.leakline.source.HeapBudget;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recordings of a job: files, summaries, and what of a folder is one, by content. They are read side by side, as many at once as there is
 * memory for; what is kept of each is its summary.
 */
public final class JobFiles {
    /** Names of files that a job writes recordings to: one that is empty was meant to be one. */
    private static final Pattern RECORDING = Pattern.compile("(?i).*\\.(pickle|pkl|json)(\\.gz|\\.zst|\\.zstd)?");

    /** A file that was read: the part of the job that it holds, or why there is none. */
    private record Part(
            @Nullable JobSummary summary,
            @Nullable ProcessSummary process,
            @Nullable UnreadableFile unreadable) {}

    private final HeapBudget heap = new HeapBudget();
    private final List<Path> files;
    private int exit;

    private JobFiles(List<Path> files) {
        this.files = files;
    }

    /** Reads all that is given: files, or folders with files. */
    public static JobFiles of(List<String> given) {
        List<Path> files = new ArrayList<>();
        for (String name : given) {
            Path path = InputFiles.path(name).toAbsolutePath().normalize();
            if (Files.isDirectory(path)) {
                files.addAll(recordings(path));
            } else {
                files.add(path);
            }
        }
        if (given.stream().map(InputFiles::path).noneMatch(Files::exists)) {
            throw new UncheckedIOException(new NoSuchFileException(given.getFirst()));
        }
        return new JobFiles(files.stream().distinct().sorted().toList());
    }

    /** Returns whether a folder holds the recordings of several ranks, which are one answer; other folders are the files of one case. */
    public static boolean areRanks(Path path) {
        return Files.isDirectory(path)
                && !InputFiles.isBundle(path)
                && recordings(path).size() > 1;
    }

    /** Files of a folder and those beneath it that hold recordings or summaries, in order; other files are nobody's business. */
    public static List<Path> recordings(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(JobFiles::isRecording)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRecording(Path file) {
        try {
            return Files.size(file) == 0 ? isNamedAsRecording(file) : Ranks.isOfRank(file);
        } catch (IOException e) {
            return isNamedAsRecording(file);
        }
    }

    private static boolean isNamedAsRecording(Path file) {
        return RECORDING.matcher(file.toString()).matches();
    }

    /** The exit code that files which could not be read call for. */
    public int exit() {
        return exit;
    }

    /** The summary of all. */
    public JobSummary read() {
        List<Part> parts = files.parallelStream().map(this::read).toList();
        List<ProcessSummary> processes = new ArrayList<>();
        List<UnreadableFile> unreadable = new ArrayList<>();
        for (Part part : parts) {
            if (part.summary != null) {
                processes.addAll(part.summary.processes());
                unreadable.addAll(part.summary.unreadable());
            }
            if (part.process != null) {
                processes.add(part.process);
            }
            if (part.unreadable != null) {
                unreadable.add(part.unreadable);
                String told = Printable.of(part.unreadable.path() + ": " + part.unreadable.reason());
                Terminal.err().println("leakline: " + told);
                exit = Failures.UNREADABLE;
            }
        }
        return Ranks.job(processes, unreadable);
    }

    private Part read(Path file) {
        return heap.with(file.toString(), size(file), () -> part(file));
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // whoever reads it will meet the error again
        }
    }

    private static Part part(Path file) {
        String path = file.toString().replace('\\', '/');
        try (Progress progress = new Progress(Printable.of(file.toString(), 60))) {
            return part(path, Input.open(InputSource.of(file), Demand.EVIDENCE.to(progress)));
        } catch (ReadException e) {
            return new Part(null, null, new UnreadableFile(path, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            return new Part(null, null, new UnreadableFile(path, "read error: " + e.getMessage()));
        }
    }

    private static Part part(String path, Input input) throws ReadException {
        String incomplete = input.incomplete();
        if (incomplete != null) {
            return new Part(null, null, new UnreadableFile(path, incomplete));
        }
        return switch (input) {
            case Summary summary -> new Part(summary.job(), null, null);
            case Snapshot snapshot -> new Part(null, Ranks.summarize(snapshot, path), null);
            default -> throw new ReadException(Code.NOT_A_SNAPSHOT, 0, "expected a snapshot or a summary of ranks");
        };
    }
}
