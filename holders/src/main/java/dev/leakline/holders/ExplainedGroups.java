package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.holders.Advisor.Advised;
import dev.leakline.holders.ReferencePath.Step;
import dev.leakline.known.Cause;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains each group of storages of a dump: who holds it, since when it grows, what is freed with it, and what to do. */
final class ExplainedGroups {
    private final HeldDump dump;
    private final GroupHistory history;

    /** Explains the groups of the last of some dumps. */
    ExplainedGroups(List<HeldDump> dumps) {
        this.dump = dumps.getLast();
        this.history = new GroupHistory(dumps);
    }

    /** The groups, the most suspect first. */
    List<Group> all() {
        List<GatheredGroup> gathered = dump.groups.values().stream()
                .sorted(Comparator.comparingLong((GatheredGroup group) -> -group.bytes))
                .toList();
        Shares shares = new Shares(dump.graph, gathered);
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < gathered.size(); i++) {
            groups.add(group(gathered.get(i), i < Shares.MOST ? shares : null, i));
        }
        groups.sort(Comparator.comparing((Group group) -> group.verdict() == Verdict.EXPECTED)
                .thenComparing(group -> group.verdict() != Verdict.STUCK)
                .thenComparingLong(group -> -grown(group))
                .thenComparingLong(group -> -group.bytes())
                .thenComparing(Group::signature));
        return groups;
    }

    private static long grown(Group group) {
        Growth growth = group.growth();
        return growth == null ? 0 : growth.bytes().getLast() - growth.bytes().getFirst();
    }

    private Group group(GatheredGroup gathered, @Nullable Shares shares, int row) {
        IntArrayList fresh = history.fresh(gathered);
        int example = dump.example(fresh.isEmpty() ? gathered.storages : fresh);
        List<Step> steps = steps(example);
        List<Hop> hops = Verdicts.of(dump.holding, dump.naming, gathered, history.trend(gathered), steps, example);
        long retained = dump.retained(gathered);
        Advised advised = Advisor.of(dump.holding, dump.naming, gathered, steps, hops, retained);
        Cause cause = advised.cause();
        Verdict verdict = verdict(hops);
        Accumulation pile = accumulation(gathered, steps);
        long most = mostItems(pile, steps);
        Growth growth = history.growth(gathered);
        boolean isFull = most > 0 && (pile == null ? gathered.storages.size() : pile.items()) >= most;
        return new Group(
                PathFingerprint.of(gathered.place.path()),
                title(gathered, steps, fresh),
                owner(gathered.from),
                verdict,
                gathered.storages.size(),
                gathered.bytes,
                retained,
                shares == null ? 0 : shares.shared(row, dump.goesWith(gathered)),
                shares == null ? gathered.bytes : shares.reachable(row),
                hops,
                pile,
                most,
                growth,
                cause == null ? null : cause.id(),
                verdict != Verdict.STUCK && (isFull || isReplaced(growth)) ? List.of() : advised.advice(),
                null);
    }

    private List<Step> steps(int storage) {
        int vertex = dump.graph.vertex(storage);
        IntArrayList way = dump.holding.paths.to(vertex);
        int start = way.isEmpty() ? vertex : dump.graph.edges.from(way.get(0));
        return ReferencePath.of(dump.graph, dump.naming, start, way);
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

    private String title(GatheredGroup gathered, List<Step> steps, IntArrayList fresh) {
        String start = dump.naming.text(steps.getFirst().target());
        if (gathered.from == HeldFrom.NOBODY) {
            return "a cycle of " + start + " that nothing refers to";
        }
        int item = gathered.item(steps, dump.naming);
        int end = 1;
        while (end < (item < 0 ? steps.size() : item)
                && !gathered.anchors.contains(steps.get(end - 1).target())) {
            end++;
        }
        boolean isOfWeights = gathered.place.kind == HeldPlace.Kind.WEIGHTS && fresh.size() > 1;
        String name = ReferencePath.name(steps, isOfWeights ? Math.max(end, common(steps, fresh)) : end);
        String from = owner(gathered.from) == Owner.NATIVE ? ", held by native code" + orGraph() : "";
        return (name.isEmpty() ? start : name + " of " + start) + from;
    }

    /** The first steps that the ways to some storages have in common: the part of a model that is given new weights. */
    private int common(List<Step> steps, IntArrayList storages) {
        int common = steps.size();
        for (IntCursor storage : storages) {
            List<Step> other = steps(storage.value);
            common = Math.min(common, other.size());
            while (common > 0
                    && steps.get(common - 1).target() != other.get(common - 1).target()) {
                common--;
            }
        }
        return common;
    }

    private String orGraph() {
        return dump.graph.header.isGraphRead() ? "" : " or by the autograd graph, which was not read";
    }

    private @Nullable Accumulation accumulation(GatheredGroup gathered, List<Step> steps) {
        long items = dump.items(gathered);
        for (int i = 0; items >= 0 && i < steps.size(); i++) {
            if (gathered.anchors.contains(steps.get(i).target())) {
                return new Accumulation(i, items, gathered.storages.size(), gathered.bytes);
            }
        }
        int pile = gathered.from == HeldFrom.NOBODY ? gathered.item(steps, dump.naming) - 1 : -1;
        return pile < 0
                ? null
                : new Accumulation(
                        pile, dump.naming.items(steps.get(pile).target()), gathered.storages.size(), gathered.bytes);
    }

    /** How many items the container keeps in which a group piles up; one that hides its items, as of functools.lru_cache, may be anywhere on the way. */
    private long mostItems(@Nullable Accumulation pile, List<Step> steps) {
        Map<Integer, Long> bounds = dump.graph.header.bounds();
        return (pile == null ? steps.stream() : Stream.of(steps.get(pile.hop())))
                .map(step -> bounds.getOrDefault(step.target(), 0L))
                .filter(most -> most > 0)
                .findFirst()
                .orElse(0L);
    }

    /** Returns whether a container has as many items as before, of which some are new: the program removes the others, so none is to be told to. */
    private static boolean isReplaced(@Nullable Growth growth) {
        return growth != null && growth.items().getLast() > 0 && growth.newStorages() > 0 && !growth.hasGrown();
    }
}
