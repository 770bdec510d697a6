package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.text.ByteSize;
import java.util.Comparator;
import java.util.Optional;

/** The highest peak of a device whose size is known, where it leaves room. */
record FittingPeak(MeasuredSeries peak) {
    /** Above this share of the device the next larger input fails. */
    private static final double ROOMY = 0.9;

    static Optional<FittingPeak> of(CaseTexts texts) {
        return texts.series().stream()
                .filter(series -> series.quantity().startsWith("peak") && series.deviceBytes() > 0)
                .max(Comparator.comparingLong(series -> series.peak().value()))
                .filter(series -> series.peak().value() <= ROOMY * series.deviceBytes())
                .map(FittingPeak::new);
    }

    String sentence() {
        return "the peak was " + ByteSize.format(peak.peak().value()) + " of " + ByteSize.format(peak.deviceBytes())
                + ": it fits";
    }
}
