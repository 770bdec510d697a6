package dev.leakline.cli;

import dev.leakline.attach.JobEnding;
import dev.leakline.attach.Launch;
import dev.leakline.attach.Launch.Ended;
import dev.leakline.attach.ProbeOutputs;
import dev.leakline.attach.SeenGrowth;
import dev.leakline.attach.linux.Signals;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.FailOn;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobOptions;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.cli.common.ReportFile;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import dev.leakline.watch.JobWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline run}: runs a job with the probe and reports when it ends. */
final class RunCommand implements Callable<Integer> {
    private static final DateTimeFormatter NOW = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final String MOMENT = "(exit|oom|growth|signal|(interval|step):\\d{1,9}(\\.\\d+)?)";
    private static final Pattern MOMENTS = Pattern.compile(MOMENT + "(," + MOMENT + ")*");

    /** When files are written where nobody says. */
    static final String MOMENTS_BY_DEFAULT = "exit,oom,growth";
    /** How long a dump may pause the job where nobody says. */
    static final Duration PAUSE_BY_DEFAULT = Duration.ofMillis(500);

    private final PositionalParamSpec command =
            JobOptions.command("The job to run, such as: -- python train.py --epochs 3");
    private final OptionSpec keep = JobOptions.keep(
            "Folder for the files that the job's processes write (default: a new folder leakline-run-TIME).");
    private final OptionSpec at = OptionSpec.builder("--at")
            .type(String.class)
            .paramLabel("WHEN")
            .defaultValue(MOMENTS_BY_DEFAULT)
            .description("When to write files: exit, oom (at the first out-of-memory error), growth (holder dumps while"
                    + " memory grows from step to step), interval:SECONDS, step:N, signal (default: exit,oom,growth).")
            .build();
    private final OptionSpec history = JobOptions.history()
            .description("Keep the last N allocations and frees; 0 records none (default: " + JobReport.EVENTS + ").")
            .build();
    private final OptionSpec maxPause = JobOptions.maxPause(
            PAUSE_BY_DEFAULT.toMillis() + "ms",
            "a dump or a snapshot while memory grows may pause the job",
            "Dumps at the exit and when memory runs out may take longer.");
    private final OptionSpec target = JobOptions.target();
    private final OptionSpec reportFile =
            JobOptions.report("Write the report to a file instead of stderr, in the form that its name ends in:"
                    + " .json, .html or .txt.");
    private final OptionSpec top = ReportOptions.top("a peak");
    private final OptionSpec full = ReportOptions.full();
    private final OptionSpec failOn = ReportOptions.failOn();
    private final OptionSpec deviceMemory = ReportOptions.deviceMemory();
    private final OptionSpec sources = ReportOptions.sources();
    private final OptionSpec quiet = Commands.flag("--quiet", "Print only the report and errors on stderr.");

    private final OptionSpec watch = Commands.flag(
            "--watch",
            "Watch the job's processes as leakline watch does: prints a line on stderr if memory grows, with the time when it is full.");

    private final OptionSpec sampling = JobOptions.sampling();
    private final OptionSpec probe = JobOptions.probe("DIR");

    private final GrowthLines growthLines = new GrowthLines();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "run",
                "Runs a job with Leakline's probe inside and reports when it ends.",
                "The probe runs in all Python"
                        + " processes of the job; the job's code needs no change. Exits with the job's exit code."
                        + " The job's stdout is left alone; the report goes to stderr or to a file.");
        spec.parser().stopAtPositional(true);
        spec.addPositional(command);
        List.of(
                        reportFile,
                        keep,
                        at,
                        maxPause,
                        history,
                        target,
                        full,
                        top,
                        sources,
                        deviceMemory,
                        failOn,
                        quiet,
                        watch,
                        sampling,
                        probe)
                .forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        Path folder = folder(keep);
        Launch.Settings settings = settings(folder);
        ReportOptions.checkTop(top);
        ReportFile file = ReportFile.of(reportFile);
        JobReport.Options options = new JobReport.Options(
                history.<Long>getValue() == null ? JobReport.EVENTS : history.<Long>getValue(),
                file != null && file.isPage(),
                deviceMemory.<Long>getValue(),
                ReportOptions.folders(sources));
        try (Launch launch = Launch.of(settings);
                JobWatch beside = new JobWatch(this::say)) {
            Instant started = Instant.now();
            Ended ended = launch.run(
                    command.getValue(), this::tellGrowth, watch.<Boolean>getValue() ? beside::begin : _ -> {});
            Signals.onEnd(() -> Runtime.getRuntime().halt(ended.exit()));
            return report(ended, started, options, file);
        }
    }

    /** Whatever goes wrong here, the job's exit code stays. */
    private int report(Ended ended, Instant started, JobReport.Options options, @Nullable ReportFile file) {
        try {
            if (ended.trouble().isEmpty()) {
                ended.outputs().stream()
                        .limit(1)
                        .map(Path::getParent)
                        .forEach(left -> JobRecord.write(left, command.getValue(), started));
            }
            JobReport report = JobReport.of(ended, options);
            show(report, file);
            tell(ended, options);
            FailOn given = failOn.getValue();
            boolean isFailed = given != null && given.matches(report.result());
            return ended.exit() == 0 && isFailed ? Failures.FOUND : ended.exit();
        } catch (IOException | RuntimeException e) {
            int _ = Failures.report(e);
        } catch (OutOfMemoryError e) {
            int _ = Failures.reportFullHeap();
        }
        return ended.exit();
    }

    private void show(JobReport report, @Nullable ReportFile file) throws IOException {
        Integer lines = top.getValue();
        if (file == null) {
            Terminal.err().print(report.text(full.<Boolean>getValue() || lines != null, lines, Terminal.errorStyle()));
            Terminal.err().flush();
            return;
        }
        say(report.headline());
        report.write(file, lines);
    }

    private void tellGrowth(SeenGrowth growth) {
        if (!quiet.<Boolean>getValue()) {
            growthLines.line(growth).ifPresent(this::say);
        }
    }

    private void say(String text) {
        if (!quiet.<Boolean>getValue()) {
            Terminal.err().println("leakline: " + Printable.of(text));
        }
    }

    /** Where the files of a job are kept: where that is said, else in a new folder. */
    static Path folder(OptionSpec keep) {
        String named = keep.getValue();
        return InputFiles.path(
                named == null ? "leakline-run-" + NOW.format(LocalDateTime.now(ZoneId.systemDefault())) : named);
    }

    private Launch.Settings settings(Path folder) {
        String moments = at.getValue();
        Long events = history.getValue();
        if (!MOMENTS.matcher(moments).matches()) {
            throw new IllegalArgumentException("--at " + moments
                    + ": expected exit, oom, growth, signal, interval:SECONDS or step:N, separated by commas");
        }
        if (events != null && events < 0) {
            throw new IllegalArgumentException("--history is " + events + "; expected a number of events");
        }
        String other = probe.getValue();
        return new Launch.Settings(
                folder,
                moments,
                JobOptions.pause(maxPause),
                events == null ? -1 : events,
                JobOptions.target(target),
                other == null ? null : InputFiles.path(other),
                sampling.<Boolean>getValue(),
                0);
    }

    private void tell(Ended ended, JobReport.Options options) {
        List<ProbeOutputs> processes = ProbeOutputs.of(ended.outputs());
        JobEnding ending = new JobEnding(ended, processes, options.hasHistory());
        boolean isBare = processes.stream()
                .allMatch(process ->
                        process.snapshot().isEmpty() && process.dumps().isEmpty());
        if (isBare && reportFile.getValue() == null) {
            say(ending.missing());
        }
        ending.notes().forEach(this::say);
        if (ended.trouble().isEmpty() && !ended.outputs().isEmpty()) {
            say("kept " + Numbers.counted(ended.outputs().size(), "file") + " of the job in "
                    + ended.outputs().getFirst().getParent());
            processes.stream()
                    .filter(process -> !process.dumps().isEmpty())
                    .findFirst()
                    .ifPresent(process -> say("to see who holds what: leakline holders " + dumps(process)));
        }
        Terminal.err().flush();
    }

    /** Names the dumps of a process, as a shell takes them. */
    private static String dumps(ProbeOutputs process) {
        return process.dumps().size() == 1
                ? process.dumps().getFirst().toString()
                : process.beside(".*holders").toString();
    }
}
