package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.Doubts;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Site;
import dev.leakline.text.Numbers;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds growth in recordings that have stacks of the blocks of the final state alone: blocks of one line that came evenly from the first event to
 * the last, while nearly all else was freed.
 *
 * <p>The blocks of a collection that is full are all from the end, those of a warm-up from the beginning. What else a line allocated, and was
 * freed since, has no stack, but it was held: so at its least the memory of each part of the recording must be the blocks that had come by then.
 */
final class FinalGrowth {
    /** Parts of the recording, in each of which blocks must come. */
    private static final int PARTS = 8;
    /** Blocks in a part, on average: eight that come by chance are less than half of that once in a hundred times. */
    private static final int FEWEST = 8;

    private static final double HALF = 0.5;
    /** The share of the blocks' bytes by which the least of all else may differ from part to part: inputs of a request may wait in each. */
    private static final double REST = 0.1;
    /** Blocks that are freed for each that stays: who loads a model copies each parameter twice at most. */
    private static final int WORK = 3;
    /** The share of confidence that the final state leaves: a cache that is not yet full looks the same. */
    private static final double FINAL_STATE = 0.7;

    private final Evidence evidence;
    private final Lifetimes lifetimes;
    private final int events;

    private FinalGrowth(Evidence evidence) {
        this.evidence = evidence;
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events().count();
    }

    /** The growth at a line, with the check that was made; empty where nothing grows, or events have stacks, which show more. */
    static Optional<Examination> of(Evidence evidence, Check check) {
        FinalGrowth growth = new FinalGrowth(evidence);
        return growth.hasStacks()
                ? Optional.empty()
                : growth.lines().values().stream()
                        .filter(growth::grows)
                        .findFirst()
                        .map(blocks ->
                                new Examination(check, List.of(growth.finding(blocks)), List.of(), List.of(blocks)));
    }

    private boolean hasStacks() {
        for (int event = 0; event < events; event++) {
            if (lifetimes.events().stack(event) != StackTable.NONE) {
                return true;
            }
        }
        return events == 0;
    }

    /** The allocations that were live at the end, by their lines, the earliest first. */
    private Map<Site, IntArrayList> lines() {
        Map<Site, IntArrayList> lines = new LinkedHashMap<>();
        for (int event = 0; event < events; event++) {
            int allocation = lifetimes.allocation(event);
            if (isBirth(allocation, event) && lifetimes.died(allocation) == Lifetimes.NEVER) {
                Site site = evidence.sites().site(allocation);
                lines.computeIfAbsent(site, _ -> new IntArrayList()).add(allocation);
            }
        }
        lines.keySet().removeIf(site -> !site.isLine());
        return lines;
    }

    private boolean isBirth(int allocation, int event) {
        return allocation != Lifetimes.NONE && lifetimes.born(allocation) == event;
    }

    private boolean grows(IntArrayList blocks) {
        int stack = evidence.sites().stack(blocks.get(0));
        return blocks.size() >= PARTS * FEWEST
                && bytes(blocks) >= HALF * evidence.peakBytes()
                && !evidence.stacks().state().buildsModule(stack)
                && !evidence.stacks().state().makesOptimizerState(stack)
                && comesEvenly(blocks)
                && isAllThatStays(blocks);
    }

    private long bytes(IntArrayList blocks) {
        long sum = 0;
        for (int i = 0; i < blocks.size(); i++) {
            sum += lifetimes.held(blocks.get(i));
        }
        return sum;
    }

    private int part(int event) {
        return (int) ((long) event * PARTS / events);
    }

    private boolean comesEvenly(IntArrayList blocks) {
        int[] came = new int[PARTS];
        for (int i = 0; i < blocks.size(); i++) {
            came[part(lifetimes.born(blocks.get(i)))]++;
        }
        return Arrays.stream(came).allMatch(count -> count >= HALF * blocks.size() / PARTS);
    }

    /** Returns whether each part frees far more blocks than stay, and all others whenever least is held. */
    private boolean isAllThatStays(IntArrayList blocks) {
        boolean[] stays = new boolean[lifetimes.count()];
        for (int i = 0; i < blocks.size(); i++) {
            stays[blocks.get(i)] = true;
        }
        long[] least = new long[PARTS];
        int[] freed = new int[PARTS];
        Arrays.fill(least, Long.MAX_VALUE);
        long others = 0;
        for (int event = 0; event < events; event++) {
            int allocation = lifetimes.allocation(event);
            if (allocation != Lifetimes.NONE && !stays[allocation]) {
                boolean isDeath = lifetimes.died(allocation) == event;
                others += isBirth(allocation, event)
                        ? lifetimes.held(allocation)
                        : isDeath ? -lifetimes.held(allocation) : 0;
                freed[part(event)] += isDeath ? 1 : 0;
            }
            least[part(event)] = Math.min(least[part(event)], others);
        }
        long spread = Arrays.stream(least).max().orElse(0)
                - Arrays.stream(least).min().orElse(0);
        return spread <= REST * bytes(blocks)
                && Arrays.stream(freed).allMatch(count -> count >= WORK * blocks.size() / PARTS);
    }

    private Finding finding(IntArrayList blocks) {
        int last = blocks.get(blocks.size() - 1);
        Site site = evidence.sites().site(last);
        int stack = evidence.sites().stack(last);
        Diagnosis diagnosis = Diagnosis.recorded(Cause.CONTAINER);
        String amount = Numbers.amount(bytes(blocks), blocks.size(), "block");
        return new FindingBuilder(Kind.LEAK, Fingerprint.of(Kind.LEAK, evidence.path(site, stack)))
                .severity(Severity.WARNING)
                .confidence(doubts())
                .cause(diagnosis.told())
                .summary("Of the memory allocated here, " + amount + " stayed to the end.")
                .on(evidence.input(), lifetimes.device())
                .site(site)
                .stack(evidence.stacks().frames(stack))
                .held(bytes(blocks), blocks.size())
                .proofs(
                        List.of(
                                Proof.of(
                                        amount
                                                + " came evenly from the first event to the last, and at no time was much else held throughout")))
                .advice(diagnosis.advice(bytes(blocks), lifetimes.device() < 0))
                .build();
    }

    private static Doubts doubts() {
        Doubts doubts = new Doubts(1);
        doubts.leave(
                FINAL_STATE,
                "only the blocks of the final state have stacks, so a cache that is not yet full looks the same:"
                        + " record with context=\"all\" to make sure");
        return doubts;
    }
}
