package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Sources;
import dev.leakline.attach.Launch;
import dev.leakline.attach.Launch.Ended;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.attach.ProbeCounters;
import dev.leakline.attach.ProbeOutputs;
import dev.leakline.codec.Codec;
import dev.leakline.report.HoldersText;
import dev.leakline.report.TextReport;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Holders;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline run}: runs a job with the probe and reports when it ends. */
final class RunCommand implements Callable<Integer> {
    private static final DateTimeFormatter NOW = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final String MOMENT = "(exit|oom|growth|signal|(interval|step):\\d{1,9}(\\.\\d+)?)";
    private static final Pattern MOMENTS = Pattern.compile(MOMENT + "(," + MOMENT + ")*");

    private final PositionalParamSpec command = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("COMMAND")
            .arity("1..*")
            .required(true)
            .description("The job to run, such as: -- python train.py --epochs 3")
            .build();
    private final OptionSpec keep = JobOptions.keep(
            "Folder for the files that the job's processes write (default: a new folder leakline-run-TIME).");
    private final OptionSpec at = OptionSpec.builder("--at")
            .type(String.class)
            .paramLabel("WHEN")
            .defaultValue("exit,oom,growth")
            .description("When to write files: exit, oom (at the first out-of-memory error), growth (holder dumps while"
                    + " memory grows from step to step), interval:SECONDS, step:N, signal (default: exit,oom,growth).")
            .build();
    private final OptionSpec history = JobOptions.history()
            .description("Keep the last N allocations and frees; 0 records none.")
            .build();
    private final OptionSpec target = JobOptions.target();
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec html = Main.flag("--html", "Also write an HTML page with charts next to each snapshot.");

    private final OptionSpec probe = JobOptions.probe("DIR");

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Main.spec(
                this,
                "run",
                "Runs a job with Leakline's probe inside and reports when it ends.",
                "The probe runs in all Python"
                        + " processes of the job; the job's code needs no change. Exits with the job's exit code.");
        spec.parser().stopAtPositional(true);
        spec.addPositional(command);
        List.of(keep, at, history, target, format, html, probe).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        Path folder = folder();
        Ended ended = Launch.run(command.getValue(), settings(folder));
        List<ProbeOutputs> processes = ProbeOutputs.of(ended.outputs());
        processes.forEach(this::reportOrTell);
        tell(folder, ended, processes);
        return ended.exit();
    }

    private Path folder() {
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
                events == null ? -1 : events,
                JobOptions.target(target),
                other == null ? null : InputFiles.path(other));
    }

    /** A report that cannot be made or written does not take the place of the job's exit code. */
    private void reportOrTell(ProbeOutputs process) {
        ProbeCounters counted = process.counters().map(RunCommand::read).orElse(ProbeCounters.NONE);
        boolean isJudged = counted.hasFigures()
                && (isWithoutHistory() || process.snapshot().isEmpty());
        try {
            report(process, isJudged);
        } catch (IOException | IllegalArgumentException e) {
            int _ = Failures.report(e);
        }
        tellCounted(process, counted, !isJudged);
    }

    private boolean isWithoutHistory() {
        return Long.valueOf(0).equals(history.getValue());
    }

    /** Figures say less than a history, but all that there is where none was recorded, or the process was killed. */
    private void report(ProbeOutputs process, boolean isJudged) throws IOException {
        Stream<Path> figures = isJudged ? process.counters().stream() : Stream.empty();
        List<String> files = Stream.of(process.snapshot().stream(), process.dumps().stream(), figures)
                .flatMap(Function.identity())
                .map(Path::toString)
                .toList();
        List<Input> inputs = InputFiles.open(files).inputs();
        List<HolderDump> dumps = HolderReport.dumps(inputs);
        if (!inputs.isEmpty()) {
            Terminal.out().println();
        }
        if (inputs.size() > dumps.size()) {
            print(inputs, process);
        } else if (!dumps.isEmpty()) {
            Holders holders = HolderDump.explain(dumps);
            Terminal.out().print(HoldersText.of(holders, HolderReport.DEFAULT_TOP, Terminal.style()));
            Terminal.out().flush();
        }
    }

    /** What no report says. */
    private static void tellCounted(ProbeOutputs process, ProbeCounters counted, boolean hasFunctions) {
        List<String> lines = new ArrayList<>(CountersText.collected(counted.collected(), Top.LINES));
        if (hasFunctions) {
            lines.addAll(CountersText.functions(counted.functions(), Top.LINES));
        }
        if (!lines.isEmpty()) {
            Terminal.out().println();
            Terminal.out()
                    .println(Printable.of(process.beside(ProbeCounters.SUFFIX).toString()));
            lines.forEach(Terminal.out()::println);
            Terminal.out().flush();
        }
    }

    private static ProbeCounters read(Path counters) {
        try {
            return ProbeCounters.read(counters);
        } catch (IOException e) {
            int _ = Failures.report(e);
            return ProbeCounters.NONE;
        }
    }

    private void print(List<Input> inputs, ProbeOutputs process) throws IOException {
        Illustrated illustrated = html.<Boolean>getValue()
                ? Analysis.illustrate(inputs, Analysis.Options.ALL)
                : new Illustrated(Analysis.run(inputs, Analysis.Options.ALL), List.of());
        AnalysisResult result = Sources.attachOfJob(illustrated.result(), InputFiles.path(""));
        Terminal.out().print(TextReport.of(result, new TextReport.Options(Top.LINES, false, false), Terminal.style()));
        Terminal.out().flush();
        if (html.<Boolean>getValue()) {
            HtmlFile.of(process.beside(".html").toString(), List.of())
                    .write(new Illustrated(result, illustrated.pictures()), PrivateFiles.FILE);
        }
        if (OutputFormat.isJson(format)) {
            writeJson(result, process.beside(".json"));
        }
    }

    private static void writeJson(AnalysisResult result, Path file) throws IOException {
        PrivateFiles.write(
                file,
                to -> {
                    Writer out = new OutputStreamWriter(to, StandardCharsets.UTF_8);
                    Codec.write(result.shown(Integer.MAX_VALUE, false), out);
                    out.flush();
                },
                PrivateFiles.FILE);
        Terminal.err().println("leakline: wrote " + Printable.of(file.toString()));
    }

    private static void tell(Path folder, Ended ended, List<ProbeOutputs> processes) {
        PrintWriter err = Terminal.err();
        if (processes.stream()
                .allMatch(process ->
                        process.snapshot().isEmpty() && process.dumps().isEmpty())) {
            err.println("leakline: the job wrote no snapshot: it used no GPU through PyTorch, was killed, or started"
                    + " Python with -I, -E or -S, which disable the probe");
        }
        if (!ended.outputs().isEmpty()) {
            err.println("leakline: kept " + ended.outputs().size() + " files of the job in "
                    + Printable.of(folder.toString()));
        }
        processes.stream()
                .filter(process ->
                        process.snapshot().isEmpty() && process.counters().isPresent())
                .forEach(process -> err.println("leakline: "
                        + Printable.of(process.stem().getFileName().toString())
                        + " wrote no snapshot: it was killed, or no moment of --at was reached; --at"
                        + " interval:60 writes one every minute"));
        processes.stream()
                .filter(process -> !process.dumps().isEmpty())
                .forEach(process -> err.println(
                        "leakline: to see who holds what: leakline holders " + Printable.of(dumps(process))));
        err.flush();
    }

    /** Names the dumps of a process, as a shell takes them. */
    private static String dumps(ProbeOutputs process) {
        return process.dumps().size() == 1
                ? process.dumps().getFirst().toString()
                : process.beside(".*holders").toString();
    }
}
