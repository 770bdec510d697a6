package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.site.StackSites;
import dev.leakline.site.UserCalls;
import dev.leakline.statistics.Ratchet;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists the evidence of a leak for people: which blocks are allocated and never freed, and from which lines. */
final class LeakEvidence {
    /** Inner lines that are listed; more do not help to understand. */
    private static final int LINES = 6;

    /** A line that allocates, and the user's own line that leads to it where the leak has several. */
    private record Line(Frame innermost, @Nullable Frame own) {}

    private final dev.leakline.evidence.Evidence evidence;
    private final Leak leak;
    private final Ratchet test;
    private final IntArrayList survivors;

    LeakEvidence(dev.leakline.evidence.Evidence evidence, Leak leak, Ratchet test, IntArrayList survivors) {
        this.evidence = evidence;
        this.leak = leak;
        this.test = test;
        this.survivors = survivors;
    }

    List<Proof> list() {
        List<Proof> list = new ArrayList<>();
        list.add(Proof.of(ages()));
        int releases = test.releases().size();
        if (test.isGivenBack()) {
            list.add(Proof.of("all of it was freed at step " + test.releases().get(0) + ", at the end of the run"));
        } else if (releases > 0) {
            list.add(Proof.of("part of it was freed " + releases + " times; what remains still grows"));
        }
        list.addAll(lines());
        return list;
    }

    private String ages() {
        IntHashSet births = new IntHashSet();
        int old = 0;
        int end = evidence.steps().count();
        for (int i = 0; i < survivors.size(); i++) {
            int survivor = survivors.get(i);
            births.add(evidence.survivors().first(survivor));
            old += evidence.survivors().end(survivor) - evidence.survivors().first(survivor) >= end / 2 ? 1 : 0;
        }
        return survivors.size() + " blocks outlived the step that allocated them, in " + births.size()
                + " different steps; " + old + " of them lived through half of all steps or more";
    }

    /** The innermost lines that make it up, largest first. */
    private List<Proof> lines() {
        Map<Line, long[]> sums = new HashMap<>();
        boolean hasSeveral = leak.groups().stream()
                        .map(grower -> grower.group().node())
                        .filter(node -> node >= 0)
                        .map(calls()::frame)
                        .distinct()
                        .count()
                > 1;
        for (int i = 0; i < survivors.size(); i++) {
            int survivor = survivors.get(i);
            if (evidence.survivors().first(survivor) > test.firstStep()) {
                int stack = evidence.sites().stack(evidence.survivors().allocation(survivor));
                Line line = new Line(innermost(stack), hasSeveral ? own(stack) : null);
                long[] sum = sums.computeIfAbsent(line, _ -> new long[2]);
                sum[0] += evidence.survivors().bytes(survivor);
                sum[1]++;
            }
        }
        return sums.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<Line, long[]> entry) -> -entry.getValue()[0])
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(LINES)
                .map(entry -> line(entry.getKey(), entry.getValue()[0], (int) entry.getValue()[1]))
                .toList();
    }

    private static Proof line(Line line, long bytes, int blocks) {
        Frame frame = line.innermost();
        Frame own = line.own();
        String from = own == null || own.equals(frame) ? "" : " from " + own.inWords();
        String text = Numbers.amount(bytes, blocks, "block") + from;
        return frame.file().isEmpty()
                ? new Proof(text, null, bytes, blocks)
                : Proof.at(new Site(StackSites.kind(frame), frame), text, bytes, blocks);
    }

    /** The innermost line of the user's own code on a stack; null where it has none. */
    private @Nullable Frame own(int stack) {
        return last(calls().end(stack));
    }

    private @Nullable Frame last(int node) {
        List<Frame> path = calls().path(node);
        return path.isEmpty() ? null : path.getLast();
    }

    private UserCalls calls() {
        return evidence.groups().calls();
    }

    private Frame innermost(int stack) {
        for (Frame frame : evidence.stacks().frames(stack)) {
            if (frame.line() > 0 && frame.file().endsWith(".py")) {
                return frame;
            }
        }
        Frame last = last(leak.node());
        return last == null ? new Frame("", 0, "no Python stack") : last;
    }
}
