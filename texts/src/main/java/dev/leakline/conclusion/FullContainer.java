package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A container that uses nearly all of its limit, which stands in the same row, under its name, or is the only one in the text.
 *
 * @param used what it uses
 * @param limit its limit
 */
record FullContainer(MeasuredSeries used, long limit) {
    /** From here on a host or its swap space is as good as full: earlyoom and Ray act at 90 and 95 %. */
    static final double NEARLY_FULL = 0.9;

    /** The one that uses most. */
    static Optional<FullContainer> of(CaseTexts texts) {
        return texts.series().stream()
                .filter(series ->
                        series.source().equals("monitor") && series.quantity().equals("host_used"))
                .filter(series -> series.process() < 0 && !series.label().isEmpty())
                .flatMap(series -> limit(texts, series).stream()
                        .map(limit -> new FullContainer(series, limit.clue().bytes())))
                .filter(one -> one.share() >= NEARLY_FULL && one.share() <= 1)
                .max(Comparator.comparingLong(one -> one.used.last().value()));
    }

    private static Optional<Placed> limit(CaseTexts texts, MeasuredSeries used) {
        List<Placed> limits = texts.clues(Kind.LIMIT)
                .filter(limit -> limit.clue().resource() == Resource.HOST)
                .toList();
        boolean isOne =
                limits.stream().map(limit -> limit.clue().bytes()).distinct().count() == 1;
        return limits.stream()
                .filter(limit -> isOf(used.label(), limit.clue())
                        || (isOne && limit.clue().owner().equals("Kubernetes")))
                .findFirst();
    }

    /** Returns whether a limit is of a container, or of all pods of a deployment by its name. */
    private static boolean isOf(String name, Clue limit) {
        String of = limit.owner();
        return name.equals(of) || name.endsWith("/" + of) || name.startsWith(of + "/") || name.startsWith(of + "-");
    }

    double share() {
        return (double) used.last().value() / limit;
    }

    String sentence() {
        String name = used.label().substring(used.label().lastIndexOf('/') + 1);
        return name + " uses " + ByteSize.format(used.last().value()) + " of its limit of " + ByteSize.format(limit)
                + " (" + Numbers.percent(share()) + ")";
    }
}
