package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.holders.Advisor.Advised;
import dev.leakline.holders.ReferencePath.Step;
import dev.leakline.known.Cause;
import dev.leakline.objects.DumpHeader;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.primitive.Ints;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Dump;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Totals;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.result.InputFile;
import dev.leakline.result.Tool;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what keeps device memory alive, from one dump or several of one process: groups the storages of the last dump by owner, and follows
 * each group from dump to dump. Dumps that were made after most was freed are left out.
 */
public final class HolderAnalysis {
    /** Characters of a fingerprint: two of a thousand groups are the same by chance once in ten billion analyses. */
    private static final int FINGERPRINT = 16;

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
        return new HeldProcess(holders, analysis.last.graph.storages, analysis.groups(holders.groups()));
    }

    /** Group number of each storage of the last dump. */
    private Ints groups(List<Group> groups) {
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            numbers.put(groups.get(i).signature(), i);
        }
        int[] byStorage = new int[last.graph.storages.size()];
        for (GatheredGroup draft : last.groups.values()) {
            int number = numbers.getOrDefault(fingerprint(draft.place.path()), 0);
            for (int i = 0; i < draft.storages.size(); i++) {
                byStorage[draft.storages.get(i)] = number;
            }
        }
        return Ints.of(byStorage);
    }

    private Holders result(String version, Map<ObjectGraph, String> names) {
        List<GatheredGroup> drafts = last.groups.values().stream()
                .sorted(Comparator.comparingLong((GatheredGroup draft) -> -draft.bytes))
                .toList();
        Shares shares = new Shares(last.graph, drafts);
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < drafts.size(); i++) {
            groups.add(group(drafts.get(i), i < Shares.MOST ? shares : null, i));
        }
        groups.sort(Comparator.comparing((Group group) -> group.verdict() == Verdict.EXPECTED)
                .thenComparing(group -> group.verdict() != Verdict.STUCK)
                .thenComparingLong(group -> -grown(group))
                .thenComparingLong(group -> -group.bytes())
                .thenComparing(Group::signature));
        return new Holders(
                Holders.SCHEMA,
                Tool.leakline(version),
                graphs.stream()
                        .map(graph -> dump(graph, names.getOrDefault(graph, "")))
                        .toList(),
                totals(groups),
                groups,
                cycles(),
                BlindSpots.of(
                        graphs,
                        late.stream()
                                .map(graph -> names.getOrDefault(graph, ""))
                                .toList()));
    }

    private static long grown(Group group) {
        Growth growth = group.growth();
        return growth == null
                ? 0
                : growth.bytes().get(growth.bytes().size() - 1) - growth.bytes().get(0);
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

    private Group group(GatheredGroup draft, @Nullable Shares shares, int row) {
        int example = last.example(draft);
        int vertex = last.graph.vertex(example);
        IntArrayList way = last.holding.paths.to(vertex);
        int start = way.isEmpty() ? vertex : last.graph.edges.from(way.get(0));
        List<Step> steps = ReferencePath.of(last.graph, last.naming, start, way);
        List<Hop> hops = Verdicts.of(last.holding, last.naming, draft, trend(draft), steps, example);
        long retained = last.retained(draft);
        Advised advised = Advisor.of(last.holding, last.naming, draft, steps, hops, retained);
        Cause cause = advised.cause();
        Verdict verdict = verdict(hops);
        Accumulation pile = accumulation(draft, steps);
        long most = mostItems(pile, steps);
        Growth growth = growth(draft);
        boolean isFull = most > 0 && (pile == null ? draft.storages.size() : pile.items()) >= most;
        return new Group(
                fingerprint(draft.place.path()),
                title(draft, steps),
                owner(draft.from),
                verdict,
                draft.storages.size(),
                draft.bytes,
                retained,
                shares == null ? 0 : shares.shared(row, last.goesWith(draft)),
                shares == null ? draft.bytes : shares.reachable(row),
                hops,
                pile,
                most,
                growth,
                cause == null ? null : cause.id(),
                verdict != Verdict.STUCK && (isFull || isReplaced(growth)) ? List.of() : advised.advice());
    }

    private static Verdict verdict(List<Hop> hops) {
        boolean isStuck = hops.stream().anyMatch(hop -> hop.verdict() == Verdict.STUCK);
        return isStuck ? Verdict.STUCK : hops.getLast().verdict();
    }

    private static Owner owner(HeldFrom from) {
        return switch (from) {
            case NAME, GRAPH -> Owner.NAME;
            case NATIVE -> Owner.NATIVE;
            case NOBODY -> Owner.CYCLE;
            case UNSEEN -> Owner.UNSEEN;
        };
    }

    private String title(GatheredGroup draft, List<Step> steps) {
        String start = last.naming.text(steps.getFirst().target());
        if (draft.from == HeldFrom.NOBODY) {
            return "a cycle of " + start + " that nothing refers to";
        }
        int item = draft.item(steps, last.naming);
        int end = 1;
        while (end < (item < 0 ? steps.size() : item)
                && !draft.anchors.contains(steps.get(end - 1).target())) {
            end++;
        }
        String name = ReferencePath.name(steps, end);
        String from = owner(draft.from) == Owner.NATIVE ? ", held by native code" + orGraph() : "";
        return (name.isEmpty() ? start : name + " of " + start) + from;
    }

    private String orGraph() {
        return last.graph.header.isGraphRead() ? "" : " or by the autograd graph, which was not read";
    }

    private @Nullable Accumulation accumulation(GatheredGroup draft, List<Step> steps) {
        long items = last.items(draft);
        for (int i = 0; items >= 0 && i < steps.size(); i++) {
            if (draft.anchors.contains(steps.get(i).target())) {
                return new Accumulation(i, items, draft.storages.size(), draft.bytes);
            }
        }
        int pile = draft.from == HeldFrom.NOBODY ? draft.item(steps, last.naming) - 1 : -1;
        return pile < 0
                ? null
                : new Accumulation(
                        pile, last.naming.items(steps.get(pile).target()), draft.storages.size(), draft.bytes);
    }

    /** How many items the container keeps in which a group piles up; one that hides its items, as of functools.lru_cache, may be anywhere on the way. */
    private long mostItems(@Nullable Accumulation pile, List<Step> steps) {
        Map<Integer, Long> bounds = last.graph.header.bounds();
        return (pile == null ? steps.stream() : Stream.of(steps.get(pile.hop())))
                .map(step -> bounds.getOrDefault(step.target(), 0L))
                .filter(most -> most > 0)
                .findFirst()
                .orElse(0L);
    }

    /** Whether a container has as many items as before, of which some are new: the program removes the others, so none is to be told to. */
    private static boolean isReplaced(@Nullable Growth growth) {
        return growth != null && growth.items().getLast() > 0 && growth.newStorages() > 0 && !growth.hasGrown();
    }

    private Trend trend(GatheredGroup draft) {
        Growth growth = growth(draft);
        if (growth == null) {
            return Trend.NONE;
        }
        boolean isPile = last.items(draft) >= 0;
        List<Long> steps = graphs.stream().map(graph -> graph.header.step()).toList();
        return Trend.of(isPile ? growth.items() : growth.bytes(), steps, growth.isSteady(), isPile ? "items" : "bytes");
    }

    private @Nullable Growth growth(GatheredGroup draft) {
        if (dumps.size() < 2) {
            return null;
        }
        long[] bytes = new long[dumps.size()];
        long[] storages = new long[dumps.size()];
        long[] items = new long[dumps.size()];
        for (int i = 0; i < dumps.size(); i++) {
            GatheredGroup then = dumps.get(i).groups.get(draft.place.path());
            bytes[i] = then == null ? 0 : then.bytes;
            storages[i] = then == null ? 0 : then.storages.size();
            items[i] = then == null ? -1 : dumps.get(i).items(then);
        }
        return new Growth(list(bytes), list(storages), list(items), fresh(draft), rises(storages) && rises(bytes));
    }

    private static List<Long> list(long[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    /** Storages that the dump before does not have; of another process, all are. */
    private int fresh(GatheredGroup draft) {
        HeldDump before = dumps.get(dumps.size() - 2);
        int fresh = 0;
        for (int i = 0; i < draft.storages.size(); i++) {
            fresh += before.keys.contains(last.graph.storages.key(draft.storages.get(i))) ? 0 : 1;
        }
        return fresh;
    }

    private static boolean rises(long[] values) {
        for (int i = 1; i < values.length; i++) {
            if (values[i] <= values[i - 1]) {
                return false;
            }
        }
        return true;
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

    private List<Cycle> cycles() {
        Map<String, List<Integer>> alike = new LinkedHashMap<>();
        for (int i = 0; i < last.loops.size(); i++) {
            alike.computeIfAbsent(last.loops.get(i).name(), _ -> new ArrayList<>())
                    .add(i);
        }
        List<Cycle> cycles = new ArrayList<>();
        alike.forEach((name, loops) -> cycles.add(cycle(name, loops)));
        cycles.sort(Comparator.comparingLong((Cycle cycle) -> -cycle.bytes()).thenComparing(Cycle::signature));
        return cycles;
    }

    private Cycle cycle(String name, List<Integer> loops) {
        GatheredGroup group = last.groups.get("\ncycle\n" + name);
        int largest = loops.stream()
                .max(Comparator.comparingInt(
                        loop -> last.holding.loops.get(loop).objects()))
                .orElseThrow();
        return new Cycle(
                fingerprint("\ncycle\n" + name),
                loops.size(),
                last.holding.loops.get(largest).objects(),
                group == null ? 0 : group.storages.size(),
                group == null ? 0 : group.bytes,
                last.holding.loops.get(largest).isCollectable(),
                last.loops.get(largest).hops());
    }

    private static String fingerprint(String path) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-1").digest(path.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum).substring(0, FINGERPRINT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
