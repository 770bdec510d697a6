package dev.leakline;

import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.columns.Measurements;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.conclusion.CaseTexts;
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
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.InputFile;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.result.Picture;
import dev.leakline.result.ProcessSummary;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.Tool;
import dev.leakline.result.WhatIf;
import dev.leakline.series.CurveSet;
import dev.leakline.series.SeriesAnalysis;
import dev.leakline.source.FoundMessages;
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
     */
    public record Options(OptionalInt device, Window window, long deviceBytes, FunctionAnalysis functions) {
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

    /** What is made of a device beside its result: a picture within limits, and whatever is told of its evidence by whose steps it goes. */
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
        int devices = snapshots(inputs).stream()
                .mapToInt(snapshot -> devices(snapshot, options).size())
                .sum();
        DumpedProcesses dumped = new DumpedProcesses(inputs);
        Wanted pictured = new Wanted(PictureLimits.share(devices), Wanted.RESULT.evidence);
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

    /** What a recording says of each of its devices in full, for viewers of profiles and traces. */
    public static List<RecordedProfile> profiles(Snapshot snapshot) {
        List<Evidence> devices = new ArrayList<>();
        List<Input> inputs = List.of(snapshot);
        Wanted wanted = new Wanted(null, (evidence, _) -> devices.add(evidence));
        List<Outcome> outcomes = outcomes(inputs, new DumpedProcesses(inputs), Options.ALL, wanted);
        return outcomes.stream()
                .map(Outcome::device)
                .map(device -> devices.stream()
                        .filter(evidence -> evidence.lifetimes().device() == device.device())
                        .map(evidence -> ProfileMaker.of(evidence, device))
                        .findFirst()
                        .orElseThrow())
                .toList();
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
            List<? extends Input> inputs, Options options, List<Outcome> outcomes, DumpedProcesses dumped) {
        List<DeviceResult> devices = outcomes.stream().map(Outcome::device).toList();
        List<FunctionAnalysis.Outcome> functions = functions(inputs, options);
        List<Opinion> events = events(inputs, outcomes, functions);
        SeriesAnalysis figures = new SeriesAnalysis(figures(inputs, options), devices);
        List<FoundMessages> found = new ArrayList<>();
        List<OutOfMemoryLog> logs = logs(inputs, found);
        List<OutOfMemoryExplanation> messages = MessageExplainer.explain(found, devices);
        List<JoinedDump> dumps = dumped.joined(outcomes);
        Opinion opinion =
                new Judge(devices).judge(events, figures.opinion(), MessageExplainer.opinion(messages), dumps);
        List<Finding> recorded =
                events.stream().flatMap(one -> one.findings().stream()).toList();
        return new AnalysisResult(
                AnalysisResult.SCHEMA,
                Tool.leakline(version()),
                inputs.stream().map(Analysis::describe).toList(),
                opinion.verdict(),
                opinion.reason(),
                SharedFindings.of(opinion.findings(), dumped::rank),
                opinion.acquittals(),
                opinion.checks(),
                dumps,
                devices,
                settings(snapshots(inputs)),
                figures.series(),
                figures.gaps(),
                figures.agreements(recorded, devices),
                functions.isEmpty() ? null : options.functions.report(functions),
                logs,
                messages,
                conclusion(inputs, logs, messages, figures.series(), opinion, recorded));
    }

    /** What all texts among the inputs say together, with what was recorded beside them; null where there are none. */
    private static @Nullable Conclusion conclusion(
            List<? extends Input> inputs,
            List<OutOfMemoryLog> logs,
            List<OutOfMemoryExplanation> messages,
            List<MeasuredSeries> series,
            Opinion opinion,
            List<Finding> recorded) {
        List<CaseTexts.Clues> clues = new ArrayList<>();
        for (int input = 0; input < inputs.size(); input++) {
            if (inputs.get(input) instanceof Measurement text && text.messages() != null) {
                clues.add(new CaseTexts.Clues(input, text.clues()));
            }
        }
        if (clues.isEmpty()) {
            return null;
        }
        Conclusion said =
                Concluder.of(new CaseTexts(clues, logs, messages, series, opinion.verdict(), opinion.findings()));
        boolean isOfDevice = said.resource() == Resource.DEVICE || said.resource() == Resource.UNKNOWN;
        return recorded.stream()
                .filter(finding -> isOfDevice && finding.site().isLine() && finding.severity() != Severity.INFO)
                .findFirst()
                .map(said::beside)
                .orElse(said);
    }

    /** The texts among the inputs, and into {@code all} what was found in each. */
    private static List<OutOfMemoryLog> logs(List<? extends Input> inputs, List<FoundMessages> all) {
        List<OutOfMemoryLog> logs = new ArrayList<>();
        for (int input = 0; input < inputs.size(); input++) {
            FoundMessages found = inputs.get(input) instanceof Measurement text ? text.messages() : null;
            if (found != null) {
                all.add(found);
                logs.add(new OutOfMemoryLog(
                        input,
                        found.lines(),
                        found.count(),
                        found.found().size(),
                        found.omitted(),
                        found.mentionCount(),
                        found.mentions()));
            }
        }
        return logs;
    }

    /** What recordings and profiles of functions say, of those that there are. */
    private static List<Opinion> events(
            List<? extends Input> inputs, List<Outcome> outcomes, List<FunctionAnalysis.Outcome> functions) {
        List<Opinion> opinions = new ArrayList<>();
        if (!snapshots(inputs).isEmpty()) {
            opinions.add(Judge.ofRecordings(outcomes));
        }
        functions.stream()
                .filter(outcome -> outcome.profile().summary().calls() > 0)
                .map(FunctionAnalysis.Outcome::opinion)
                .forEach(opinions::add);
        return opinions;
    }

    private static List<FunctionAnalysis.Outcome> functions(List<? extends Input> inputs, Options options) {
        List<FunctionAnalysis.Outcome> functions = new ArrayList<>();
        for (int input = 0; input < inputs.size(); input++) {
            if (inputs.get(input) instanceof Measurement measurement) {
                Measurements measurements = onDevice(measurement.measurements(), options.device);
                FunctionAnalysis.Outcome outcome = options.functions.examine(input, measurements, options.deviceBytes);
                if (!outcome.isEmpty()) {
                    functions.add(outcome);
                }
            }
        }
        return functions;
    }

    private static Measurements onDevice(Measurements all, OptionalInt device) {
        List<ProfiledCall> calls = all.calls().stream()
                .filter(call -> device.isEmpty() || call.after().device() == device.getAsInt())
                .toList();
        return new Measurements(calls, all.series(), all.unused());
    }

    private static CurveSet figures(List<? extends Input> inputs, Options options) {
        List<CurveSet.File> files = new ArrayList<>();
        for (int input = 0; input < inputs.size(); input++) {
            if (inputs.get(input) instanceof Measurement measurement) {
                files.add(new CurveSet.File(input, measurement.measurements().series()));
            }
        }
        return new CurveSet(files, options.device, options.deviceBytes);
    }

    private static InputFile describe(Input input) {
        return switch (input) {
            case Snapshot snapshot -> snapshot.describe();
            case Measurement measurement -> measurement.describe();
            case HolderDump dump -> dump.describe();
            case Report _ -> throw new IllegalArgumentException("a report cannot be analysed again");
            case Summary _ ->
                throw new IllegalArgumentException("it is a summary of ranks; leakline ranks compares them");
        };
    }

    private static List<Snapshot> snapshots(List<? extends Input> inputs) {
        return inputs.stream()
                .filter(Snapshot.class::isInstance)
                .map(Snapshot.class::cast)
                .toList();
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
        Evidence evidence = Evidence.of(input, columns, lifetimes, from, to, options.deviceBytes, process);
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
