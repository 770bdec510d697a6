package dev.leakline;

import dev.leakline.Analysis.Options;
import dev.leakline.cases.CaseTexts;
import dev.leakline.columns.Measurements;
import dev.leakline.columns.ProcessSample;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.finding.Opinion;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.live.WatchOpinion;
import dev.leakline.result.InputFile;
import dev.leakline.result.JobProcess;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.series.CurveSet;
import dev.leakline.source.FoundMessages;
import dev.leakline.source.ProbeFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The inputs of a case by what they hold, each with its number among all. */
final class CaseInputs {
    private final List<? extends Input> all;
    private final List<Measured> measured;

    private record Measured(int input, Measurement measurement) {}

    CaseInputs(List<? extends Input> all) {
        this(all, new ArrayList<>());
        for (int input = 0; input < all.size(); input++) {
            if (all.get(input) instanceof Measurement measurement) {
                measured.add(new Measured(input, measurement));
            }
        }
    }

    private CaseInputs(List<? extends Input> all, List<Measured> measured) {
        this.all = all;
        this.measured = measured;
    }

    /**
     * The same without the probe's figures of what something else of the same process tells better: looks at the host's memory do so of its levels, and
     * a recording, where recordings answer, of the allocator's counters, which have the same bytes.
     */
    CaseInputs telling(boolean recordings) {
        Set<String> better = new HashSet<>();
        for (Input input : all) {
            ProbeFile file = ProbeFile.of(describe(input).path());
            if (file != null && input instanceof HostLooks) {
                better.add(file.stem() + ProbeFile.LEVELS);
            }
            if (file != null && recordings && input instanceof Snapshot) {
                better.add(file.stem() + ProbeFile.COUNTERS);
            }
        }
        return new CaseInputs(
                all, measured.stream().filter(one -> !isToldBetter(one, better)).toList());
    }

    /** Returns whether all texts are the probe's own figures, of which nobody asks what they say. */
    boolean areOfProbe() {
        return measured.stream()
                .allMatch(one -> ProbeFile.of(one.measurement.describe().path()) != null);
    }

    private static boolean isToldBetter(Measured one, Set<String> better) {
        ProbeFile file = ProbeFile.of(one.measurement.describe().path());
        return file != null && better.contains(file.stem() + file.kind());
    }

    List<InputFile> described() {
        return all.stream().map(CaseInputs::describe).toList();
    }

    static InputFile describe(Input input) {
        return switch (input) {
            case Snapshot snapshot -> snapshot.describe();
            case Samples samples -> samples.describe();
            case HostLooks looks -> looks.describe();
            case Measurement measurement -> measurement.describe();
            case HolderDump dump -> dump.describe();
            case Report _ -> throw new IllegalArgumentException("a report cannot be analysed again");
            case Summary _ ->
                throw new IllegalArgumentException("it is a summary of ranks; leakline ranks compares them");
        };
    }

    List<Snapshot> snapshots() {
        return all.stream()
                .filter(Snapshot.class::isInstance)
                .map(Snapshot.class::cast)
                .toList();
    }

    /** The opinion on a watch's recordings, as its judge sees them; null where there are none. */
    @Nullable
    Opinion watched(Options options) {
        List<WatchOpinion.Recorded> recorded = new ArrayList<>();
        for (int input = 0; input < all.size(); input++) {
            if (all.get(input) instanceof Samples samples) {
                for (ProcessSample sample : samples.file().samples()) {
                    if (options.device().isEmpty()
                            || sample.device() == options.device().getAsInt()) {
                        recorded.add(new WatchOpinion.Recorded(input, sample));
                    }
                }
            }
        }
        return recorded.isEmpty() ? null : WatchOpinion.of(recorded);
    }

    /** The host's memory of the processes that were looked at. */
    List<JobProcess> processes(Sources sources) {
        return all.stream()
                .filter(HostLooks.class::isInstance)
                .flatMap(looks -> ((HostLooks) looks).judged(sources).stream())
                .toList();
    }

    /** The messages found in each text. */
    List<FoundMessages> messages() {
        return measured.stream()
                .map(one -> one.measurement.messages())
                .filter(Objects::nonNull)
                .toList();
    }

    /** The texts in short. */
    List<OutOfMemoryLog> logs() {
        List<OutOfMemoryLog> logs = new ArrayList<>();
        for (Measured one : measured) {
            FoundMessages found = one.measurement.messages();
            if (found != null) {
                logs.add(new OutOfMemoryLog(
                        one.input,
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

    /** The clues in texts beside messages and figures. */
    List<CaseTexts.Clues> clues() {
        return measured.stream()
                .filter(one -> one.measurement.messages() != null)
                .map(one -> new CaseTexts.Clues(one.input, one.measurement.clues(), one.measurement.unread()))
                .toList();
    }

    /** The series of texts as they were read. */
    List<CaseTexts.Measured> series() {
        return measured.stream()
                .map(one -> new CaseTexts.Measured(
                        one.input, one.measurement.measurements().series()))
                .toList();
    }

    /** The profiles of functions that have any calls. */
    List<FunctionAnalysis.Outcome> functions(Options options) {
        return measured.stream()
                .map(one -> options.functions()
                        .examine(
                                one.input,
                                onDevice(one.measurement.measurements(), options.device()),
                                options.deviceBytes()))
                .filter(outcome -> !outcome.isEmpty())
                .toList();
    }

    private static Measurements onDevice(Measurements all, OptionalInt device) {
        List<ProfiledCall> calls = all.calls().stream()
                .filter(call -> device.isEmpty() || call.after().device() == device.getAsInt())
                .toList();
        return new Measurements(calls, all.series(), all.unused());
    }

    CurveSet figures(Options options) {
        List<CurveSet.File> files = measured.stream()
                .map(one -> new CurveSet.File(
                        one.input, one.measurement.measurements().series()))
                .toList();
        return new CurveSet(files, options.device(), options.deviceBytes());
    }
}
