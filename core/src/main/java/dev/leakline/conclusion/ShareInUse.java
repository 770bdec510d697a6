package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a monitor prints of one moment without a total: the part in use in per cent, or only what is in use.
 *
 * @param fullest the fullest that is listed, or what is in use
 * @param count how many are listed
 */
record ShareInUse(Placed fullest, long count) {
    private static final double WHOLE = 10_000;

    static Optional<ShareInUse> of(CaseTexts texts) {
        List<Placed> shares = texts.clues(Kind.SHARE).toList();
        List<Placed> seen = shares.isEmpty()
                ? texts.clues(Kind.USED)
                        .filter(used -> used.clue().resource() != null && !texts.has(Kind.TOTAL))
                        .toList()
                : shares;
        return seen.stream()
                .max(Comparator.comparingLong(placed -> placed.clue().bytes()))
                .map(fullest -> new ShareInUse(fullest, seen.size()));
    }

    private boolean isShare() {
        return fullest.clue().kind() == Kind.SHARE;
    }

    Resource resource() {
        return Objects.requireNonNull(fullest.clue().resource());
    }

    String verdict() {
        return isShare() ? Moment.verdict(resource(), fullest.clue().bytes() / WHOLE) : Conclusion.FINE;
    }

    String sentence() {
        String amount = isShare()
                ? Numbers.percent(fullest.clue().bytes() / WHOLE)
                : ByteSize.format(fullest.clue().bytes());
        String where = resource() == Resource.HOST
                ? "host memory"
                : fullest.clue().device() < 0
                        ? "GPU memory"
                        : "device " + fullest.clue().device();
        return amount + " of " + where + " are in use"
                + (count > 1 ? ", the most of " + count + " that are listed" : "") + ", at this moment";
    }

    Evidence evidence() {
        return fullest.evidence();
    }
}
