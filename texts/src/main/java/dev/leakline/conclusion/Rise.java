package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.result.Site;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Memory that grows, by the best evidence that there is: a figure with a trend, or a few readings that rise.
 *
 * @param resource whose memory, null where nobody says
 * @param perStep bytes of each step, request or measurement; 0 where that is not known
 * @param per what each is, such as {@code step}; empty where that is not known
 * @param total bytes in all; 0 where that is not known
 * @param last the last reading; 0 where that is not known
 * @param sentence what grows
 * @param evidence what says so
 * @param advice what the finding advises; empty where there is none
 * @param series the figure
 */
record Rise(
        @Nullable Resource resource,
        long perStep,
        String per,
        long total,
        long last,
        String sentence,
        Evidence evidence,
        List<Advice> advice,
        MeasuredSeries series) {
    /** Readings from which on a rise with every one is no accident: one in six, of three in random order. */
    static final int FEWEST = 3;
    /** A rise of less is what any two moments of a program differ by. */
    static final double NOTABLE = 0.05;

    /** Sizes that people print have three digits; readings that differ by less than their last one are the same. */
    private static final double STEADY = 0.01;

    static final String READING = "measurement";
    /** Memory in use by a program; caches and peaks rise without a leak. */
    static final Set<String> LIVE = Set.of("allocated", "device_used", "process_used", "host_used");

    /** Steps after which optimizer state and caches are there, and few programs have not met their largest inputs. */
    private static final int WARM = 50;

    private static final Pattern DIGITS = Pattern.compile("\\d+");
    /** Microseconds. */
    private static final double SECOND = 1e6;

    private static final double HOUR = 3600 * SECOND;

    private static final long LEAST = 256 * ByteSize.MIB;
    /** Warm-up slows down: the last rise of a leak is not less than half of the mean. */
    private static final double STILL = 0.5;

    /** The growth that a case shows; empty where it shows none. */
    static Optional<Rise> of(CaseTexts texts) {
        return trend(texts).or(() -> steps(texts)).or(() -> Restarts.of(texts)).or(() -> readings(texts));
    }

    /** A figure whose trend was judged. */
    private static Optional<Rise> trend(CaseTexts texts) {
        return texts.findings().stream()
                .filter(finding -> finding.site().kind() == Site.Kind.FIGURE)
                .filter(finding -> finding.kind() != Finding.Kind.OOM && finding.severity() != Finding.Severity.INFO)
                .map(finding -> ofFinding(finding, texts))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static @Nullable Rise ofFinding(Finding finding, CaseTexts texts) {
        List<MeasuredSeries> all = texts.series();
        return all.stream()
                .filter(series -> series.name().equals(finding.site().function()) && series.input() == finding.input())
                .filter(series -> series.trend() != null)
                .findFirst()
                .map(series -> new Rise(
                        CaseTexts.resource(series),
                        perStep(series),
                        series.axis().isTime() ? READING : series.axis().unit(),
                        Math.abs(series.last().value() - series.first().value()),
                        series.last().value(),
                        finding.title() + of(series, all) + process(series) + full(texts, series),
                        new Evidence(series.input(), 0, series.name() + ": " + series.values()),
                        finding.advice(),
                        series))
                .orElse(null);
    }

    /** Which device it is, where the same was measured on others; and that those do not grow, where none does. */
    private static String of(MeasuredSeries series, List<MeasuredSeries> all) {
        List<MeasuredSeries> others = all.stream()
                .filter(other -> other.quantity().equals(series.quantity()) && other.device() >= 0)
                .filter(other -> other.device() != series.device())
                .toList();
        if (series.device() < 0 || others.isEmpty()) {
            return "";
        }
        boolean isAlone = others.stream().allMatch(other -> other.shape() == Shape.LEVEL);
        String rest = others.size() == 1 ? "device " + others.getFirst().device() + " does" : "the others do";
        return " on device " + series.device() + (isAlone ? "; " + rest + " not grow" : "");
    }

    /** Which process it is, where a monitor tells. */
    private static String process(MeasuredSeries series) {
        return series.process() < 0 ? "" : "; it is " + Occupants.named(series);
    }

    /** When its device is full at that rate, where all its memory is known: a monitor tells it, or the name of the device in the text. */
    private static String full(CaseTexts texts, MeasuredSeries series) {
        double units = series.unitsToOom();
        if (!(units > 0) || Double.isInfinite(units)) {
            return series.axis().isTime() || CaseTexts.isOfHost(series) // one process of several that share a limit
                    ? ""
                    : left(texts, series, perStep(series), series.axis().unit());
        }
        String until = series.axis().isTime()
                ? "in " + Numbers.span(Math.round(units * SECOND))
                : "after " + more(Math.round(units), Optional.of(series.axis().unit()));
        return "; at that rate the device is full " + until;
    }

    /** The rate per step; where measurements have times only, what each added on average, since pauses count for nothing. */
    private static long perStep(MeasuredSeries series) {
        double rate = Math.abs(Objects.requireNonNull(series.trend()).perUnit());
        return series.axis().isTime() ? rise(series) / Math.max(series.points() - 1, 1) : Math.round(rate);
    }

    /** A few readings, each higher than the one before, that do not slow down. */
    private static Optional<Rise> steps(CaseTexts texts) {
        return texts.series().stream()
                .filter(series -> series.isBytes() && series.trend() == null && series.points() >= FEWEST)
                .filter(Rise::keepsRising)
                .filter(series -> !arePhases(series, texts))
                .max(Comparator.comparingLong(Rise::rise))
                .map(series -> readings(
                        texts,
                        series,
                        Math.round(rise(series) / turns(series)),
                        per(series),
                        "each of " + Numbers.counted(series.points(), "reading") + " is higher than the one before: "));
    }

    /** Returns whether each reading stands beside another phase of a start: what is loaded then stays, and is no growth. */
    private static boolean arePhases(MeasuredSeries series, CaseTexts texts) {
        return !isCounted(series)
                && texts.clues("PHASE")
                                .map(placed ->
                                        DIGITS.matcher(placed.clue().text()).replaceAll(""))
                                .distinct()
                                .count()
                        >= series.points();
    }

    private static boolean isCounted(MeasuredSeries series) {
        return series.axis() == Axis.STEP || series.axis() == Axis.EPOCH;
    }

    /** How many steps there are from the first reading to the last; where nobody counts them, how many readings. */
    private static double turns(MeasuredSeries series) {
        double steps = series.last().position() - series.first().position();
        return isCounted(series) && steps > 0 ? steps : series.points() - 1;
    }

    /** The unit of its turns. */
    private static String per(MeasuredSeries series) {
        return isCounted(series) ? series.axis().unit() : READING;
    }

    private static boolean keepsRising(MeasuredSeries series) {
        long last = series.last().value()
                - series.curve().get(series.curve().size() - 2).low();
        return isNotable(series) && rises(series) && last >= STILL * rise(series) / (series.points() - 1);
    }

    /** Returns whether each of some readings is higher than the one before. */
    private static boolean rises(MeasuredSeries series) {
        List<MeasuredSeries.Band> curve = series.curve();
        return series.points() >= FEWEST
                && IntStream.range(1, curve.size())
                        .allMatch(i -> curve.get(i).low() > curve.get(i - 1).low());
    }

    /** Returns whether a figure was measured too seldom to judge growth, and does not look like it: what was read last is what is known. */
    static boolean isOfMoment(MeasuredSeries series, CaseTexts texts) {
        return series.shape() == Shape.TOO_FEW && ((!isNotable(series) && !rises(series)) || arePhases(series, texts));
    }

    /** Returns whether a figure is clearly higher at its last reading than at its first. */
    static boolean isNotable(MeasuredSeries series) {
        return isRising(series) && rise(series) >= NOTABLE * series.last().value();
    }

    /** Returns whether several readings are the same but for what any two moments of a program differ by. */
    static boolean isLevel(MeasuredSeries series) {
        return series.isBytes()
                && series.points() >= FEWEST
                && series.peak().value() - lowest(series.curve())
                        <= STEADY * series.peak().value();
    }

    private static boolean isRising(MeasuredSeries series) {
        return !series.quantity().endsWith("free")
                && series.last().value() > series.first().value();
    }

    private static long rise(MeasuredSeries series) {
        return Math.abs(series.last().value() - series.first().value());
    }

    /** Two readings of which the later is much higher, where the text says after which step each was taken. */
    private static Optional<Rise> readings(CaseTexts texts) {
        return texts.series().stream()
                .filter(series -> series.isBytes() && series.points() == 2)
                .filter(series -> isNotable(series) && rise(series) >= LEAST)
                .filter(Rise::isLaterStep)
                .max(Comparator.comparingLong(Rise::rise))
                .map(series -> readings(
                        texts,
                        series,
                        isLaterStep(series) ? Math.round(rise(series) / turns(series)) : 0,
                        isLaterStep(series) ? series.axis().unit() : "",
                        "the later of two readings is higher: "));
    }

    /** Returns whether readings of what a program holds were taken at steps behind its warm-up. */
    private static boolean isLaterStep(MeasuredSeries series) {
        return series.axis() == Axis.STEP && series.first().position() >= WARM && LIVE.contains(series.quantity());
    }

    private static Rise readings(CaseTexts texts, MeasuredSeries series, long perStep, String per, String lead) {
        String from = ByteSize.format(series.first().value());
        String to = ByteSize.format(series.last().value());
        return new Rise(
                CaseTexts.resource(series),
                perStep,
                per,
                rise(series),
                series.last().value(),
                lead + series.name() + " rises from " + from + " to " + to + hourly(series)
                        + left(texts, series, perStep, per),
                new Evidence(series.input(), 0, series.name() + ": " + series.values()),
                List.of(),
                series);
    }

    /** The rate of readings with times. */
    private static String hourly(MeasuredSeries series) {
        return hourly(
                series, rise(series), series.last().position() - series.first().position());
    }

    /** The rate of a rise in so many microseconds; empty where readings have no times, or less than an hour. */
    static String hourly(MeasuredSeries series, long total, double span) {
        boolean isKnown = series.axis().isTime() && span >= HOUR;
        return isKnown ? ", by " + ByteSize.format(Math.round(total * HOUR / span)) + " per hour" : "";
    }

    /** How often it can grow until it is full, by the limit of the host's memory or the size of the device. */
    private static String left(CaseTexts texts, MeasuredSeries series, long perStep, String per) {
        long whole = CaseTexts.isOfHost(series) ? texts.most(Kind.LIMIT, Resource.HOST) : series.deviceBytes();
        long left = whole - series.last().value();
        boolean isKnown = left > 0
                && perStep > 0
                && !per.equals(READING)
                && texts.messages().isEmpty();
        return isKnown
                ? "; " + ByteSize.format(left) + " of " + ByteSize.format(whole) + " are left, full after "
                        + more(left / perStep, Optional.of(per))
                : "";
    }

    private static String more(long turns, Optional<String> turn) {
        return turn.map(word -> Numbers.counted(turns, word)).orElse(Numbers.grouped(turns)) + " more";
    }

    /** Returns whether a monitor measured it, and not the job. */
    boolean isMonitored() {
        return series.source().equals("nvidia_smi") || series.source().equals("monitor");
    }

    /** How a figure goes on that does not grow, by the name of its row in {@code advice.txt}. */
    static String course(@Nullable MeasuredSeries series) {
        if (series == null) {
            return "flat";
        }
        List<MeasuredSeries.Band> curve = series.curve();
        long later = lowest(curve.subList(curve.size() / 2, curve.size()));
        long highest = curve.stream().mapToLong(MeasuredSeries.Band::high).max().orElse(0);
        if (later - series.first().value() > NOTABLE * later) {
            return "warm-up";
        }
        return highest - lowest(curve) > NOTABLE * highest ? "freed-again" : "flat";
    }

    /** The lowest of a curve. */
    static long lowest(List<MeasuredSeries.Band> curve) {
        return curve.stream().mapToLong(MeasuredSeries.Band::low).min().orElse(0);
    }
}
