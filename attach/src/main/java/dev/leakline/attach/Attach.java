package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Owner;
import dev.leakline.attach.linux.Pause;
import dev.leakline.attach.linux.Ptrace;
import dev.leakline.attach.linux.RemoteMemory;
import dev.leakline.attach.linux.StoppedThread;
import dev.leakline.attach.linux.ThreadActivity;
import dev.leakline.source.ProbeFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A visit to a running Python process: runs the probe once inside, collects what it wrote, and leaves everything as before.
 *
 * <p>The way in depends on the version of Python ({@link RemoteExec}, {@link PendingCall}) and on what the main thread does. One that
 * is alive runs the probe between two of its own instructions. Where it has been waiting in the kernel for a while, a thread is started
 * that runs the probe ({@link OwnThread}); autograd's graph is then left alone, because another thread may be taking it apart.
 */
public final class Attach {
    /** Options of a visit. */
    public static final class Options {
        final @Nullable Path probe;
        final @Nullable String target;
        final Path keep;
        final Duration limit;
        final Duration patience;
        final Duration pause;

        /**
         * Options.
         *
         * @param probe another probe; null for Leakline's own
         * @param target the kind of device whose tensors are meant; null for the probe's own choice
         * @param keep the folder for what the probe writes
         * @param limit how long to wait for it, once the job was asked
         * @param patience how long a main thread that waits is left alone before another is made to run the probe
         * @param pause how long a dump may stop the job; zero where as long as it needs
         */
        public Options(
                @Nullable Path probe,
                @Nullable String target,
                Path keep,
                Duration limit,
                Duration patience,
                Duration pause) {
            this.probe = probe;
            this.target = target;
            this.keep = keep;
            this.limit = limit;
            this.patience = patience;
            this.pause = pause;
        }
    }

    /** Calls that give memory back which is not in use. */
    public enum Try {
        /** The garbage collector. */
        GC,
        /** PyTorch's cache of pinned blocks is emptied. */
        PINNED,
        /** The allocator gives back what is free. */
        TRIM
    }

    /**
     * Looks at the host's memory.
     *
     * @param time for how long
     * @param samplesNative whether to note meanwhile which calls of C and C++ code allocate
     * @param tries what is tried at the end
     */
    public record Looks(Duration time, boolean samplesNative, List<Try> tries) {}

    /**
     * The result of a visit.
     *
     * @param python the version of Python, in words
     * @param way how it was entered, in words
     * @param files what the probe wrote, where it is now
     * @param remains what had to stay in the process, in words; empty where nothing did
     */
    public record Visit(String python, String way, List<Path> files, String remains) {}

    /**
     * The task of the probe.
     *
     * @param name as the script knows it
     * @param entries how many events to record, at most; of looks, for how many seconds
     * @param wasRecording whether the job recorded its memory by itself before
     */
    record Task(String name, long entries, boolean wasRecording) {
        /** Look at the host's memory. */
        static final String LOOKS = "looks";

        /** Write down who holds each tensor. */
        static final Task DUMP = new Task("dump", 0, false);

        /** Returns whether it has to wait for a main thread that waits: the allocator may not be asked in the middle of its work. */
        boolean isPatient() {
            return !equals(DUMP) && !name.equals(LOOKS);
        }
    }

    private static final String ANSWER = "answer";
    private static final String DONE = "done";
    private static final String TEMPLATE = "/dev/leakline/attach/visit.py";
    private static final int MOST_ANSWER = 8192;
    /** Decimal places of milliseconds in seconds. */
    private static final int MILLI = 3;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    /** The oldest Python that the probe is written for is 3.9. */
    private static final int OLDEST_MINOR = 9;

    private final int pid;
    private final Options options;
    private final Consumer<String> progress;
    private Task task = Task.DUMP;
    private String answer = "";
    private byte @Nullable [] sampler;
    private List<Try> tries = List.of();

    Attach(int pid, Options options, Consumer<String> progress) {
        this.pid = pid;
        this.options = options;
        this.progress = progress;
    }

    /**
     * Visits a process.
     *
     * @param pid the number of the process, as this program sees it
     * @param options how
     * @param progress is told in words what takes time
     * @throws LiveException where that is not possible, with the reason and the remedy
     */
    public static Visit to(int pid, Options options, Consumer<String> progress) throws IOException {
        return new Attach(pid, options, progress).visit(Task.DUMP);
    }

    /** Has a process write what PyTorch's allocator holds, without the history of it: quick, however long that is. */
    public static Visit light(int pid, Options options, Consumer<String> progress) throws IOException {
        return new Attach(pid, options, progress).visit(new Task("light", 0, false));
    }

    /**
     * Has a process look at what its memory on the host is used for, again and again for so long. It stands still only while it is copied, once a look.
     */
    public static Visit looks(int pid, Looks wanted, Options options, Consumer<String> progress) throws IOException {
        Attach attach = new Attach(pid, options, progress);
        attach.sampler = wanted.samplesNative ? NativeSampler.read() : null;
        attach.tries = wanted.tries;
        return attach.visit(new Task(Task.LOOKS, wanted.time.toSeconds(), false));
    }

    /** Visits the process for a task. */
    Visit visit(Task reason) throws IOException {
        Permissions.check(pid);
        task = reason;
        try (RemoteMemory memory = RemoteMemory.open(pid);
                PythonImage python = PythonImage.find(pid, memory)) {
            check(python);
            boolean isWaiting = isWaiting();
            Way way = way(python, memory, isWaiting);
            ProbeFiles.clear();
            try (SharedFolder folder = SharedFolder.create(pid)) {
                prepare(folder, !isWaiting || way.entrance instanceof RemoteExec);
                return run(python, way, folder);
            }
        } catch (IOException e) {
            throw explain(e);
        }
    }

    /** Explains a failure. A process that ends fails in many ways, so that comes first. */
    private IOException explain(IOException failure) throws IOException {
        if (Permissions.isGone(pid)) {
            return LiveException.gone(pid);
        }
        return switch (failure) {
            case AccessDeniedException _ -> Permissions.explain(pid);
            case Ptrace.SystemError error when error.number == Ptrace.EPERM -> Permissions.explain(pid);
            case Ptrace.SystemError error ->
                new LiveException("tracing process " + pid + " failed: " + error.getMessage(), "try again");
            case StoppedThread.NotStopping stuck ->
                new LiveException(
                        stuck.getMessage() + " (it waits for " + ThreadActivity.waitsFor(pid) + ")",
                        "it is blocked in the kernel, probably in a driver; nothing was changed");
            default -> failure;
        };
    }

    private static void check(PythonImage python) throws LiveException {
        if (python.isFreeThreaded()) {
            throw new LiveException(
                    "this is " + python.version()
                            + " without the global interpreter lock: other threads cannot be paused while objects are read",
                    "run the job with a standard build of Python");
        }
        if (python.minor() < OLDEST_MINOR) {
            throw new LiveException(
                    "this is " + python.version() + ", but the probe needs 3." + OLDEST_MINOR + " or later",
                    "run the job with a later Python");
        }
    }

    private boolean isWaiting() throws IOException {
        boolean isWaiting = !ThreadActivity.isSeenWithin(pid, task.isPatient() ? options.limit : options.patience);
        if (isWaiting && task.isPatient()) {
            throw new LiveException(
                    "the main thread of process " + pid + " has been waiting for " + ThreadActivity.waitsFor(pid)
                            + " for " + options.limit.toSeconds()
                            + " s; its memory can be recorded only while it runs",
                    "try again, or wait longer with --timeout");
        }
        if (isWaiting) {
            progress.accept("the main thread waits for " + ThreadActivity.waitsFor(pid)
                    + ", so the autograd graph is read only if that is an event loop of asyncio, which is woken");
        }
        return isWaiting;
    }

    /** A way to enter the process, and its name. */
    private record Way(Entrance entrance, String name) {}

    private Way way(PythonImage python, RemoteMemory memory, boolean isWaiting) throws IOException {
        Entrance own =
                RemoteExec.fits(python) && !(isWaiting && PendingCall.fits()) ? RemoteExec.of(python, memory) : null;
        if (own != null) {
            return new Way(own, "through Python's remote debugging interface");
        }
        if (!PendingCall.fits()) {
            return new Way(new Gdb(pid), "with gdb");
        }
        return isWaiting
                ? new Way(
                        OwnThread.of(pid, python, memory),
                        "through a new thread, while the main thread waits for " + ThreadActivity.waitsFor(pid))
                : new Way(PendingCall.of(pid, python, memory), "through a pending call");
    }

    private void prepare(SharedFolder folder, boolean walksGraph) throws IOException {
        String template = new String(ProbeFiles.resource(TEMPLATE), StandardCharsets.UTF_8);
        String settings =
                "FOLDER = '%s'\nNAME = '%s'\nWALKS_GRAPH = %s\nTARGET = '%s'\nTASK = '%s'\nENTRIES = %d\nMAX_PAUSE = %s\n"
                                .formatted(
                                        folder.theirs(),
                                        name(),
                                        python(walksGraph),
                                        options.target == null ? "" : options.target,
                                        task.name,
                                        task.entries,
                                        BigDecimal.valueOf(options.pause.toMillis(), MILLI)
                                                .toPlainString())
                        + "WAS_RECORDING = " + python(task.wasRecording) + "\nNATIVE = "
                        + (sampler == null ? "''" : "FOLDER + '/" + NativeSampler.NAME + "'") + "\nTRIES = '"
                        + tries.stream()
                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(","))
                        + "'\n";
        if (sampler != null) {
            folder.put(NativeSampler.NAME, sampler);
        }
        folder.put(
                ProbeFiles.PROBE,
                options.probe == null ? ProbeFiles.read(ProbeFiles.PROBE) : Files.readAllBytes(options.probe));
        folder.put(script(), (settings + template).getBytes(StandardCharsets.UTF_8));
        folder.handOver(Owner.of(pid));
    }

    /** The name of what the process runs; it has the number of the process, so that nobody removes it before that has ended. */
    private String script() {
        return "visit-" + pid + ".py";
    }

    private static String python(boolean truth) {
        return truth ? "True" : "False";
    }

    /** A name that no earlier visit's files of the kind have: two dumps of one process are what growth is told from. */
    private String name() {
        String end = task.name.equals(Task.LOOKS) ? "." + ProbeFile.LOOKS : ".holders";
        int visit = 1;
        while (Files.exists(options.keep.resolve(name(visit) + end))) {
            visit++;
        }
        return name(visit);
    }

    private String name(int visit) {
        return visit == 1 ? "attach-" + pid : "attach-" + visit + "-" + pid;
    }

    private Visit run(PythonImage python, Way way, SharedFolder folder) throws IOException {
        answer = "";
        String remains = "";
        try {
            way.entrance.enter(folder.theirs() + "/" + script());
            answer = await(folder);
        } catch (LiveException e) {
            if (!Permissions.isGone(pid) || !hasLooks(folder)) {
                throw e;
            }
            answer = DONE; // it ended meanwhile; what it wrote until then is whole
        } finally {
            remains = Permissions.isGone(pid) ? "" : way.entrance.withdraw(!answer.isEmpty());
        }
        if (answer.isEmpty() && !hasLooks(folder)) {
            throw late(remains);
        }
        if (!answer.isEmpty() && !answer.startsWith(DONE)) {
            throw new LiveException("the probe failed inside the job: " + answer, "the job continues");
        }
        return new Visit(python.version(), way.name, collected(folder), remains);
    }

    /** Returns whether the process has written looks, of which each is whole. */
    private boolean hasLooks(SharedFolder folder) throws IOException {
        return folder.size(name() + "." + ProbeFile.LOOKS) > 0;
    }

    private List<Path> collected(SharedFolder folder) throws IOException {
        return folder.collect(
                options.keep, Set.of(script(), ProbeFiles.PROBE, NativeSampler.NAME, ANSWER, "answer.part"));
    }

    /** Returns whether the last visit found that the job recorded its memory already. */
    boolean foundRecording() {
        return answer.equals(DONE + " already");
    }

    /** The job's answer, empty where it does not come in time. While looks are being written, the time begins anew. */
    private String await(SharedFolder folder) throws IOException {
        long begin = System.nanoTime();
        long written = 0;
        while (true) {
            String said = folder.read(ANSWER, MOST_ANSWER);
            if (said != null) {
                return said;
            }
            checkAlive();
            if (System.nanoTime() - begin > options.limit.toNanos()) {
                long before = written;
                written = folder.size(name() + "." + ProbeFile.LOOKS);
                if (written == before) {
                    return "";
                }
                begin = System.nanoTime();
            }
            Pause.of(BETWEEN_LOOKS);
        }
    }

    private LiveException late(String remains) {
        return new LiveException(
                "process " + pid + " did not run the probe within " + options.limit.toSeconds()
                        + " s; its main thread waits for " + ThreadActivity.waitsFor(pid)
                        + " or runs C code without returning to Python"
                        + (remains.isEmpty() ? "" : "; " + remains),
                "try again, or wait longer with --timeout");
    }

    private void checkAlive() throws IOException {
        if (Permissions.isGone(pid)) {
            throw LiveException.gone(pid);
        }
        Permissions.checkState(pid);
    }
}
