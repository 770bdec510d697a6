package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.List;

/** The part of a finding of a reference cycle that does not depend on what showed the cycle. */
final class CycleFinding {
    /** Waiting memory of this share of the peak costs a job room that it would use; less is a curiosity. */
    private static final double WORTH_MENDING = 0.05;
    /** From half of the peak on, it is what runs a job out of memory. */
    private static final double DANGEROUS = 0.5;

    private CycleFinding() {}

    /**
     * Begins a finding.
     *
     * @param path the user's lines that lead to the site, outermost first
     * @param bytes the most that waited at once, in so many {@code blocks}
     * @param allocations what waited at any time
     */
    static FindingBuilder of(
            Evidence evidence,
            Site site,
            List<Frame> stack,
            List<Frame> path,
            long bytes,
            int blocks,
            IntArrayList allocations) {
        return new FindingBuilder(Kind.REFERENCE_CYCLE, Fingerprint.of(Kind.REFERENCE_CYCLE, path))
                .severity(severity(evidence, bytes))
                .cause(Diagnosis.recorded(Cause.CYCLE).told())
                .on(evidence.input(), evidence.lifetimes().device())
                .site(site)
                .stack(stack)
                .held(bytes, blocks)
                .atFailure(atFailure(evidence, allocations))
                .advice(Cause.CYCLE.advice(bytes, evidence.lifetimes().device() < 0));
    }

    private static Severity severity(Evidence evidence, long bytes) {
        double share = (double) bytes / Math.max(evidence.peakBytes(), 1);
        if (share < WORTH_MENDING) {
            return Severity.INFO;
        }
        return share < DANGEROUS ? Severity.WARNING : Severity.CRITICAL;
    }

    /** Bytes that waited when the last request failed. */
    private static long atFailure(Evidence evidence, IntArrayList allocations) {
        IntArrayList failed = evidence.lifetimes().events().failed();
        long bytes = 0;
        for (IntCursor allocation : allocations) {
            boolean isLive =
                    !failed.isEmpty() && evidence.lifetimes().isLive(allocation.value, failed.get(failed.size() - 1));
            bytes += isLive ? evidence.lifetimes().held(allocation.value) : 0;
        }
        return bytes;
    }
}
