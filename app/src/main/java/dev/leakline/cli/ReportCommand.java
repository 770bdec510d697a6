package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Sources;
import dev.leakline.Window;
import dev.leakline.Window.Bound;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.EarlierReport;
import dev.leakline.cli.common.FailOn;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.HtmlFile;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobFiles;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.cli.ranks.RanksAnswer;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.functions.gpumemprof.RuleChoice;
import dev.leakline.lint.output.ReportSarif;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.report.ScreenText;
import dev.leakline.report.TextReport;
import dev.leakline.report.document.BriefReport;
import dev.leakline.report.document.Csv;
import dev.leakline.report.document.Junit;
import dev.leakline.report.document.MarkdownReport;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.result.JobComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.TypeConversionException;

/** {@code leakline report}: reads recordings and gives a verdict. */
final class ReportCommand implements Callable<Integer> {
    private static final String NEEDS_SNAPSHOT = " needs a snapshot, but only holder dumps were given";

    private final PositionalParamSpec files = Commands.files(
            "Snapshots or profiler traces of one job; a folder of its ranks, which are compared as by leakline ranks, or of any"
                    + " files of one case; holder dumps of the same processes, which"
                    + " show what keeps leaked memory alive; logs, telemetry, profiles and monitoring output of the job; or one"
                    + " report written earlier (HTML page or JSON), to print it again; - is standard input.");
    private final OptionSpec format = OutputFormat.option(OutputFormat.values());
    private final OptionSpec html = HtmlFile.option("Also write an HTML page with charts: one file, needs no network.");
    private final OptionSpec detail = HtmlFile.detailOption();
    private final OptionSpec rankPages = RanksAnswer.rankPages();
    private final OptionSpec device = OptionSpec.builder("--device")
            .type(Integer.class)
            .paramLabel("N")
            .description("Report only this device; -1 is host memory.")
            .build();
    private final OptionSpec top = ReportOptions.top("a peak");
    private final OptionSpec full = ReportOptions.full();
    private final OptionSpec stacks = Commands.flag("--stacks", "Show the call stacks of each finding and each line.");
    private final OptionSpec tree = Commands.flag("--tree", "Show the memory at the peak as a tree of calls.");
    private final OptionSpec failOn = ReportOptions.failOn();
    private final OptionSpec deviceMemory = ReportOptions.deviceMemory();
    private final OptionSpec sources = ReportOptions.sources();
    private @Nullable Sources lines;
    private final OptionSpec rules = OptionSpec.builder("--rules")
            .type(RuleSet.class)
            .initialValue(RuleSet.LEAKLINE)
            .paramLabel("leakline|gpumemprof")
            .description("Rules for function profiles: leakline's (default) or gpumemprof's.")
            .build();
    private final OptionSpec thresholds = OptionSpec.builder("--threshold")
            .type(Map.class)
            .auxiliaryTypes(String.class, Double.class)
            .initialValue(Map.of())
            .paramLabel("NAME=NUMBER")
            .description("Change a threshold of --rules, such as memory_leak_ratio=0.7; may be given several times.")
            .build();
    private final OptionSpec pattern = OptionSpec.builder("--pattern")
            .type(LinePattern.class)
            .converters(new PatternConverter())
            .paramLabel("REGEX")
            .description("Regular expression for the lines of a log whose format Leakline does not know, with a group"
                    + " 'bytes', as in 'mem=(?<bytes>\\d+)', or 'mem', as in 'mem (?<mem>[\\d.]+ ?[KMG]B)';"
                    + " optional groups: 'unit', 'step', 'epoch'.")
            .build();
    private final OptionSpec from = bound(
            "--from",
            Window.ALL.from(),
            "Look for the peak only after this moment: an event number (12000), a time since the beginning (3.5s,"
                    + " 120ms, 2min), or a date and time (2026-11-21T09:30:00Z).");
    private final OptionSpec to = bound("--to", Window.ALL.to(), "Look for the peak only before this moment.");

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "report",
                "Finds memory leaks and shows which lines held GPU memory at the peak.",
                "The verdict says whether" + " memory leaks, at which line of your code, and what to change.",
                "A snapshot is written by torch.cuda.memory._dump_snapshot(): pickle, JSON or a memory_viz page;"
                        + " plain, gzip or zstd. A trace is exported by torch.profiler with profile_memory=True and"
                        + " with_stack=True. Memory figures are read from training logs, memory_stats() and"
                        + " memory_summary(), nvidia-smi, Prometheus, torch.profiler's memory"
                        + " timeline and the files of gpumemprof and stormlog.");
        spec.addPositional(files);
        List.of(
                        format,
                        html,
                        detail,
                        rankPages,
                        failOn,
                        device,
                        deviceMemory,
                        sources,
                        full,
                        top,
                        stacks,
                        tree,
                        pattern,
                        from,
                        to,
                        rules,
                        thresholds)
                .forEach(spec::addOption);
        return spec;
    }

    private static OptionSpec bound(String name, Bound unbounded, String description) {
        return OptionSpec.builder(name)
                .type(Bound.class)
                .paramLabel("MOMENT")
                .converters(new BoundConverter())
                .initialValue(unbounded)
                .description(description)
                .build();
    }

    @Override
    public Integer call() throws IOException {
        checkUsage();
        List<String> given = files.getValue();
        if (given.size() == 1
                && !given.getFirst().equals("-")
                && JobFiles.areRanks(InputFiles.path(given.getFirst()))) {
            return compareRanks(given);
        }
        HtmlFile page = HtmlFile.of(html, detail, given);
        InputFiles<Input> read = InputFiles.openCase(given, pattern.<LinePattern>getValue());
        if (read.inputs().isEmpty()) {
            return read.exit();
        }
        List<HolderDump> dumps = HolderReport.dumps(read.inputs());
        if (dumps.size() == read.inputs().size()) {
            explain(dumps);
            return read.exit();
        }
        AnalysisResult result = result(read.inputs(), page);
        JobRecord.tellChanged(lines());
        FailOn condition = failOn.getValue();
        boolean isFailed = condition != null && condition.matches(result);
        return read.exit() == 0 && isFailed ? Failures.FOUND : read.exit();
    }

    /** The recordings of several ranks are one answer; that of each is found by its own file. */
    private int compareRanks(List<String> given) {
        EarlierReport.refuse(
                List.of(detail, device, top, stacks, tree, rules, thresholds, pattern, from, to),
                " is about one recording, but the folder has those of several ranks; name the file of one");
        OutputFormat form = OutputFormat.of(format);
        if (form != OutputFormat.TEXT && form != OutputFormat.JSON) {
            throw new IllegalArgumentException("--format " + form.word() + " is about one recording;"
                    + " the ranks of a job are told as text and JSON");
        }
        RanksAnswer.Pages pages = RanksAnswer.pages(html, rankPages, given);
        RanksAnswer answer = RanksAnswer.read(given);
        JobComparison job =
                answer.print(form == OutputFormat.JSON, deviceMemory.getValue(), pages, Sources.of(folders()));
        answer.suggestReport(job);
        FailOn condition = failOn.getValue();
        boolean isFailed = condition != null && condition.matches(job);
        return answer.exit() == 0 && isFailed ? Failures.FOUND : answer.exit();
    }

    /** Dumps alone say who holds what, and nothing of how it came about. */
    private void explain(List<HolderDump> dumps) {
        OutputFormat form = OutputFormat.of(format);
        if (form != OutputFormat.TEXT && form != OutputFormat.JSON) {
            EarlierReport.refuse(List.of(format), " " + form.word() + NEEDS_SNAPSHOT);
        }
        EarlierReport.refuse(List.of(html, failOn, device, deviceMemory, from, to), NEEDS_SNAPSHOT);
        Integer given = top.getValue();
        HolderReport.print(dumps, lines(), format, given == null ? HolderReport.DEFAULT_TOP : given);
    }

    private AnalysisResult result(List<Input> inputs, @Nullable HtmlFile page) throws IOException {
        EarlierReport earlier = EarlierReport.among(inputs);
        if (earlier != null) {
            earlier.checkUsage(List.of(html, device, deviceMemory, from, to, rules, thresholds));
            return repeat(earlier);
        }
        return page == null ? analyse(inputs) : draw(inputs, page);
    }

    private AnalysisResult repeat(EarlierReport earlier) {
        AnalysisResult result = lines().attach(earlier.result());
        print(result);
        return result;
    }

    private AnalysisResult analyse(List<Input> inputs) throws IOException {
        AnalysisResult result = Analysis.run(inputs, options());
        print(result);
        return result;
    }

    private AnalysisResult draw(List<Input> inputs, HtmlFile page) throws IOException {
        Illustrated illustrated = page.illustrate(inputs, options());
        print(illustrated.result());
        page.write(illustrated);
        return illustrated.result();
    }

    private void checkUsage() {
        functions();
        ReportOptions.checkTop(top);
        if (new Window(from.getValue(), to.getValue()).isBackwards()) {
            throw new IllegalArgumentException("--from is not before --to: no moment is between them");
        }
        folders();
    }

    private Analysis.Options options() {
        Window window = new Window(from.getValue(), to.getValue());
        return new Analysis.Options(device(), window, deviceMemory.<Long>getValue(), functions(), lines());
    }

    private FunctionAnalysis functions() {
        return RuleChoice.of(rules.getValue(), thresholds.getValue());
    }

    private Sources lines() {
        if (lines == null) {
            lines = JobRecord.sources(folders(), files.getValue());
        }
        return lines;
    }

    private List<Path> folders() {
        return ReportOptions.folders(sources);
    }

    private void print(AnalysisResult result) {
        checkDevice(result);
        boolean isEmpty = result.devices().isEmpty()
                && !result.hasFigures()
                && result.logs().isEmpty();
        if (isEmpty && result.findings().isEmpty()) {
            NextStep.help("leakline run");
        }
        int lines = ReportOptions.lines(top, format);
        boolean hasStacks = stacks.getValue();
        TextReport.Options options = new TextReport.Options(lines, hasStacks, tree.getValue());
        OutputFormat.print(format, () -> result.shown(lines, hasStacks), () -> switch (OutputFormat.of(format)) {
            case BRIEF -> BriefReport.of(result, JobRecord.given(files.getValue())) + "\n";
            case MARKDOWN -> MarkdownReport.of(result);
            case SARIF -> ReportSarif.of(result);
            case JUNIT -> Junit.of(result).xml();
            case CSV -> Csv.of(result);
            case TEXT, JSON ->
                isFull()
                        ? TextReport.of(result, options, Terminal.style())
                        : ScreenText.of(result, JobRecord.given(files.getValue()), Terminal.style());
        });
    }

    /** Returns whether all of the report is wanted: the option says so, or one about parts that only that has. */
    private boolean isFull() {
        return full.<Boolean>getValue()
                || top.getValue() != null
                || stacks.<Boolean>getValue()
                || tree.<Boolean>getValue();
    }

    private void checkDevice(AnalysisResult result) {
        if (device().isPresent() && result.devices().isEmpty() && !result.hasFigures()) {
            throw new IllegalArgumentException("device " + device().getAsInt() + " has no memory in this snapshot");
        }
    }

    private OptionalInt device() {
        Integer given = device.getValue();
        return given == null ? OptionalInt.empty() : OptionalInt.of(given);
    }

    /** Reads a moment of a recording. */
    static final class BoundConverter implements ITypeConverter<Bound> {
        @Override
        public Bound convert(String text) {
            try {
                return Window.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Reads a pattern of lines. */
    static final class PatternConverter implements ITypeConverter<LinePattern> {
        @Override
        public LinePattern convert(String text) {
            try {
                return LinePattern.of(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
