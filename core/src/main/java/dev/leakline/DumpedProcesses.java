package dev.leakline;

import dev.leakline.holders.HolderAnalysis;
import dev.leakline.holders.SameProcess;
import dev.leakline.join.DeviceJoin;
import dev.leakline.join.DumpFit;
import dev.leakline.join.GrownHolders;
import dev.leakline.join.JoinedDumps;
import dev.leakline.join.ProcessDump;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.result.JoinedDump;
import dev.leakline.verdict.DeviceAnalysis.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The holder dumps of a case by process, each with the snapshot that fits it best: up to the last dump before most of the process's memory
 * was freed, as it is at exit, when functions have returned. Names of files say nothing; but where ranks are so alike that several fit
 * equally well, the first dump is taken for the first snapshot's.
 */
final class DumpedProcesses {
    private record Fit(int process, int snapshot, int storages) {}

    private final List<ProcessDump> processes = new ArrayList<>();
    /** The process of each snapshot that has one, by the number of its input. */
    private final Map<Integer, ProcessDump> bySnapshot = new HashMap<>();

    private final List<JoinedDump> late = new ArrayList<>();
    private final GrownHolders grown;

    /** Analyses the dumps among the inputs, and finds the snapshots of the same processes. */
    DumpedProcesses(List<? extends Input> inputs) {
        Map<ObjectGraph, Integer> numbers = new LinkedHashMap<>();
        for (int input = 0; input < inputs.size(); input++) {
            if (inputs.get(input) instanceof HolderDump dump) {
                numbers.put(dump.graph(), input);
            }
        }
        for (List<ObjectGraph> process : SameProcess.group(List.copyOf(numbers.keySet()))) {
            int telling = SameProcess.telling(process);
            processes.add(explain(process.subList(0, telling), numbers, inputs));
            for (ObjectGraph dump : process.subList(telling, process.size())) {
                late.add(JoinedDumps.late(numbers.getOrDefault(dump, 0), dump.storages.size()));
            }
        }
        assign(inputs);
        grown = new GrownHolders(
                processes, input -> CaseInputs.describe(inputs.get(input)).path());
    }

    /** Whoever they name for what figures saw grow. */
    GrownHolders grown() {
        return grown;
    }

    private static ProcessDump explain(
            List<ObjectGraph> process, Map<ObjectGraph, Integer> numbers, List<? extends Input> inputs) {
        List<Integer> own =
                process.stream().map(graph -> numbers.getOrDefault(graph, 0)).toList();
        List<String> names = own.stream()
                .map(number -> inputs.get(number) instanceof HolderDump dump ? dump.name() : "")
                .toList();
        return new ProcessDump(HolderAnalysis.process(Analysis.version(), names, process), own);
    }

    /** The best pairs first; nobody is in two. */
    private void assign(List<? extends Input> inputs) {
        List<Fit> fits = new ArrayList<>();
        for (int process = 0; process < processes.size(); process++) {
            for (int input = 0; input < inputs.size(); input++) {
                if (inputs.get(input) instanceof Snapshot snapshot) {
                    fits.add(new Fit(process, input, storages(process, snapshot)));
                }
            }
        }
        fits.sort(Comparator.comparingInt((Fit fit) -> -fit.storages)
                .thenComparingInt(Fit::process)
                .thenComparingInt(Fit::snapshot));
        for (Fit fit : fits) {
            ProcessDump process = processes.get(fit.process);
            if (!bySnapshot.containsKey(fit.snapshot) && !bySnapshot.containsValue(process)) {
                bySnapshot.put(fit.snapshot, process);
            }
        }
    }

    private int storages(int process, Snapshot snapshot) {
        return DumpFit.storages(snapshot.columns(), processes.get(process).process());
    }

    /** The dumps to join with a snapshot, by the number of its input; null where there are none. */
    @Nullable
    ProcessDump of(int input) {
        return bySnapshot.get(input);
    }

    /** The rank of the process that a snapshot is of; null where no dump tells. */
    @Nullable
    Integer rank(int input) {
        ProcessDump process = bySnapshot.get(input);
        return process == null || process.rank() < 0 ? null : process.rank();
    }

    /** The match of each process's dumps with the snapshots, once these are analysed. */
    List<JoinedDump> joined(List<Outcome> outcomes) {
        List<JoinedDump> joined = new ArrayList<>();
        for (ProcessDump process : processes) {
            joined.add(bySnapshot.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(process))
                    .findFirst()
                    .map(entry -> join(process, entry.getKey(), outcomes))
                    .orElseGet(() -> JoinedDumps.alone(process)));
        }
        joined.addAll(late);
        return joined;
    }

    private static JoinedDump join(ProcessDump process, int input, List<Outcome> outcomes) {
        List<Outcome> own = outcomes.stream()
                .filter(outcome -> outcome.device().input() == input)
                .toList();
        List<DeviceJoin> devices =
                own.stream().map(Outcome::join).filter(Objects::nonNull).toList();
        boolean isWanted = own.stream()
                .filter(outcome -> outcome.device().peak().bytes() > 0)
                .flatMap(outcome -> outcome.examinations().stream())
                .anyMatch(examination -> !examination.findings().isEmpty());
        return JoinedDumps.of(process, input, devices, isWanted);
    }
}
