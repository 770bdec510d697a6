package dev.leakline.cli;

import dev.leakline.attach.Attach;
import dev.leakline.attach.Attach.Visit;
import dev.leakline.attach.ProcessTree;
import dev.leakline.attach.RemoteRecording;
import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Pause;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobOptions;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.cli.common.ReportFile;
import dev.leakline.cli.common.Terminal;
import dev.leakline.report.Given;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline attach}: has a running job dump who holds its tensors. */
final class AttachCommand implements Callable<Integer> {
    /** A dump of a million objects takes two seconds; a step between two looks of the main thread can take many. */
    private static final int DEFAULT_TIMEOUT = 60;
    /** Some fifty steps of a large model; a hundred bytes each in the job, and the stacks. */
    private static final long DEFAULT_HISTORY = 200_000;
    /** Longer than a main thread waits for the next batch of a healthy job. */
    private static final int DEFAULT_PATIENCE = 5;
    /** Some steps of a training, some requests of a server: what grows by something in each of them shows. */
    private static final int DEFAULT_GROWTH = 5;
    /** Groups of tensors that are told of in full; the files tell of all. */
    private static final int GROUPS = 3;

    private final PositionalParamSpec pid = PositionalParamSpec.builder()
            .type(Integer.class)
            .paramLabel("PID")
            .arity("1")
            .required(true)
            .description("The Python process; leakline ps lists the processes that use a GPU.")
            .build();
    private final OptionSpec keep =
            JobOptions.keep("Folder for the files that the job writes (default: leakline-PID).");
    private final OptionSpec target = JobOptions.target();
    private final OptionSpec timeout = OptionSpec.builder("--timeout")
            .type(Integer.class)
            .paramLabel("SECONDS")
            .defaultValue(String.valueOf(DEFAULT_TIMEOUT))
            .description("How long to wait for the job to answer (default: " + DEFAULT_TIMEOUT + ").")
            .build();
    private final OptionSpec patience = OptionSpec.builder("--patience")
            .type(Integer.class)
            .paramLabel("SECONDS")
            .defaultValue(String.valueOf(DEFAULT_PATIENCE))
            .description("If the main thread waits in C for this long, dump from a new thread instead, without the"
                    + " autograd graph (default: " + DEFAULT_PATIENCE + ").")
            .build();
    private final OptionSpec length = OptionSpec.builder("--record")
            .type(Integer.class)
            .paramLabel("SECONDS")
            .description("Record the job's allocations for this long before the dump; the job runs slower meanwhile.")
            .build();
    private final OptionSpec growth = OptionSpec.builder("--growth")
            .type(Integer.class)
            .paramLabel("SECONDS")
            .defaultValue(String.valueOf(DEFAULT_GROWTH))
            .description("Dump a second time after this long, to see what grew (default: " + DEFAULT_GROWTH + ").")
            .build();
    private final OptionSpec once = Commands.flag("--once", "Dump only once, so growth is not seen.");
    private final OptionSpec tree = Commands.flag(
            "--tree", "Attach to the process and to all processes below it that have loaded PyTorch, such as workers.");
    private final OptionSpec history = JobOptions.history()
            .defaultValue(String.valueOf(DEFAULT_HISTORY))
            .description("Keep the last N allocations and frees (default: " + DEFAULT_HISTORY + ").")
            .build();
    private final OptionSpec maxPause = JobOptions.maxPause(
            "0",
            "a dump may pause the job",
            "If the whole heap would take longer, only objects that running calls and the job's own modules lead to are dumped;"
                    + " the report says what is missing.");
    private final OptionSpec sampling = JobOptions.sampling();
    private final OptionSpec tries = OptionSpec.builder("--try")
            .type(List.class)
            .auxiliaryTypes(Attach.Try.class)
            .splitRegex(",")
            .paramLabel("WHAT")
            .description("After the looks, call in the job what gives memory back, and say how much came back: gc"
                    + " (gc.collect, which runs finalizers of the job), pinned (PyTorch's cache of pinned blocks is"
                    + " emptied), trim (malloc_trim).")
            .build();
    private final OptionSpec probe = JobOptions.probe("FILE.py");
    private final OptionSpec reportFile =
            JobOptions.report("Write the report to a file, in the form that its name ends in: .json, .html or .txt.");

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "attach",
                "Attaches to a running Python job and dumps who holds each tensor.",
                "The job needs no change. It"
                        + " pauses during each of two dumps, at most about a second per million objects, and then continues.",
                "Needs Linux and permission to debug the process: the same user or root.");
        spec.addPositional(pid);
        List.of(
                        reportFile,
                        growth,
                        once,
                        tree,
                        length,
                        history,
                        keep,
                        target,
                        timeout,
                        patience,
                        maxPause,
                        sampling,
                        tries,
                        probe)
                .forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        int process = pid.<Integer>getValue();
        if (process <= 0) {
            throw new IllegalArgumentException(process + " is not a process ID");
        }
        Duration interval = seconds(growth);
        ReportFile file = ReportFile.of(reportFile);
        if (!tree.<Boolean>getValue()) {
            List<Path> files = new ArrayList<>(tell(process, visit(process)));
            if (isAgain()) {
                files.addAll(look(process, interval));
                files.addAll(again(process));
            }
            conclude(files);
            write(files, file);
            return 0;
        }
        return visitAll(ProcessTree.withTorch(process), interval, file);
    }

    /** Returns whether a second dump is wanted: a recording tells of growth by itself. */
    private boolean isAgain() {
        return !once.<Boolean>getValue() && length.getValue() == null;
    }

    /** Visits processes that may end meanwhile; fails where none of them could be visited. */
    private int visitAll(List<Integer> processes, Duration interval, @Nullable ReportFile file) throws IOException {
        Map<Integer, List<Path>> files = new LinkedHashMap<>();
        int failed = visitEach(processes, files);
        if (isAgain() && !files.isEmpty()) {
            await(interval);
            int _ = visitEach(List.copyOf(files.keySet()), files);
        }
        files.values().forEach(this::conclude);
        write(files.values().stream().flatMap(List::stream).toList(), file);
        return files.isEmpty() ? failed : 0;
    }

    private int visitEach(List<Integer> processes, Map<Integer, List<Path>> files) {
        int failed = Failures.UNREADABLE;
        for (int process : processes) {
            try {
                List<Path> written = tell(
                        process,
                        files.containsKey(process)
                                ? Attach.to(process, options(process), AttachCommand::say)
                                : visit(process));
                files.computeIfAbsent(process, _ -> new ArrayList<>()).addAll(written);
            } catch (IOException e) {
                failed = Failures.report(e);
            }
        }
        return failed;
    }

    /** The files of the second dump; none where the process has ended meanwhile, whose first files say something all the same. */
    private List<Path> again(int process) throws IOException {
        try {
            return tell(process, Attach.to(process, options(process), AttachCommand::say));
        } catch (LiveException e) {
            int _ = Failures.report(e);
            return List.of();
        }
    }

    /** Has the process look at its memory on the host until the second dump. */
    private List<Path> look(int process, Duration interval) throws IOException {
        say("a second dump follows in " + interval.toSeconds() + " s, to see what grows");
        long end = System.nanoTime() + interval.toNanos();
        List<Path> files = List.of();
        try {
            files = Attach.looks(
                            process,
                            new Attach.Looks(
                                    interval,
                                    sampling.<Boolean>getValue(),
                                    Objects.requireNonNullElse(tries.<List<Attach.Try>>getValue(), List.of())),
                            options(process),
                            AttachCommand::say)
                    .files();
        } catch (IOException e) {
            int _ = Failures.report(e);
        }
        Pause.of(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        return files;
    }

    private static void await(Duration interval) throws IOException {
        say("a second dump follows in " + interval.toSeconds() + " s, to see what grows");
        Pause.of(interval);
    }

    private static void say(String text) {
        Terminal.err().println("leakline: " + text);
    }

    private Visit visit(int process) throws IOException {
        if (length.getValue() == null) {
            return Attach.to(process, options(process), AttachCommand::say);
        }
        if (history.<Long>getValue() <= 0) {
            throw new IllegalArgumentException("--history is " + history.getValue() + "; expected a number of events");
        }
        return RemoteRecording.of(
                process, seconds(length), history.<Long>getValue(), options(process), AttachCommand::say);
    }

    private Attach.Options options(int process) {
        String folder = keep.getValue();
        String file = probe.getValue();
        return new Attach.Options(
                file == null ? null : InputFiles.path(file),
                JobOptions.target(target),
                InputFiles.path(folder == null ? "leakline-" + process : folder),
                seconds(timeout),
                seconds(patience),
                JobOptions.pause(maxPause));
    }

    private static Duration seconds(OptionSpec option) {
        int seconds = option.<Integer>getValue();
        if (seconds < 0) {
            throw new IllegalArgumentException(
                    option.longestName() + " is " + seconds + "; expected a number of seconds");
        }
        return Duration.ofSeconds(seconds);
    }

    /** Says what a visit has left; returns the files. */
    private static List<Path> tell(int process, Visit visit) throws IOException {
        Terminal.out()
                .println(
                        "Process " + process + ", " + visit.python() + ": attached " + visit.way() + "; it continues.");
        for (Path file : visit.files()) {
            Terminal.out().println("  " + Printable.of(file.toString()) + "  " + ByteSize.format(Files.size(file)));
        }
        Terminal.out().flush();
        visit.files().stream()
                .limit(1)
                .map(Path::getParent)
                .filter(Objects::nonNull)
                .forEach(folder -> JobRecord.write(folder, process));
        if (!visit.remains().isEmpty()) {
            say(visit.remains());
        }
        return visit.files();
    }

    /** Says what the files of a process tell, or what tells it. */
    private void conclude(List<Path> files) {
        if (files.size() == 1) {
            Terminal.out()
                    .println("To see who holds what: leakline holders "
                            + Given.word(files.getFirst().toString()));
        } else if (!files.isEmpty()) {
            Terminal.out().println();
            Terminal.out().print(report(files, false).text(false, GROUPS, Terminal.style()));
        }
        Terminal.out().flush();
    }

    /** Writes one report of all files, where it is wanted. */
    private static void write(List<Path> files, @Nullable ReportFile file) throws IOException {
        if (file != null && !files.isEmpty()) {
            report(files, file.isPage()).write(file, null);
        }
    }

    private static JobReport report(List<Path> files, boolean isDrawn) {
        return JobReport.of(files, new JobReport.Options(0, isDrawn, 0, List.of()));
    }
}
