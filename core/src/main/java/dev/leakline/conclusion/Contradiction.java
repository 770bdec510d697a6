package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Band;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.Optional;

/**
 * Readings, too few to be judged, that come back down as far as they began, though somebody says by how much that memory grows.
 *
 * @param readings the readings
 */
record Contradiction(MeasuredSeries readings) {
    static Optional<Contradiction> of(CaseTexts texts) {
        return texts.clue(Kind.GROWTH_RATE)
                .or(() -> texts.clue(Kind.GROWTH_TOTAL))
                .flatMap(said -> texts.series().stream()
                        .filter(series -> series.shape() == Shape.TOO_FEW && series.points() > Rise.FEWEST)
                        .filter(series -> series.isBytes() && Rise.LIVE.contains(series.quantity()))
                        .filter(series -> Rise.resource(series) == texts.resource(said))
                        .filter(Contradiction::comesBack)
                        .findFirst())
                .map(Contradiction::new);
    }

    /** Whether the later half is as low once as the first reading, though memory was higher between. */
    private static boolean comesBack(MeasuredSeries series) {
        List<Band> curve = series.curve();
        double first = series.first().value() * (1 + Rise.NOTABLE);
        return series.peak().value() > first
                && curve.subList(curve.size() / 2, curve.size()).stream().anyMatch(band -> band.low() <= first);
    }

    String sentence() {
        return "memory is said to grow, but " + readings.name() + " comes back to where it began; "
                + Numbers.counted(readings.points(), "measurement") + " are too few to judge";
    }
}
