package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Signals;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a job with the probe inside. Python runs a module {@code sitecustomize} when it starts, and finds ours first, because its folder
 * stands first on PYTHONPATH; the module finds the job's own, and then arms the probe. Children of the job inherit all that.
 */
public final class Launch {
    /**
     * Settings of the probe.
     *
     * @param out the folder for what it writes
     * @param at when it writes, such as {@code exit,oom,interval:30}
     * @param history how many events to keep, 0 for no recording, negative for the probe's own choice
     * @param target the kind of device whose tensors are meant, null for the environment's or CUDA
     * @param probe a folder with another probe, null for Leakline's own
     */
    public record Settings(
            Path out,
            String at,
            long history,
            @Nullable String target,
            @Nullable Path probe) {}

    /**
     * A job that has ended.
     *
     * @param exit its exit code; 128 and the signal's number where a signal ended it
     * @param outputs what its processes wrote, by name
     */
    public record Ended(int exit, List<Path> outputs) {}

    private static final String SEARCH_PATH = "PYTHONPATH";

    private Launch() {}

    /** Runs a command to its end, with this program's input and output. */
    public static Ended run(List<String> command, Settings settings) throws IOException {
        Path out = PrivateFiles.folder(settings.out);
        Path probe = ProbeFiles.extract(settings.probe);
        CompletableFuture<Long> pid = new CompletableFuture<>();
        Signals.passTo(pid);
        try {
            FileTime start = now(probe);
            Process job = start(command, environment(probe, out, settings));
            pid.complete(job.pid());
            return new Ended(await(job), outputs(out, start));
        } finally {
            pid.cancel(false);
            ProbeFiles.remove(probe);
            removeEmpty(out);
        }
    }

    /** Removes the folder where nothing was written to it. */
    private static void removeEmpty(Path out) throws IOException {
        try {
            Files.delete(out);
        } catch (DirectoryNotEmptyException e) {
            // That is what it is for.
        }
    }

    private static Process start(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new LiveException(
                    command.getFirst() + " cannot be started (" + e.getMessage() + ")",
                    "check that it exists and is executable");
        }
    }

    private static Map<String, String> environment(Path probe, Path out, Settings settings) {
        Map<String, String> environment = new HashMap<>();
        String before = System.getenv(SEARCH_PATH);
        String inject = probe.resolve("inject").toString();
        environment.put(
                SEARCH_PATH, before == null || before.isEmpty() ? inject : inject + File.pathSeparator + before);
        environment.put("LEAKLINE_OUT", out.toString());
        environment.put("LEAKLINE_AT", settings.at);
        if (settings.target != null) {
            environment.put("LEAKLINE_TARGET", settings.target);
        }
        if (settings.history >= 0) {
            environment.put("LEAKLINE_HISTORY", String.valueOf(settings.history));
        }
        return environment;
    }

    private static int await(Process job) throws IOException {
        try {
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

    /** What was written since then; a folder may hold what earlier jobs wrote. */
    private static List<Path> outputs(Path out, FileTime start) throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            return files.filter(file -> isWrittenSince(file, start)).sorted().toList();
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
