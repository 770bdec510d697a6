package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The process that holds most of the host's memory, by a list of processes beside the table of {@code free}.
 *
 * @param process what it holds
 * @param whole the host's memory
 * @param isSwapFull whether the swap space is full
 * @param isOfListed whether {@code whole} is only what all listed processes hold
 */
record HostUser(MeasuredSeries process, long whole, boolean isSwapFull, boolean isOfListed) {
    /** A process with less is one of many, and no answer to who holds the memory. */
    private static final double MUCH = 0.25;
    /** The most by which the sizes of a process in a list and when it is killed differ. */
    private static final double SAME = 0.1;

    static Optional<HostUser> of(CaseTexts texts) {
        return of(texts, texts.most(Kind.TOTAL, Resource.HOST)).filter(user -> !user.isOfListed());
    }

    /** The same where a message may say how much the host has; 0 where it does not, so that what all listed processes hold counts. */
    static Optional<HostUser> of(CaseTexts texts, long whole) {
        long listed =
                processes(texts).mapToLong(series -> series.last().value()).sum();
        long all = whole > 0 ? whole : listed;
        return processes(texts)
                .max(CaseTexts.BY_SIZE)
                .filter(series -> all > 0 && series.last().value() >= MUCH * all)
                .map(series -> new HostUser(series, all, isSwapFull(texts), whole <= 0));
    }

    private static boolean isSwapFull(CaseTexts texts) {
        long all = texts.part("swap_total").map(placed -> placed.clue().bytes()).orElse(0L);
        long used = texts.part("swap_used").map(placed -> placed.clue().bytes()).orElse(0L);
        return all > 0 && used >= FullContainer.NEARLY_FULL * all;
    }

    private static Stream<MeasuredSeries> processes(CaseTexts texts) {
        return texts.series().stream().filter(series -> CaseTexts.isOfHost(series) && series.process() >= 0);
    }

    /** How much of what it holds. */
    String share() {
        return ByteSize.format(process.last().value()) + " of "
                + (isOfListed ? "the " : "") + ByteSize.format(whole)
                + (isOfListed ? " that the listed processes hold" : "");
    }

    /** Returns whether a size of a process is its own, as of another moment. */
    boolean mayBe(long held) {
        return Math.abs(held - process.last().value()) <= SAME * process.last().value();
    }

    /** Returns whether a message of the kernel says that it was killed. */
    boolean isKilledBy(OutOfMemoryExplanation message) {
        return message.text().contains("rocess " + process.process() + " (");
    }

    /** Names the process and its size. */
    String named() {
        return Occupants.named(process) + " holds "
                + ByteSize.format(process.last().value());
    }

    String sentence() {
        return ByteSize.format(process.last().value()) + " of the host's " + ByteSize.format(whole) + " are "
                + Occupants.named(process) + (isSwapFull ? "; the swap space is full" : "");
    }
}
