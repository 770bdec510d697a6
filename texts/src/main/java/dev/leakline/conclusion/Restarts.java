package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Band;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Host memory of a process that is killed and starts again: readings rise up to a fall, and the text tells of the kill. Without one, what falls is
 * given back, and nothing leaks.
 */
final class Restarts {
    /** The most that a process takes at its start, as a share of its size when it was killed; one that frees a part falls less. */
    private static final double START = 0.5;

    private Restarts() {}

    /** The growth between two starts; empty where no text tells of a kill or readings do not rise so. */
    static Optional<Rise> of(CaseTexts texts) {
        boolean isKilled = texts.has("KILLED")
                || texts.messages().stream().anyMatch(one -> one.kind() == OutOfMemoryExplanation.Kind.HOST_OOM);
        return !isKilled
                ? Optional.empty()
                : texts.series().stream()
                        .filter(series -> CaseTexts.isOfHost(series) && series.isBytes())
                        .flatMap(series -> rise(series).stream())
                        .max(Comparator.comparingLong(Rise::total));
    }

    private static Optional<Rise> rise(MeasuredSeries series) {
        List<Band> longest = new ArrayList<>();
        List<Band> run = new ArrayList<>();
        boolean isEnded = false;
        for (Band band : series.curve()) {
            boolean falls = !run.isEmpty() && band.low() <= run.getLast().low();
            if (falls && band.low() > START * run.getLast().low()) {
                return Optional.empty();
            }
            isEnded |= falls;
            run = falls ? new ArrayList<>() : run;
            run.add(band);
            longest = run.size() > longest.size() ? List.copyOf(run) : longest;
        }
        return isEnded && longest.size() >= Rise.FEWEST ? Optional.of(rise(series, longest)) : Optional.empty();
    }

    private static Rise rise(MeasuredSeries series, List<Band> run) {
        long total = run.getLast().low() - run.getFirst().low();
        double span = run.getLast().position() - run.getFirst().position();
        return new Rise(
                Resource.HOST,
                total / (run.size() - 1),
                Rise.READING,
                total,
                series.last().value(),
                series.name() + " rises with each of " + Numbers.counted(run.size(), "reading") + " from "
                        + ByteSize.format(run.getFirst().low()) + " to "
                        + ByteSize.format(run.getLast().low()) + Rise.hourly(series, total, span)
                        + ", then the process ends and begins anew",
                new Evidence(series.input(), 0, series.name() + ": " + series.values()),
                List.of(),
                series);
    }
}
