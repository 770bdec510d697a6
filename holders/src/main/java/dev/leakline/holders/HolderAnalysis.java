package dev.leakline.holders;

import static java.util.stream.Collectors.toSet;

import dev.leakline.objects.DumpHeader;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.primitive.Ints;
import dev.leakline.result.Frame;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Dump;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Totals;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.result.InputFile;
import dev.leakline.result.Tool;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds what keeps device memory alive, from one dump or several of one process: groups the storages of the last dump by owner, and follows
 * each group from dump to dump. Dumps that were made after most was freed are left out.
 */
public final class HolderAnalysis {
    private final List<HeldDump> dumps = new ArrayList<>();
    private final List<ObjectGraph> graphs;
    private final List<ObjectGraph> late;
    private final HeldDump last;

    private HolderAnalysis(List<ObjectGraph> graphs) {
        int telling = SameProcess.telling(graphs);
        this.graphs = graphs.subList(0, telling);
        this.late = graphs.subList(telling, graphs.size());
        this.graphs.forEach(graph -> dumps.add(new HeldDump(graph)));
        this.last = dumps.getLast();
    }

    /**
     * Analyses dumps.
     *
     * @param version the version of this tool
     * @param names the names of the dumps in reports, in their order
     * @param graphs the dumps, at least one, in any order
     */
    public static Holders run(String version, List<String> names, List<ObjectGraph> graphs) {
        return process(version, names, graphs).holders();
    }

    /** Explains dumps, and gives the group of each storage. */
    public static HeldProcess process(String version, List<String> names, List<ObjectGraph> graphs) {
        Map<ObjectGraph, String> named = new LinkedHashMap<>();
        for (int i = 0; i < graphs.size(); i++) {
            named.put(graphs.get(i), names.get(i));
        }
        HolderAnalysis analysis =
                new HolderAnalysis(graphs.stream().sorted(SameProcess.byTime()).toList());
        Holders holders = analysis.result(version, named);
        Set<Frame> collectCalls = graphs.stream()
                .flatMap(graph -> graph.header.collectCalls().stream())
                .collect(toSet());
        return new HeldProcess(
                holders,
                analysis.last.graph.storages,
                collectCalls,
                analysis.groups(holders.groups()),
                SameProcess.isOver(analysis.last.graph));
    }

    /** Group number of each storage of the last dump. */
    private Ints groups(List<Group> groups) {
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            numbers.put(groups.get(i).signature(), i);
        }
        int[] byStorage = new int[last.graph.storages.size()];
        for (GatheredGroup gathered : last.groups.values()) {
            int number = numbers.getOrDefault(PathFingerprint.of(gathered.place.path()), 0);
            for (int i = 0; i < gathered.storages.size(); i++) {
                byStorage[gathered.storages.get(i)] = number;
            }
        }
        return Ints.of(byStorage);
    }

    private Holders result(String version, Map<ObjectGraph, String> names) {
        List<Group> groups = new ExplainedGroups(dumps).all();
        return new Holders(
                Holders.SCHEMA,
                Tool.leakline(version),
                graphs.stream()
                        .map(graph -> dump(graph, names.getOrDefault(graph, "")))
                        .toList(),
                totals(groups),
                groups,
                new CyclesByName(last).all(),
                BlindSpots.of(
                        graphs,
                        late.stream()
                                .map(graph -> names.getOrDefault(graph, ""))
                                .toList()));
    }

    /** A dump as an input. */
    public static InputFile describe(String name, ObjectGraph graph) {
        return new InputFile(
                name,
                "holder dump",
                graph.fileBytes,
                graph.header.torch().isEmpty() ? null : graph.header.torch(),
                graph.incomplete);
    }

    private static Dump dump(ObjectGraph graph, String name) {
        DumpHeader header = graph.header;
        InputFile file = describe(name, graph);
        return new Dump(
                file.path(),
                file.kind(),
                file.bytes(),
                file.torch(),
                file.incomplete(),
                header.program(),
                header.python(),
                header.pid(),
                header.rank(),
                header.step(),
                header.timeMicros(),
                header.pauseMillis(),
                graph.nodes.size(),
                graph.storages.size(),
                graph.storages.totalBytes());
    }

    private Totals totals(List<Group> groups) {
        Map<Owner, Long> by = new EnumMap<>(Owner.class);
        long expected = 0;
        for (Group group : groups) {
            if (group.verdict() == Verdict.EXPECTED) {
                expected += group.bytes();
            } else {
                by.merge(group.owner(), group.bytes(), Long::sum);
            }
        }
        return new Totals(
                last.graph.storages.size(),
                groups.stream().mapToLong(Group::bytes).sum(),
                expected,
                by.getOrDefault(Owner.NAME, 0L),
                by.getOrDefault(Owner.CYCLE, 0L),
                by.getOrDefault(Owner.NATIVE, 0L),
                by.getOrDefault(Owner.UNSEEN, 0L));
    }
}
