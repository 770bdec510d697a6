package dev.leakline.cli;

import dev.leakline.attach.Attach;
import dev.leakline.attach.Attach.Visit;
import dev.leakline.attach.RemoteRecording;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
    private final OptionSpec history = JobOptions.history()
            .defaultValue(String.valueOf(DEFAULT_HISTORY))
            .description("Keep the last N allocations and frees (default: " + DEFAULT_HISTORY + ").")
            .build();
    private final OptionSpec probe = JobOptions.probe("FILE.py");

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "attach",
                "Attaches to a running Python job and dumps who holds each tensor.",
                "The job needs no change. It"
                        + " pauses during the dump, about a second per million objects, and then continues.",
                "Needs Linux and permission to debug the process: the same user or root.");
        spec.addPositional(pid);
        List.of(length, history, keep, target, timeout, patience, probe).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        int process = pid.<Integer>getValue();
        if (process <= 0) {
            throw new IllegalArgumentException(process + " is not a process ID");
        }
        tell(process, visit(process));
        return 0;
    }

    private Visit visit(int process) throws IOException {
        Consumer<String> progress = text -> Terminal.err().println("leakline: " + text);
        if (length.getValue() == null) {
            return Attach.to(process, options(process), progress);
        }
        if (history.<Long>getValue() <= 0) {
            throw new IllegalArgumentException("--history is " + history.getValue() + "; expected a number of events");
        }
        return RemoteRecording.of(process, seconds(length), history.<Long>getValue(), options(process), progress);
    }

    private Attach.Options options(int process) {
        String folder = keep.getValue();
        String file = probe.getValue();
        return new Attach.Options(
                file == null ? null : InputFiles.path(file),
                JobOptions.target(target),
                InputFiles.path(folder == null ? "leakline-" + process : folder),
                seconds(timeout),
                seconds(patience));
    }

    private static Duration seconds(OptionSpec option) {
        int seconds = option.<Integer>getValue();
        if (seconds < 0) {
            throw new IllegalArgumentException(
                    option.longestName() + " is " + seconds + "; expected a number of seconds");
        }
        return Duration.ofSeconds(seconds);
    }

    private void tell(int process, Visit visit) throws IOException {
        Terminal.out()
                .println(
                        "Process " + process + ", " + visit.python() + ": attached " + visit.way() + "; it continues.");
        for (Path file : visit.files()) {
            Terminal.out().println("  " + Printable.of(file.toString()) + "  " + ByteSize.format(Files.size(file)));
        }
        if (length.getValue() != null) {
            Terminal.out().println("leakline report with both files shows what leaks and who holds it.");
        } else if (!visit.files().isEmpty()) {
            Terminal.out().println("leakline holders FILE shows who holds what.");
        }
        if (!visit.remains().isEmpty()) {
            Terminal.err().println("leakline: " + visit.remains());
        }
        Terminal.out().flush();
    }
}
