package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory that was printed before and after something that a job does again and again: whether it comes back.
 *
 * @param highest the phase with most
 * @param lowest the phase with least
 * @param drift by how much the figures of one phase differ from cycle to cycle, at most
 */
record GivenBack(MeasuredSeries highest, MeasuredSeries lowest, long drift) {
    private static final Pattern NAME = Pattern.compile("(?i)\\b(?:before|after)\\b[^,)]*");
    /** A phase that gives back less does nothing worth a question. */
    private static final double NOTABLE = 0.25;
    /** The largest difference of one phase between two cycles, as a share. */
    private static final double SAME = 0.05;

    /** The phases of a case; empty where figures have no such names, or differ from cycle to cycle. */
    static Optional<GivenBack> of(CaseTexts texts) {
        List<MeasuredSeries> phases = texts.series().stream()
                .filter(series -> series.isBytes() && series.points() >= 2)
                .filter(series ->
                        NAME.matcher(series.name()).find() && !series.quantity().endsWith("free"))
                .toList();
        if (phases.size() < 2) {
            return Optional.empty();
        }
        MeasuredSeries high = phases.stream().max(CaseTexts.BY_SIZE).orElseThrow();
        MeasuredSeries low = phases.stream()
                .filter(series -> name(series).startsWith("after"))
                .min(CaseTexts.BY_SIZE)
                .orElse(high);
        long drift = phases.stream().mapToLong(GivenBack::range).max().orElse(0);
        boolean isSame = drift <= SAME * high.last().value();
        boolean comesBack = high.last().value() - low.last().value()
                >= NOTABLE * high.last().value();
        return isSame && comesBack ? Optional.of(new GivenBack(high, low, drift)) : Optional.empty();
    }

    private static long range(MeasuredSeries series) {
        long high = series.curve().stream()
                .mapToLong(MeasuredSeries.Band::high)
                .max()
                .orElse(0);
        return high - Rise.lowest(series.curve());
    }

    private static String name(MeasuredSeries series) {
        Matcher name = NAME.matcher(series.name());
        return name.find() ? name.group().strip().toLowerCase(Locale.ROOT) : "";
    }

    long givenBack() {
        return highest.last().value() - lowest.last().value();
    }

    String sentence() {
        return "memory comes back: " + ByteSize.format(highest.last().value()) + " (" + name(highest) + ") become "
                + ByteSize.format(lowest.last().value()) + " (" + name(lowest) + "), in each of " + lowest.points()
                + " cycles; they differ by " + ByteSize.format(drift) + " at most";
    }
}
