package dev.leakline;

import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.cases.CaseTexts;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.conclusion.Concluder;
import dev.leakline.detect.room.WhatIfAnalysis;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.Opinion;
import dev.leakline.finding.SharedFindings;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.join.ProcessDump;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.oom.MessageExplainer;
import dev.leakline.peak.ProfileMaker;
import dev.leakline.picture.PictureLimits;
import dev.leakline.ranks.Summarizer;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.JobProcess;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.Picture;
import dev.leakline.result.ProcessSummary;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.Tool;
import dev.leakline.result.WhatIf;
import dev.leakline.series.SeriesAnalysis;
import dev.leakline.steps.ProcessSteps;
import dev.leakline.text.Numbers;
import dev.leakline.verdict.DeviceAnalysis;
import dev.leakline.verdict.DeviceAnalysis.Outcome;
import dev.leakline.verdict.Judge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Analyses the evidence of a case: from the inputs that were read to the result. */
public final class Analysis {
    /**
     * Options of an analysis.
     *
     * @param device the one device to look at, or empty for all
     * @param window the part of the recording in which to look for the peak
     * @param deviceBytes the memory of each device, 0 where only the recording may tell
     * @param functions how the calls of profiled functions are judged
     * @param sources where the lines are that the recordings name
     */
    public record Options(
            OptionalInt device, Window window, long deviceBytes, FunctionAnalysis functions, Sources sources) {
        /** Without sources. */
        public Options(OptionalInt device, Window window, long deviceBytes, FunctionAnalysis functions) {
            this(device, window, deviceBytes, functions, Sources.NONE);
        }

        /** The same, with sources. */
        public Options with(Sources lines) {
            return new Options(device, window, deviceBytes, functions, lines);
        }

        /** All devices, the whole recording. */
        public static final Options ALL = new Options(OptionalInt.empty(), Window.ALL, 0, FunctionAnalysis.STANDARD);
    }

    /**
     * A result with a picture of each of its devices, in their order.
     *
     * @param result what was found
     * @param pictures how the memory of each device went, thinned to what a screen can show
     */
    public record Illustrated(AnalysisResult result, List<Picture> pictures) {}

    /**
     * A result with the summary of its process, as {@link Ranks#summarize} makes it.
     *
     * @param result what was found
     * @param summary null where the input is no recording, or not whole
     */
    public record Summarized(
            AnalysisResult result, @Nullable ProcessSummary summary) {}

    /** Outputs for a device beside its result: a picture within limits, and a receiver of its evidence and of whose steps it goes by. */
    private record Wanted(@Nullable PictureLimits pictures, BiConsumer<Evidence, @Nullable ProcessSteps> evidence) {
        static final Wanted RESULT = new Wanted(null, (_, _) -> {});
    }

    private Analysis() {}

    /**
     * Analyses the evidence of one case, such as the ranks of a job and its log; its order is that of the result's inputs. Holder dumps say
     * who keeps alive what snapshots of the same processes show. Throws {@link IllegalArgumentException} for a report, which holds nothing
     * to analyse.
     */
    public static AnalysisResult run(List<? extends Input> inputs, Options options) {
        DumpedProcesses dumped = new DumpedProcesses(inputs);
        return result(inputs, options, outcomes(inputs, dumped, options, Wanted.RESULT), dumped);
    }

    /** Analyses inputs and makes pictures, which take about as long again and a few megabytes. */
    public static Illustrated illustrate(List<? extends Input> inputs, Options options) {
        return illustrate(inputs, options, PictureLimits::share);
    }

    /** The same with pictures that have every allocation; what was made of the inputs stays in memory as long as they do. */
    public static Illustrated illustrateInDetail(List<? extends Input> inputs, Options options) {
        return illustrate(
                inputs, options, devices -> PictureLimits.share(devices).detailed());
    }

    private static Illustrated illustrate(
            List<? extends Input> inputs, Options options, IntFunction<PictureLimits> limits) {
        int devices = new CaseInputs(inputs)
                .snapshots().stream()
                        .mapToInt(snapshot -> devices(snapshot, options).size())
                        .sum();
        DumpedProcesses dumped = new DumpedProcesses(inputs);
        Wanted pictured = new Wanted(limits.apply(devices), Wanted.RESULT.evidence);
        List<Outcome> outcomes = outcomes(inputs, dumped, options, pictured);
        List<Picture> pictures =
                outcomes.stream().map(Outcome::picture).filter(Objects::nonNull).toList();
        return new Illustrated(result(inputs, options, outcomes, dumped), pictures);
    }

    /** Analyses one input and makes the summary of its process from the same evidence; {@code path} is what that is told apart by. */
    public static Summarized summarize(Input input, String path) {
        List<Input> inputs = List.of(input);
        if (!(input instanceof Snapshot snapshot) || snapshot.incomplete() != null) {
            return new Summarized(run(inputs, Options.ALL), null);
        }
        List<ProcessSummary> summaries = new ArrayList<>();
        int summarized = Summarizer.device(snapshot.columns());
        Wanted wanted = new Wanted(null, (evidence, others) -> {
            if (others == null && evidence.lifetimes().device() == summarized) {
                summaries.add(Summarizer.of(path, snapshot.describe().torch(), evidence));
            }
        });
        DumpedProcesses dumped = new DumpedProcesses(inputs);
        AnalysisResult result = result(inputs, Options.ALL, outcomes(inputs, dumped, Options.ALL, wanted), dumped);
        // Where most happened in the host's memory, the device's evidence goes by steps that are not its own.
        return new Summarized(result, summaries.isEmpty() ? Ranks.summarize(snapshot, path) : summaries.getFirst());
    }

    /**
     * A result with what recordings say of each of its devices in full, in their order.
     *
     * @param result what was found
     * @param devices the profile of each device, for viewers of profiles and traces, and for questions
     */
    public record Profiled(AnalysisResult result, List<RecordedProfile> devices) {}

    /** Analyses inputs and keeps each allocation; what was made of the inputs stays in memory as long as the profiles do. */
    public static Profiled profile(List<? extends Input> inputs, Options options) {
        List<Evidence> devices = new ArrayList<>();
        Wanted wanted = new Wanted(null, (evidence, _) -> devices.add(evidence));
        DumpedProcesses dumped = new DumpedProcesses(inputs);
        List<Outcome> outcomes = outcomes(inputs, dumped, options, wanted);
        List<RecordedProfile> profiles = outcomes.stream()
                .map(Outcome::device)
                .map(device -> devices.stream()
                        .filter(evidence -> evidence.input() == device.input()
                                && evidence.lifetimes().device() == device.device())
                        .map(evidence -> ProfileMaker.of(evidence, device))
                        .findFirst()
                        .orElseThrow())
                .toList();
        return new Profiled(result(inputs, options, outcomes, dumped), profiles);
    }

    /**
     * Replays what snapshots recorded under other settings of the allocator; all must be {@link Snapshot#replayable}.
     *
     * @param memory what the job may take of each device, 0 where only the recordings may tell
     * @param settings texts of PYTORCH_CUDA_ALLOC_CONF to try; none for all that are worth it
     */
    public static WhatIf whatIf(List<Snapshot> snapshots, long memory, List<String> settings) {
        List<AllocatorSettings> parsed =
                settings.stream().map(AllocatorSettings::parse).toList();
        List<WhatIf.Device> devices = new ArrayList<>();
        for (int input = 0; input < snapshots.size(); input++) {
            new WhatIfAnalysis(snapshots.get(input).columns())
                    .devices(input, memory, parsed)
                    .forEach(devices::add);
        }
        return new WhatIf(
                WhatIf.SCHEMA,
                Tool.leakline(version()),
                snapshots.stream().map(Snapshot::describe).toList(),
                devices);
    }

    private static AnalysisResult result(
            List<? extends Input> all, Options options, List<Outcome> outcomes, DumpedProcesses dumped) {
        CaseInputs inputs = new CaseInputs(all);
        List<DeviceResult> devices = outcomes.stream().map(Outcome::device).toList();
        List<FunctionAnalysis.Outcome> functions = inputs.functions(options);
        List<Opinion> events = events(inputs, outcomes, functions);
        CaseInputs telling = inputs.telling(
                !inputs.snapshots().isEmpty() && events.getFirst().verdict() != Verdict.UNDETERMINED);
        List<Finding> recorded =
                events.stream().flatMap(one -> one.findings().stream()).toList();
        SeriesAnalysis figures = new SeriesAnalysis(telling.figures(options), devices);
        List<OutOfMemoryExplanation> messages = MessageExplainer.explain(inputs.messages(), devices);
        List<JoinedDump> dumps = dumped.joined(outcomes);
        Opinion measured = new Judge(devices)
                .measured(
                        events,
                        Judge.together(figures.opinion(recorded, dumped.grown()::join), inputs.watched(options)),
                        MessageExplainer.opinion(messages),
                        dumps,
                        inputs.snapshots().stream().anyMatch(snapshot -> snapshot.incomplete() != null));
        CaseTexts texts = new CaseTexts(
                inputs.clues(),
                telling.series(),
                inputs.logs(),
                messages,
                figures.series(),
                measured.verdict(),
                measured.findings());
        Conclusion said = texts.clues().isEmpty() ? null : conclusion(texts, recorded);
        Opinion opinion = said == null
                ? measured
                : Judge.concluded(measured, said, devices.isEmpty() && functions.isEmpty() && dumps.isEmpty());
        List<JobProcess> processes = inputs.processes(options.sources);
        boolean isHostAlone = !processes.isEmpty()
                && devices.isEmpty()
                && dumps.isEmpty()
                && figures.series().isEmpty()
                && opinion.verdict() == Verdict.UNDETERMINED
                && opinion.findings().isEmpty();
        List<Finding> findings =
                options.sources.attach(SharedFindings.of(opinion.findings(), dumped::rank), !dumps.isEmpty());
        return new AnalysisResult(
                AnalysisResult.SCHEMA,
                Tool.leakline(version()),
                inputs.described(),
                opinion.source(),
                opinion.verdict(),
                isHostAlone ? "no memory of a device was recorded" : opinion.reason() + keeper(opinion, findings),
                findings,
                opinion.acquittals(),
                opinion.checks(),
                dumps,
                devices,
                settings(inputs.snapshots()),
                figures.series(),
                figures.gaps(),
                figures.agreements(recorded, devices),
                functions.isEmpty() ? null : options.functions.report(functions),
                texts.logs(),
                messages,
                isHostAlone || (!devices.isEmpty() && inputs.areOfProbe()) ? null : said,
                processes);
    }

    /** The owner of the memory that a recording's reason is about and the line that adds to it, as its end; empty where neither is known. */
    private static String keeper(Opinion opinion, List<Finding> findings) {
        String keeper = opinion.source() != AnalysisResult.Source.RECORDING || findings.isEmpty()
                ? ""
                : findings.getFirst().keeper();
        return keeper.isEmpty() ? "" : "; " + keeper;
    }

    /** The conclusion of all texts among the inputs, with what was recorded beside them. */
    private static Conclusion conclusion(CaseTexts texts, List<Finding> recorded) {
        Conclusion said = Concluder.of(texts).withChanges(Sources.changes(texts));
        boolean isOfDevice = said.resource() == Resource.DEVICE || said.resource() == Resource.UNKNOWN;
        return recorded.stream()
                .filter(finding -> isOfDevice && finding.site().isLine() && finding.severity() != Severity.INFO)
                .findFirst()
                .map(said::beside)
                .orElse(said);
    }

    /** The opinions of recordings and of profiles of functions, where there are any. */
    private static List<Opinion> events(
            CaseInputs inputs, List<Outcome> outcomes, List<FunctionAnalysis.Outcome> functions) {
        List<Opinion> opinions = new ArrayList<>();
        if (!inputs.snapshots().isEmpty()) {
            opinions.add(Judge.ofRecordings(outcomes));
        }
        functions.stream()
                .filter(outcome -> outcome.profile().summary().calls() > 0)
                .map(FunctionAnalysis.Outcome::opinion)
                .forEach(opinions::add);
        return opinions;
    }

    private static List<Outcome> outcomes(
            List<? extends Input> inputs, DumpedProcesses dumped, Options options, Wanted wanted) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int input = 0; input < inputs.size(); input++) {
            if (inputs.get(input) instanceof Snapshot snapshot) {
                outcomes.addAll(ofProcess(input, snapshot, options, wanted, dumped.of(input)));
            }
        }
        return outcomes;
    }

    /** The devices of a process, in their order; the one with the most events comes first to its turn, since its steps hold for all. */
    private static List<Outcome> ofProcess(
            int input, Snapshot snapshot, Options options, Wanted wanted, @Nullable ProcessDump dump) {
        List<Integer> devices = devices(snapshot, options);
        List<Integer> busiestFirst = new ArrayList<>(devices);
        busiestFirst.sort(Comparator.comparingInt(device -> -snapshot.columns().eventCount(device)));
        Map<Integer, Outcome> outcomes = new TreeMap<>();
        ProcessSteps steps = null;
        for (int device : busiestFirst) {
            Outcome outcome = outcome(input, snapshot.columns(), device, options, wanted, dump, steps);
            outcomes.put(device, outcome);
            steps = steps == null ? outcome.steps() : steps;
        }
        return List.copyOf(outcomes.values());
    }

    private static List<Integer> devices(Snapshot snapshot, Options options) {
        return LifetimeBuilder.devices(snapshot.columns()).stream()
                .filter(device -> options.device.isEmpty() || options.device.getAsInt() == device)
                .toList();
    }

    private static Outcome outcome(
            int input,
            SnapshotColumns columns,
            int device,
            Options options,
            Wanted wanted,
            @Nullable ProcessDump dump,
            @Nullable ProcessSteps process) {
        Lifetimes lifetimes = LifetimeBuilder.build(columns, device);
        int from = options.window.from().event(lifetimes.events());
        int events = lifetimes.events().count();
        if (process == null && events > 0 && from >= events) {
            throw new IllegalArgumentException("the recording has ended by then: it has "
                    + Numbers.counted(events, "event") + ", and nothing from the given moment on");
        }
        int to = options.window.to().event(lifetimes.events());
        Evidence evidence = Evidence.of(
                input,
                columns,
                lifetimes,
                from,
                to,
                options.deviceBytes,
                process,
                line -> options.sources.collectsGarbage(line) || (dump != null && dump.collects(line)));
        wanted.evidence.accept(evidence, process);
        return DeviceAnalysis.of(evidence, wanted.pictures, dump);
    }

    private static Map<String, Object> settings(List<Snapshot> snapshots) {
        return snapshots.stream()
                .map(snapshot -> snapshot.columns().settings)
                .filter(settings -> !settings.isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    /** The version of this library. */
    public static String version() {
        String version = Analysis.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
