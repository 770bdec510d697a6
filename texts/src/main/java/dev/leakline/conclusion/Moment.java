package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Fact;
import dev.leakline.result.Conclusion.Part;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How full a device, a host or a container is at one moment, by what a monitor prints.
 *
 * @param resource whose memory it is
 * @param device the device, -1 where nobody says
 * @param used what is in use
 * @param total what there is, or the limit
 * @param free what is free, where that is printed
 * @param isLimit whether it is a limit that somebody set
 * @param evidence what says so
 * @param monitor who prints it; empty where nobody says
 */
record Moment(
        Resource resource,
        int device,
        Fact used,
        Fact total,
        @Nullable Fact free,
        boolean isLimit,
        Evidence evidence,
        String monitor) {
    /** How what is in use follows, where only what is free is printed. */
    private static final List<Part> LESS_FREE = List.of(new Part("total", 1), new Part("free", -1));

    /** From here on the next request of a usual size fails; earlyoom and Ray act at 90 and 95 %. */
    static final double FULL = 0.95;
    /** A driver, a display and a CUDA context take less. */
    private static final double IDLE = 0.05;

    /** The moments of a case, the fullest first; none where its figures were read more often. */
    static List<Moment> of(CaseTexts texts) {
        List<MeasuredSeries> sizes =
                texts.series().stream().filter(MeasuredSeries::isBytes).toList();
        if (!isOne(texts)) {
            return List.of();
        }
        List<Moment> printed = printed(texts).toList();
        List<Moment> all = Stream.concat(
                        measured(texts, sizes)
                                .filter(moment -> printed.stream().noneMatch(other -> other.isOfLine(moment))),
                        printed.stream())
                .toList();
        return (all.isEmpty() ? apart(texts) : all.stream())
                .filter(moment -> moment.used.bytes() <= moment.total.bytes())
                .sorted(Comparator.comparingDouble(moment -> -moment.share()))
                .toList();
    }

    /** Returns whether all figures are of one moment. */
    static boolean isOne(CaseTexts texts) {
        return texts.series().stream()
                .filter(MeasuredSeries::isBytes)
                .allMatch(series -> Rise.isOfMoment(series, texts));
    }

    private static Stream<Moment> measured(CaseTexts texts, List<MeasuredSeries> sizes) {
        return sizes.stream()
                .filter(series -> series.quantity().equals("device_used") && series.deviceBytes() > 0)
                .map(series -> new Moment(
                        Resource.DEVICE,
                        series.device(),
                        used(texts, series),
                        Facts.totalOf(texts, series),
                        Facts.freeOf(texts, series).orElse(null),
                        false,
                        QuietTexts.evidence(series),
                        ""));
    }

    private static Fact used(CaseTexts texts, MeasuredSeries series) {
        return texts.line(series) == 0 && Facts.freeOf(texts, series).isPresent()
                ? lessFree(series.last().value(), series.input())
                : Fact.of(series.last().value(), series.input(), texts.line(series), series.name());
    }

    private static Fact lessFree(long used, int input) {
        return new Fact(used, input, 0, "total less free", LESS_FREE);
    }

    /** Rows that have both. */
    private static Stream<Moment> printed(CaseTexts texts) {
        return texts.clues(Kind.USED)
                .flatMap(used -> whole(texts)
                        .filter(total -> total.input() == used.input()
                                && total.clue().line() == used.clue().line())
                        .limit(1)
                        .flatMap(total -> moment(used, used.clue().bytes(), total).stream()));
    }

    /** Sizes of one memory in several lines, for each device that is named; what is not free is in use. */
    private static Stream<Moment> apart(CaseTexts texts) {
        Set<Integer> devices = new HashSet<>();
        return whole(texts)
                .filter(total -> devices.add(total.clue().device()))
                .flatMap(total -> first(texts, Kind.USED, total)
                        .flatMap(used -> moment(used, used.clue().bytes(), total))
                        .or(() -> ofHost(texts, total))
                        .or(() -> first(texts, Kind.FREE, total)
                                .flatMap(free -> moment(
                                        free, total.clue().bytes() - free.clue().bytes(), total)))
                        .stream());
    }

    /** The host's memory in use by a table of {@code free}, without its cache of files. */
    private static Optional<Moment> ofHost(CaseTexts texts, Placed total) {
        return texts.series("host_used")
                .filter(series -> series.process() < 0)
                .filter(_ -> total.clue().resource() == Resource.HOST)
                .findFirst()
                .map(series -> new Moment(
                        Resource.HOST,
                        -1,
                        used(texts, series),
                        fact(total),
                        first(texts, Kind.FREE, total).map(Moment::fact).orElse(null),
                        total.clue().kind() == Kind.LIMIT,
                        total.evidence(),
                        total.clue().owner()));
    }

    private static Stream<Placed> whole(CaseTexts texts) {
        return Stream.concat(texts.clues(Kind.TOTAL), texts.clues(Kind.LIMIT))
                .filter(total -> total.clue().bytes() > 0);
    }

    private static Optional<Placed> first(CaseTexts texts, Kind kind, Placed total) {
        return texts.clues(kind)
                .filter(size -> size.clue().resource() == total.clue().resource()
                        && size.clue().device() == total.clue().device())
                .findFirst();
    }

    private static Optional<Moment> moment(Placed seen, long used, Placed total) {
        @Nullable Resource resource = seen.clue().resource();
        boolean isUsed = seen.clue().kind() == Kind.USED;
        return resource == null
                ? Optional.empty()
                : Optional.of(new Moment(
                        resource,
                        seen.clue().device(),
                        isUsed ? fact(seen) : lessFree(used, seen.input()),
                        fact(total),
                        isUsed ? null : fact(seen),
                        total.clue().kind() == Kind.LIMIT,
                        seen.evidence(),
                        seen.clue().owner()));
    }

    private static Fact fact(Placed placed) {
        return Fact.of(
                placed.clue().bytes(),
                placed.input(),
                placed.clue().line(),
                placed.clue().text());
    }

    /** The process that holds most of it, of those that are listed. */
    Optional<Placed> holder(CaseTexts texts) {
        return texts.clues(Kind.PROCESS)
                .filter(process -> process.clue().resource() == resource
                        && (device < 0 || process.clue().device() == device))
                .max(Comparator.comparingLong(process -> process.clue().bytes()));
    }

    /** That a process holds so much of it. */
    static String held(Placed process) {
        return "; " + process.clue().owner() + " holds "
                + ByteSize.format(process.clue().bytes());
    }

    void addFree(Facts facts) {
        if (free != null) {
            facts.set("free", free);
        }
    }

    private boolean isOfLine(Moment other) {
        return used.input() == other.used.input() && used.line() == other.used.line();
    }

    /** The part that is not to be had: in use, and of a host what its kernel cannot give up. */
    private double share() {
        return (double) left().map(left -> total.bytes() - left).orElse(used.bytes()) / total.bytes();
    }

    /** The memory of a host that can still be had, in bytes, where that is less than what is not in use. */
    private Optional<Long> left() {
        return resource == Resource.HOST && free != null && free.bytes() < total.bytes() - used.bytes()
                ? Optional.of(free.bytes())
                : Optional.empty();
    }

    /** How full the fullest memory of a case is; undetermined where that is not known. */
    static Conclusion.Kind verdictNow(CaseTexts texts) {
        List<Moment> moments = of(texts);
        return moments.isEmpty() ? Conclusion.Kind.UNDETERMINED : verdict(moments);
    }

    /** The verdict on moments, the fullest first. */
    static Conclusion.Kind verdict(List<Moment> moments) {
        return verdict(moments.getFirst().resource, moments.getFirst().share());
    }

    /** The verdict on a part in use. */
    static Conclusion.Kind verdict(Resource resource, double share) {
        boolean isIdle = resource == Resource.DEVICE && share <= IDLE;
        return share >= FULL ? Conclusion.Kind.FULL : isIdle ? Conclusion.Kind.IDLE : Conclusion.Kind.FINE;
    }

    /** How full the fullest is. */
    static String sentence(List<Moment> moments) {
        Moment first = moments.getFirst();
        String where = first.isLimit
                ? ""
                : first.resource == Resource.HOST
                        ? " of host memory"
                        : first.device < 0 ? " of GPU memory" : " of device " + first.device;
        return ByteSize.format(first.used.bytes()) + " of " + (first.isLimit ? "the limit of " : "")
                + ByteSize.format(first.total.bytes()) + where + " are in use"
                + first.left()
                        .map(left -> ", and no more than " + ByteSize.format(left) + " are left")
                        .orElse("")
                + " (" + Numbers.percent(first.share()) + ")"
                + (moments.size() > 1 ? ", the most of " + moments.size() + " that are listed" : "")
                + ", at this moment";
    }
}
