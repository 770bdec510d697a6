package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.join.DumpMatch;
import dev.leakline.join.DumpMatch.Garbage;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds cycles by a dump: garbage that piles up is seen there, whether the collector ever frees it or memory ends before. What the recording
 * took for a leak and is such a pile becomes part of it; what it found as cycles by itself stays as it is.
 */
public final class SeenCycles {
    /** Cycles of one shape that are a pile: two are what a variable leaves and what it is set to next. */
    private static final int FEWEST = 3;
    /** The share of a pile that makes it a known finding's, and the share of a leak in a pile that makes it one. */
    private static final double MOST = 0.5;
    /** A dump shows the cycle itself; it may still not be the only thing that waits. */
    private static final double SURE = 0.99;

    private final Evidence evidence;
    private final DumpMatch match;
    private final List<Examination> examinations;
    private final Culprits culprits;
    /** The bytes of each finding when the dump was made. */
    private final IdentityHashMap<Finding, Long> live;
    /** Leaks that are piles of garbage. */
    private final Set<Finding> explained = Collections.newSetFromMap(new IdentityHashMap<>());

    private final List<Finding> findings = new ArrayList<>();
    private final List<IntArrayList> piles = new ArrayList<>();

    private SeenCycles(Evidence evidence, List<Examination> examinations, DumpMatch match) {
        this.evidence = evidence;
        this.match = match;
        this.examinations = examinations;
        this.culprits = new Culprits(evidence, examinations, match.event());
        this.live = byFinding(evidence.lifetimes().liveAfter(match.event()));
    }

    /** Adds the cycles that a dump of the same process shows to the results of the detectors on a device. */
    public static List<Examination> added(Evidence evidence, List<Examination> examinations, DumpMatch match) {
        return match.fits() ? new SeenCycles(evidence, examinations, match).added() : examinations;
    }

    private List<Examination> added() {
        for (Garbage garbage : match.garbage()) {
            if (garbage.cycle().copies() >= FEWEST && garbage.allocations().size() >= FEWEST) {
                take(garbage);
            }
        }
        return findings.isEmpty()
                ? examinations
                : examinations.stream().map(this::with).toList();
    }

    private void take(Garbage garbage) {
        IdentityHashMap<Finding, Long> parts = byFinding(garbage.allocations());
        long bytes = bytes(garbage.allocations());
        boolean isFound = parts.entrySet().stream()
                .anyMatch(part -> part.getKey().kind() == Kind.REFERENCE_CYCLE && part.getValue() >= MOST * bytes);
        if (!isFound) {
            parts.entrySet().stream()
                    .filter(part -> part.getValue() >= MOST * live.getOrDefault(part.getKey(), 0L))
                    .forEach(part -> explained.add(part.getKey()));
            findings.add(finding(garbage, bytes));
            piles.add(garbage.allocations());
        }
    }

    /** The bytes of some allocations by the finding that they belong to. */
    private IdentityHashMap<Finding, Long> byFinding(IntArrayList allocations) {
        IdentityHashMap<Finding, Long> parts = new IdentityHashMap<>();
        for (IntCursor allocation : allocations) {
            Finding finding = culprits.finding(allocation.value);
            if (finding != null) {
                parts.merge(finding, evidence.lifetimes().held(allocation.value), Long::sum);
            }
        }
        return parts;
    }

    private long bytes(IntArrayList allocations) {
        long bytes = 0;
        for (IntCursor allocation : allocations) {
            bytes += evidence.lifetimes().held(allocation.value);
        }
        return bytes;
    }

    private Examination with(Examination examination) {
        boolean isOfCycles = examination.check().detector().equals(CycleDetector.NAME);
        List<Finding> kept = new ArrayList<>();
        List<IntArrayList> theirs = new ArrayList<>();
        for (int i = 0; i < examination.findings().size(); i++) {
            Finding finding = examination.findings().get(i);
            if (!explained.contains(finding)) {
                kept.add(finding);
                if (i < examination.culprits().size()) {
                    theirs.add(examination.culprits().get(i));
                }
            }
        }
        if (isOfCycles) {
            kept.addAll(findings);
            theirs.addAll(piles);
        }
        Check check = isOfCycles
                ? new Check(CycleDetector.NAME, true, "looked at the garbage in the holder dump")
                : examination.check();
        return new Examination(check, kept, examination.acquittals(), theirs);
    }

    private Finding finding(Garbage garbage, long bytes) {
        int largest = largest(garbage.allocations());
        Site site = evidence.sites().site(largest);
        int stack = evidence.sites().stack(largest);
        int blocks = garbage.allocations().size();
        return CycleFinding.of(
                        evidence,
                        site,
                        evidence.stacks().frames(stack),
                        evidence.path(site, stack),
                        bytes,
                        blocks,
                        garbage.allocations())
                .confidence(SURE, List.of("a dump shows the cycles themselves"))
                .summary("Blocks allocated here pile up in reference cycles: "
                        + Numbers.amount(bytes, blocks, "block")
                        + " when the dump was made. " + garbage.cycle().sentence() + ".")
                .proofs(proofs(garbage, bytes))
                .build();
    }

    /** The newest allocation of the line that has most of a pile. */
    private int largest(IntArrayList allocations) {
        Map<Site, Long> bySite = new HashMap<>();
        int best = allocations.get(0);
        for (IntCursor allocation : allocations) {
            Site site = evidence.sites().site(allocation.value);
            long bytes = bySite.merge(site, evidence.lifetimes().held(allocation.value), Long::sum);
            best = bytes >= bySite.getOrDefault(evidence.sites().site(best), 0L) ? allocation.value : best;
        }
        return best;
    }

    private List<Proof> proofs(Garbage garbage, long bytes) {
        List<Proof> proofs = new ArrayList<>();
        proofs.add(
                Proof.of("nothing outside refers to them: the garbage collector would free " + ByteSize.format(bytes)));
        Set<Integer> steps = new HashSet<>();
        for (IntCursor allocation : garbage.allocations()) {
            steps.add(evidence.steps().of(evidence.lifetimes().born(allocation.value)));
        }
        if (evidence.steps().kind().repeats() && steps.size() > 1) {
            proofs.add(Proof.of("they were allocated in " + steps.size() + " different steps"));
        }
        return proofs;
    }
}
