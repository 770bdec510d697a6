package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Sources;
import dev.leakline.Window;
import dev.leakline.attach.JobEnding;
import dev.leakline.attach.Launch.Ended;
import dev.leakline.attach.ProbeCounters;
import dev.leakline.attach.ProbeOutputs;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.cli.common.ReportFile;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.report.CountersText;
import dev.leakline.report.HoldersText;
import dev.leakline.report.HostText;
import dev.leakline.report.ScreenText;
import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Frame;
import dev.leakline.result.Holders;
import dev.leakline.result.HostMemory;
import dev.leakline.result.JobProcess;
import dev.leakline.result.JobProcess.ProfiledFunction;
import dev.leakline.series.HostNeeds;
import dev.leakline.source.ProbeFile;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The one report of a job with all its processes, made of whatever these have left. */
final class JobReport {
    /**
     * How a report is made.
     *
     * @param events how many of the job's allocations and frees were kept at most, 0 where none were recorded
     * @param isDrawn whether it comes with pictures
     * @param deviceMemory bytes of each device, 0 where only the job may tell
     * @param sources folders with the job's sources; where there is none, the working folder is one
     */
    record Options(long events, boolean isDrawn, long deviceMemory, List<Path> sources) {
        boolean hasHistory() {
            return events != 0;
        }

        Sources files() {
            return sources.isEmpty() ? Sources.ofJob(InputFiles.path(""), Instant.MAX) : Sources.of(sources);
        }
    }

    /** The probe's own choice of how many events are kept. */
    static final long EVENTS = 200_000;

    private static final String RUN = "leakline run";

    private final List<ProbeOutputs> processes;
    private final Options options;
    /** The command that prints it, which no advice in it names. */
    private final String command;

    private final Map<ProbeOutputs, ProbeCounters> counted = new HashMap<>();
    private final List<String> files;
    private final List<Input> read;
    private final List<HolderDump> dumps;
    private final List<Input> looks;
    private @Nullable Illustrated report;

    private JobReport(List<ProbeOutputs> processes, List<String> others, Options options, String command) {
        this.processes = processes;
        this.command = command;
        this.options = options;
        List<String> files = new ArrayList<>(others);
        for (ProbeOutputs process : processes) {
            counted.put(process, process.counters().map(JobReport::read).orElse(ProbeCounters.NONE));
            files(process).forEach(file -> files.add(file.toString()));
        }
        processes.stream()
                .flatMap(process -> process.memory().stream())
                .map(Path::toString)
                .forEach(files::add);
        this.files = files.stream().filter(file -> !isOfLooks(file)).toList();
        this.read = InputFiles.ofJob(this.files);
        this.looks =
                InputFiles.ofJob(files.stream().filter(JobReport::isOfLooks).toList());
        this.dumps = HolderReport.dumps(read);
    }

    /** Makes the report of a job that has ended. Files that cannot be read are told of on stderr, and left out. */
    static JobReport of(Ended ended, Options options) {
        List<ProbeOutputs> processes = ProbeOutputs.of(ended.outputs());
        JobReport made = new JobReport(processes, List.of(), options, RUN);
        if (made.read.size() == made.dumps.size()) {
            made.explain(new JobEnding(ended, processes, options.hasHistory()).missing());
        }
        return made;
    }

    /** Makes the report of what a job has written that still runs. */
    static JobReport of(List<Path> files, Options options) {
        return new JobReport(List.of(), files.stream().map(Path::toString).toList(), options, "leakline attach");
    }

    private ProbeCounters figures(ProbeOutputs process) {
        return counted.getOrDefault(process, ProbeCounters.NONE);
    }

    private static boolean isOfLooks(String file) {
        return file.endsWith("." + ProbeFile.LOOKS);
    }

    private List<Path> files(ProbeOutputs process) {
        List<Path> files = new ArrayList<>(process.snapshot().stream().toList());
        files.addAll(process.dumps());
        if (figures(process).hasFigures()) {
            files.addAll(process.counters().stream().toList());
        }
        return files;
    }

    private static ProbeCounters read(Path counters) {
        try {
            return ProbeCounters.read(counters);
        } catch (IOException e) {
            int _ = Failures.report(e);
            return ProbeCounters.NONE;
        }
    }

    /** Says why nothing is known. */
    private void explain(String reason) {
        Illustrated made = illustrated();
        report = new Illustrated(made.result().withReason(reason), made.pictures());
    }

    /** One report of inputs, with the lines of the sources. */
    private static Illustrated analyse(List<Input> read, Options options) {
        Sources sources = options.files();
        Analysis.Options how = new Analysis.Options(
                OptionalInt.empty(), Window.ALL, options.deviceMemory, FunctionAnalysis.STANDARD, sources);
        return options.isDrawn ? Analysis.illustrate(read, how) : new Illustrated(Analysis.run(read, how), List.of());
    }

    /** The report, with pictures where they are wanted; made when it is needed, as a text of dumps alone does without. */
    private Illustrated illustrated() {
        if (report == null) {
            Illustrated made =
                    analyse(Stream.concat(read.stream(), looks.stream()).toList(), options);
            AnalysisResult result =
                    made.result().withProcesses(processes(made.result().process()));
            List<Finding> findings = hasEnded()
                    ? recorded(result.findings(), options.hasHistory())
                    : advised(result.findings(), command);
            report = new Illustrated(result.withFindings(findings), made.pictures());
        }
        return report;
    }

    /** The processes that were looked at, with what was counted in each, and those of which there is no more than that. */
    private List<JobProcess> processes(List<JobProcess> lookedAt) {
        Map<Long, JobProcess> all = new LinkedHashMap<>();
        lookedAt.forEach(process -> all.put(process.pid(), process));
        for (ProbeOutputs process : processes) {
            ProbeCounters figures = figures(process);
            List<ProfiledFunction> functions = figures.hasFigures() ? List.of() : figures.functions();
            JobProcess seen = all.get((long) process.pid());
            HostMemory host = seen == null ? byFigures(process) : seen.host();
            if (host != null || figures.collected() != null || !functions.isEmpty()) {
                all.put((long) process.pid(), new JobProcess(process.pid(), host, figures.collected(), functions));
            }
        }
        return List.copyOf(all.values());
    }

    /** Findings without the advice to do what was just done. */
    static List<Finding> advised(List<Finding> findings, String command) {
        return findings.stream().map(finding -> finding.withoutAdvice(command)).toList();
    }

    /** Findings of a job that Leakline has run, without the advice to record it. */
    static List<Finding> recorded(List<Finding> findings, boolean hasHistory) {
        return advised(findings, RUN).stream()
                .map(finding -> {
                    Finding left = finding.withoutAdvice(RecordingAdvice.CALL);
                    List<Advice> advice = new ArrayList<>(left.advice());
                    if (!hasHistory && advice.size() < finding.advice().size()) {
                        advice.add(Advice.of(
                                "Run it without --history 0", "The report then names the line that leaks.", 0));
                    }
                    return left.withAdvice(advice);
                })
                .toList();
    }

    private boolean hasEnded() {
        return command.equals(RUN);
    }

    AnalysisResult result() {
        return illustrated().result();
    }

    /** Writes the report to a file, with so many lines of code where it is one for people. */
    void write(ReportFile file, @Nullable Integer top) throws IOException {
        file.write(illustrated(), top);
    }

    /** The report for people: what was found, else who held what; then what no report says; all of it, or on one screen. */
    String text(boolean isFull, @Nullable Integer top, Style style) {
        StringBuilder text = new StringBuilder();
        if (read.size() > dumps.size()) {
            TextReport.Options how = new TextReport.Options(top == null ? ReportOptions.LINES : top, false, false);
            text.append(
                    isFull
                            ? TextReport.of(result(), how, style)
                            : ScreenText.of(result(), JobRecord.given(folders()), style));
        } else if (!dumps.isEmpty()) {
            int groups = top == null ? HolderReport.DEFAULT_TOP : top;
            Holders holders = options.files().attach(HolderDump.explain(dumps));
            boolean hasTensors = holders.dumps().stream().anyMatch(dump -> dump.storages() > 0);
            JobProcess worst = result().worstOnHost();
            HostMemory host =
                    worst == null || (hasTensors && worst.hostMemory().kind() == null) ? null : worst.hostMemory();
            text.append(host == null ? grown(holders) : ofHost(host, hasTensors));
            if (hasTensors || host == null) {
                text.append("\n\n").append(HoldersText.of(holders, groups, style));
            }
        }
        if (read.size() == dumps.size()) {
            HostText.lines(result(), style).forEach(line -> text.append(line).append('\n'));
            CountersText.lines(result().process(), ReportOptions.LINES)
                    .forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    /** Answers for a process that has nothing on a device. */
    private static String ofHost(HostMemory host, boolean hasTensors) {
        Frame site = host.site();
        return host.verdict().name().toLowerCase(Locale.ROOT) + "   of the host's memory"
                + (host.kind() == null ? "" : ", by " + host.kind().words())
                + (host.owner() == null ? "" : "; kept by " + Printable.of(host.owner()))
                + (site == null ? "" : ", added at " + Printable.of(site.fileAndLine()))
                + (hasTensors ? "" : "; no tensor is on a device\n");
    }

    /** Describes the growth between dumps; whether it goes on, they cannot show. */
    private String grown(Holders holders) {
        String said = holders.dumps().size() == 1 ? "one dump shows no growth" : "nothing grew from dump to dump";
        for (Holders.Group group : holders.groups()) {
            Holders.Growth growth = group.growth();
            if (growth != null && growth.hasGrown() && group.verdict() != Holders.Verdict.EXPECTED) {
                said = group.title() + " grew: " + growth.sentence()
                        + (group.keptAt() == null
                                ? ""
                                : "; added at " + group.keptAt().words());
                break;
            }
        }
        return "undetermined   " + Printable.of(said)
                + (hasEnded()
                        ? "; dumps of a longer run show what grows: --at interval:10"
                        : "; a recording says whether it goes on: leakline attach "
                                + holders.dumps().getLast().pid() + " --record 60");
    }

    /** Where the files are that were read; a folder is a case. */
    private List<String> folders() {
        return files.stream()
                .map(file -> {
                    Path folder = InputFiles.path(file).getParent();
                    return folder == null ? file : folder.toString();
                })
                .distinct()
                .toList();
    }

    /** The host's memory of a process that nobody looked at, by its figures: what grows by more than recording takes; null where nothing does. */
    private @Nullable HostMemory byFigures(ProbeOutputs process) {
        List<Input> read =
                InputFiles.ofJob(process.host().stream().map(Path::toString).toList());
        AnalysisResult figures = read.isEmpty()
                ? null
                : analyse(read, new Options(0, false, 0, options.sources)).result();
        return figures == null
                ? null
                : figures.findings().stream()
                        .filter(finding -> finding.bytes() > HostNeeds.bytes(options.events))
                        .findFirst()
                        .map(HostMemory::grown)
                        .orElse(null);
    }

    /** The verdict in a line. */
    String headline() {
        String leaks = result().leaks();
        String verdict = leaks == null
                ? result().verdict().word() + ": " + result().reason()
                : result().headline() + ". " + leaks;
        String host = result().onHost();
        return verdict + (host == null ? "" : ". On the host: " + host);
    }
}
