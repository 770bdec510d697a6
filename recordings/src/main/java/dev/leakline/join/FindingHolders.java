package dev.leakline.join;

import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Growth;
import dev.leakline.result.Holders.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the owners of a finding's memory, and puts the advice for them before that for its kind. */
final class FindingHolders {
    /** Holders that are told of: whoever mends these looks again. */
    private static final int MOST = 3;
    /** The share of the memory below which a holder holds what was under way when the dump was made. */
    private static final double BY_THE_WAY = 0.05;

    /** The share of the memory at which a holder decides what its cause is. */
    private static final double MOST_OF_IT = 0.5;

    /** How sure a cycle is that was seen; it may still not be the only thing that waits. */
    private static final double SEEN = 0.99;

    private final ProcessDump dump;
    private final HeldBlocks blocks;

    FindingHolders(ProcessDump dump, HeldBlocks blocks) {
        this.dump = dump;
        this.blocks = blocks;
    }

    /** The finding with its holders. */
    Finding join(Finding finding) {
        List<FindingHolder> holders = blocks.groups().stream()
                .filter(sum -> sum.bytes() >= BY_THE_WAY * blocks.bytes())
                .limit(MOST)
                .map(sum -> dump.holder(sum.group(), sum.bytes(), sum.blocks()))
                .toList();
        Finding joined = diagnosed(finding.withHolders(holders, advice(holders, finding.advice())), holders);
        boolean isSeen = finding.kind() == Kind.REFERENCE_CYCLE
                && !holders.isEmpty()
                && holders.getFirst().cycle() != null;
        return isSeen ? surer(joined) : joined;
    }

    /** The finding with the cause that the dump shows, where one group holds most of it. */
    private Finding diagnosed(Finding finding, List<FindingHolder> holders) {
        Explanation explanation = finding.explanation();
        Optional<Cause> recorded = Cause.told(finding.title());
        if (finding.kind() != Kind.LEAK || explanation == null || recorded.isEmpty()) {
            return finding;
        }
        for (FindingHolder holder : holders) {
            Optional<Cause> shown = Cause.ofHolders(holder.cause());
            if (shown.isPresent() && holder.findingBytes() >= MOST_OF_IT * blocks.bytes()) {
                Cause dumped = isResult(finding, recorded.get(), shown.get()) ? Cause.RESULTS_KEPT : shown.get();
                Diagnosis diagnosis = Diagnosis.of(recorded.get(), explanation.basis(), dumped);
                return finding.withCause(diagnosis.told(), diagnosis.advice(holder.group(), finding.device() < 0));
            }
        }
        return finding;
    }

    /**
     * Returns whether a kept tensor that has a graph keeps nothing but itself: backward passes were seen to free the graph, or a single block stays each
     * time, and a graph has at least one more, which it saved.
     */
    private static boolean isResult(Finding finding, Cause recorded, Cause shown) {
        Growth growth = finding.growth();
        boolean isSingle = growth != null && growth.rises() > 0 && finding.blocks() <= growth.rises();
        return shown.equals(Cause.GRAPH_KEPT) && (recorded.equals(Cause.RESULTS_KEPT) || isSingle);
    }

    /** Raises the confidence in a cycle that a dump shows; recordings can only infer it from the moments of frees. */
    private static Finding surer(Finding cycle) {
        List<String> reasons = new ArrayList<>(List.of("a dump shows the cycle itself"));
        reasons.addAll(cycle.confidenceReasons());
        return cycle.withConfidence(Math.max(cycle.confidence(), SEEN), reasons);
    }

    /** Puts the advice for the largest holder that is not expected first, since it names names. */
    private static List<Advice> advice(List<FindingHolder> holders, List<Advice> known) {
        List<Advice> advice = new ArrayList<>();
        holders.stream()
                .map(FindingHolder::group)
                .filter(group -> group.verdict() != Verdict.EXPECTED)
                .limit(1)
                .flatMap(group -> group.advice().stream().limit(1))
                .forEach(first -> advice.add(first.inSentences()));
        advice.addAll(known);
        return advice;
    }
}
