package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.OwnedFolders;
import dev.leakline.attach.linux.Signals;
import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a job with the probe inside. Python runs a module {@code sitecustomize} when it starts, and finds ours first, because its folder
 * stands first on PYTHONPATH; the module finds the job's own, and then arms the probe. Children of the job inherit all that.
 */
public final class Launch implements AutoCloseable {
    /**
     * Settings of the probe.
     *
     * @param out the folder for what it writes
     * @param at when it writes, such as {@code exit,oom,interval:30}
     * @param pause how long a dump while memory grows may take, zero for as long as it needs
     * @param history how many events to keep, 0 for no recording, negative for the probe's own choice
     * @param target the kind of device whose tensors are meant, null for the environment's or CUDA
     * @param probe a folder with another probe, null for Leakline's own
     * @param samplesNative whether to note which calls of C and C++ code allocate
     * @param estimatedSteps steps of the optimizer to be estimated on a GPU that is not there; 0 where the job is to run as it is
     */
    public record Settings(
            Path out,
            String at,
            Duration pause,
            long history,
            @Nullable String target,
            @Nullable Path probe,
            boolean samplesNative,
            int estimatedSteps) {}

    /**
     * A job that has ended.
     *
     * @param exit its exit code; 128 and the signal's number where a signal ended it
     * @param outputs what its processes wrote, by name
     * @param processes those that had the probe
     * @param trouble why nothing could be written to the folder, empty where that could be
     */
    public record Ended(int exit, List<Path> outputs, List<ProbedProcess> processes, String trouble) {}

    private static final String SEARCH_PATH = "PYTHONPATH";
    /** The folder, beside the probe, for notes of processes, and for files for which there is no room where they should be. */
    private static final String NOTES = "run";

    private static final String NO_ROOM = "there is no room for the probe in any folder for temporary files";

    private final Settings settings;
    /** Null where there is no room for it; then the job runs without. */
    private final @Nullable Path probe;

    /** A folder in memory for files for which no disk has room; the probe makes it when it is needed. */
    private final Path spare = new OwnedFolders(PrivateFiles.MEMORY).next(PrivateFiles.uniqueName());

    private @Nullable Path out;
    private String trouble = "";

    private Launch(Settings settings, @Nullable Path probe) {
        this.settings = settings;
        this.probe = probe;
    }

    /** Prepares a job; what it writes for want of another place is removed when this is closed. */
    public static Launch of(Settings settings) throws IOException {
        byte[] sampler = settings.samplesNative ? NativeSampler.read() : new byte[0];
        try {
            Path probe = ProbeFiles.extract(settings.probe);
            Files.createDirectory(probe.resolve(NOTES), PrivateFiles.FOLDER);
            if (settings.estimatedSteps > 0) {
                ProbeFiles.addEstimate(probe);
            }
            if (settings.samplesNative) {
                PrivateFiles.create(probe.resolve(NativeSampler.NAME), sampler);
            }
            return new Launch(settings, probe);
        } catch (IOException e) {
            return new Launch(settings, null);
        }
    }

    /**
     * Runs a command to its end, with this program's input and output; {@code growth} is told, in another thread, of each that shows meanwhile, and {@code
     * started} of its first process.
     */
    public Ended run(List<String> command, Consumer<SeenGrowth> growth, LongConsumer started) throws IOException {
        CompletableFuture<@Nullable Long> pid = new CompletableFuture<>();
        AutoCloseable passing = Signals.passTo(pid::get);
        try {
            Map<String, String> environment = probe == null ? Map.of() : environment(probe, folder(probe));
            Process job = start(command, environment);
            pid.complete(job.pid());
            started.accept(job.pid());
            int exit = await(job, growth);
            return probe == null ? new Ended(exit, List.of(), List.of(), NO_ROOM) : ended(exit, probe);
        } finally {
            pid.complete(null);
            close(passing);
        }
    }

    private static void close(AutoCloseable passing) throws IOException {
        try {
            passing.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** The folder for what the job writes; where there can be none, which keeps no job from running, that for its notes. */
    private Path folder(Path from) {
        try {
            out = PrivateFiles.folder(settings.out);
            return out;
        } catch (FileAlreadyExistsException e) {
            trouble = "it is a file and not a folder";
        } catch (FileSystemException e) {
            trouble = e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getReason());
        } catch (IOException e) {
            trouble = String.valueOf(e.getMessage());
        }
        return from.resolve(NOTES);
    }

    private Ended ended(int exit, Path from) throws IOException {
        FileTime start = now(from);
        Path notes = from.resolve(NOTES);
        List<ProbedProcess> processes = ProbedProcess.of(notes);
        Map<String, Path> outputs = new TreeMap<>(); // of two by one name, that of the place where files went later
        if (out != null) {
            Set<Integer> own = processes.stream().map(ProbedProcess::pid).collect(Collectors.toSet());
            written(out, start, ProbeOutputs::pid).stream()
                    .filter(file -> own.isEmpty() || own.contains(ProbeOutputs.pid(file)))
                    .forEach(file -> outputs.put(file.getFileName().toString(), file));
            removeParts(written(out, start, ProbeOutputs::pidOfPart), own);
        }
        for (Path later : List.of(notes, spare)) {
            written(later, start, ProbeOutputs::pid)
                    .forEach(file -> outputs.put(file.getFileName().toString(), file));
        }
        String reason = processes.stream()
                .map(ProbedProcess::trouble)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(trouble);
        return new Ended(exit, List.copyOf(outputs.values()), processes, reason);
    }

    /** Removes what processes of the job were writing when they were killed; what still runs may go on. */
    private static void removeParts(List<Path> parts, Set<Integer> own) throws IOException {
        for (Path part : parts) {
            int pid = ProbeOutputs.pidOfPart(part);
            if (own.contains(pid) && ProcessHandle.of(pid).isEmpty()) {
                Files.deleteIfExists(part);
            }
        }
    }

    /** Removes what was only for the job, the folder for its files where nothing was written to it, and what earlier ones left that were killed. */
    @Override
    public void close() throws IOException {
        if (probe != null) {
            ProbeFiles.remove(probe);
        }
        if (Files.exists(spare)) {
            ProbeFiles.remove(spare);
        }
        ProbeFiles.clear();
        if (out != null) {
            try {
                Files.delete(out);
            } catch (IOException e) {
                // It has files, which is what it is for; or the job removed it, or it is where a file system is
                // mounted.
            }
        }
    }

    /** Gives what is started the locale of whoever started this program, where the launcher gave Java another. */
    public static void restoreLocale(ProcessBuilder builder) {
        String before = System.getProperty("leakline.locale");
        if (before != null && before.isEmpty()) {
            builder.environment().remove("LC_ALL");
        } else if (before != null) {
            builder.environment().put("LC_ALL", before);
        }
    }

    private static Process start(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        restoreLocale(builder);
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new LiveException(
                    command.getFirst() + " cannot be started", "check that it exists and is executable");
        }
    }

    private Map<String, String> environment(Path probe, Path out) {
        Map<String, String> environment = new HashMap<>();
        String before = System.getenv(SEARCH_PATH);
        String inject = probe.resolve("inject").toString();
        environment.put(
                SEARCH_PATH, before == null || before.isEmpty() ? inject : inject + File.pathSeparator + before);
        environment.put("LEAKLINE_OUT", out.toString());
        environment.put("LEAKLINE_RUN", probe.resolve(NOTES).toString());
        environment.put("LEAKLINE_SPARE", spare.toString());
        environment.put("LEAKLINE_AT", settings.at);
        environment.put("LEAKLINE_MAX_PAUSE", String.valueOf(settings.pause.toMillis()));
        if (settings.samplesNative) {
            environment.put("LEAKLINE_NATIVE", probe.resolve(NativeSampler.NAME).toString());
        }
        if (settings.target != null) {
            environment.put("LEAKLINE_TARGET", settings.target);
        }
        if (settings.estimatedSteps > 0) {
            environment.put("LEAKLINE_ESTIMATE", String.valueOf(settings.estimatedSteps));
        }
        if (settings.history >= 0) {
            environment.put("LEAKLINE_HISTORY", String.valueOf(settings.history));
        }
        return environment;
    }

    private int await(Process job, Consumer<SeenGrowth> growth) throws IOException {
        try (GrowthNotes _ = probe == null ? null : new GrowthNotes(probe.resolve(NOTES), growth)) {
            return job.waitFor();
        } catch (InterruptedException e) {
            job.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** The time as the file system has it, which may be coarser than the clock's. */
    private static FileTime now(Path folder) throws IOException {
        return Files.getLastModifiedTime(folder.resolve("inject"));
    }

    /** Files of named processes written since then; a folder may hold what earlier jobs wrote. */
    private static List<Path> written(Path folder, FileTime start, ToIntFunction<Path> pid) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> isWrittenSince(file, start))
                    .filter(file -> pid.applyAsInt(file) >= 0)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean isWrittenSince(Path file, FileTime start) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(file).compareTo(start) >= 0;
        } catch (IOException e) {
            return false;
        }
    }
}
