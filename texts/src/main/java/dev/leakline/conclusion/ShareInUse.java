package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * How much is in use at one moment, where a monitor prints no total: a part in per cent, a size, or who holds most of those that it lists.
 *
 * @param verdict the verdict
 * @param resource whose memory it is
 * @param sentence the part or size
 * @param evidence what says so
 * @param monitor who prints it; empty where nobody says
 */
record ShareInUse(Conclusion.Kind verdict, Resource resource, String sentence, Evidence evidence, String monitor) {
    private static final double WHOLE = 10_000;
    private static final Set<String> LISTED = Set.of("device_used", "process_used", "host_used");

    /** By a part, then by a size, then by a list. */
    static Optional<ShareInUse> of(CaseTexts texts) {
        return largest(texts, Kind.SHARE)
                .or(() -> texts.has(Kind.TOTAL) ? Optional.empty() : largest(texts, Kind.USED))
                .or(() -> largest(texts, Kind.PROCESS))
                .or(() -> listed(texts));
    }

    private static Optional<ShareInUse> largest(CaseTexts texts, Kind kind) {
        List<Placed> seen = texts.clues(kind)
                .filter(placed -> placed.clue().resource() != null)
                .toList();
        return seen.stream()
                .max(Comparator.comparingLong(placed -> placed.clue().bytes()))
                .map(most -> of(most, kind, seen.size()));
    }

    private static ShareInUse of(Placed most, Kind kind, int count) {
        Resource resource = Objects.requireNonNull(most.clue().resource());
        double share = most.clue().bytes() / WHOLE;
        String amount = kind == Kind.SHARE
                ? Numbers.percent(share)
                : ByteSize.format(most.clue().bytes());
        String owner = kind == Kind.SHARE ? most.clue().name() : most.clue().owner();
        String where = (resource == Resource.HOST
                        ? "host memory"
                        : most.clue().device() < 0
                                ? "GPU memory"
                                : "device " + most.clue().device())
                + (kind == Kind.SHARE && !owner.isEmpty() ? " (" + owner + ")" : "");
        return new ShareInUse(
                kind == Kind.SHARE ? Moment.verdict(resource, share) : Conclusion.Kind.FINE,
                resource,
                (kind == Kind.PROCESS
                                ? owner + " holds " + amount + " of " + where
                                : amount + " of " + where + " are in use")
                        + of(count),
                most.evidence(),
                most.clue().owner());
    }

    private static Optional<ShareInUse> listed(CaseTexts texts) {
        List<MeasuredSeries> seen = texts.series().stream()
                .filter(series -> LISTED.contains(series.quantity()))
                .toList();
        return seen.stream()
                .filter(_ -> Moment.isOne(texts))
                .max(CaseTexts.BY_SIZE)
                .map(most -> new ShareInUse(
                        Conclusion.Kind.FINE,
                        CaseTexts.resource(most),
                        most.name() + ": " + ByteSize.format(most.last().value()) + of(seen.size()),
                        new Evidence(most.input(), texts.line(most), most.name() + ": " + most.values()),
                        ""));
    }

    private static String of(int count) {
        return (count > 1 ? ", the most of " + count + " that are listed" : "") + ", at this moment";
    }
}
