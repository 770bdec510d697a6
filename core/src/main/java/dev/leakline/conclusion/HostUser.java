package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.Comparator;
import java.util.Optional;

/**
 * The process that holds most of the host's memory, by a list of processes beside the table of {@code free}.
 *
 * @param process what it holds
 * @param whole the host's memory
 * @param isSwapFull whether the swap space is full
 */
record HostUser(MeasuredSeries process, long whole, boolean isSwapFull) {
    /** A process with less is one of many, and no answer to who holds the memory. */
    private static final double MUCH = 0.25;
    /** What a process holds when a list is made and when it is killed differs by no more. */
    private static final double SAME = 0.1;

    static Optional<HostUser> of(CaseTexts texts) {
        return of(texts, texts.most(Kind.TOTAL, Resource.HOST));
    }

    /** The same where somebody else says how much the host has. */
    static Optional<HostUser> of(CaseTexts texts, long whole) {
        return texts.series().stream()
                .filter(series -> CaseTexts.isOfHost(series) && series.process() >= 0)
                .max(Comparator.comparingLong(series -> series.last().value()))
                .filter(series -> whole > 0 && series.last().value() >= MUCH * whole)
                .map(series -> new HostUser(series, whole, texts.has(Kind.SWAP_FULL)));
    }

    /** Whether a size of a process is its own, as of another moment. */
    boolean mayBe(long held) {
        return Math.abs(held - process.last().value()) <= SAME * process.last().value();
    }

    /** Who it is and how much it holds. */
    String named() {
        return Occupants.named(process) + " holds "
                + ByteSize.format(process.last().value());
    }

    String sentence() {
        return ByteSize.format(process.last().value()) + " of the host's " + ByteSize.format(whole) + " are "
                + Occupants.named(process) + (isSwapFull ? "; the swap space is full" : "");
    }
}
