package dev.leakline.cases;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unread;
import dev.leakline.result.Finding;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.source.Clue;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The evidence in the texts of a case, each kind by itself.
 *
 * @param clues what each text prints beside messages and figures
 * @param measured the series as they were read, with their lines
 * @param logs the texts
 * @param messages their messages, explained
 * @param series all figures
 * @param verdict the verdict on figures and recordings
 * @param findings what grows
 */
public record CaseTexts(
        List<Clues> clues,
        List<Measured> measured,
        List<OutOfMemoryLog> logs,
        List<OutOfMemoryExplanation> messages,
        List<MeasuredSeries> series,
        Verdict verdict,
        List<Finding> findings) {
    /** Orders figures by their last measurement. */
    public static final Comparator<MeasuredSeries> BY_SIZE =
            Comparator.comparingLong(figure -> figure.last().value());

    /**
     * The clues of a text.
     *
     * @param input its index among the inputs
     * @param unread lines with sizes from which nothing was read
     */
    public record Clues(int input, List<Clue> found, List<Long> unread) {}

    /**
     * The series of an input as they were read.
     *
     * @param input its index
     */
    public record Measured(int input, List<MemorySeries> series) {}

    /**
     * A clue with its text.
     *
     * @param input the index of the text
     */
    public record Placed(int input, Clue clue) {
        public Evidence evidence() {
            return new Evidence(input, clue.line(), clue.text());
        }
    }

    public Stream<Placed> clues(Clue.Kind kind) {
        return clues.stream()
                .flatMap(text -> text.found().stream()
                        .filter(clue -> clue.kind() == kind)
                        .map(clue -> new Placed(text.input(), clue)));
    }

    /** Finds the clues by a mark or a fault of {@code marks.txt}. */
    public Stream<Placed> clues(String mark) {
        return clues(Clue.Kind.MARK).filter(placed -> placed.clue().name().equals(mark));
    }

    public Optional<Placed> clue(String mark) {
        return clues(mark).findFirst();
    }

    public boolean has(String mark) {
        return clue(mark).isPresent();
    }

    public Optional<Placed> clue(Clue.Kind kind) {
        return clues(kind).findFirst();
    }

    /** The largest size of a kind, 0 where there is none. */
    public long most(Clue.Kind kind) {
        return largest(kind).map(placed -> placed.clue().bytes()).orElse(0L);
    }

    /** Finds the clue with the largest size of a kind. */
    public Optional<Placed> largest(Clue.Kind kind) {
        return largest(clues(kind));
    }

    /** Finds the largest of some sizes. */
    public static Optional<Placed> largest(Stream<Placed> sizes) {
        return sizes.max(Comparator.comparingLong(placed -> placed.clue().bytes()));
    }

    /** The largest size of a kind that is said of some memory, 0 where there is none. */
    public long most(Clue.Kind kind, Resource resource) {
        return clues(kind)
                .map(Placed::clue)
                .filter(clue -> clue.resource() == resource)
                .mapToLong(Clue::bytes)
                .max()
                .orElse(0);
    }

    /** The largest size that has a name of its own. */
    public Optional<Placed> part(String name) {
        return largest(
                clues(Clue.Kind.PART).filter(placed -> placed.clue().name().equals(name)));
    }

    /** The first number of something, 0 where there is none. */
    public long count(String name) {
        return clues(Clue.Kind.COUNT)
                .map(Placed::clue)
                .filter(clue -> clue.name().equals(name))
                .mapToLong(Clue::bytes)
                .findFirst()
                .orElse(0);
    }

    public boolean has(Clue.Kind kind) {
        return clue(kind).isPresent();
    }

    /** How many lines with sizes nothing was read from, and the first; null where there is none. */
    public @Nullable Unread unread() {
        long count = clues.stream().mapToLong(text -> text.unread().size()).sum();
        return clues.stream()
                .filter(text -> !text.unread().isEmpty())
                .findFirst()
                .map(text -> new Unread(count, text.input(), text.unread().getFirst()))
                .orElse(null);
    }

    /** The figures of a quantity. */
    public Stream<MeasuredSeries> series(String quantity) {
        return series.stream().filter(figure -> figure.quantity().equals(quantity));
    }

    /** The first line of a message; 0 where none is known. */
    public static long line(OutOfMemoryExplanation message) {
        return message.places().isEmpty() ? 0 : message.places().getFirst().line();
    }

    /** A message as evidence. */
    public Evidence evidence(OutOfMemoryExplanation message) {
        return new Evidence(input(message), line(message), message.text());
    }

    /** The index of the text that a message stands in. */
    public int input(OutOfMemoryExplanation message) {
        return logs.get(message.log()).input();
    }

    /** The series that a figure was made of, by what it measured; empty where it was made of another. */
    public Optional<MemorySeries> source(MeasuredSeries figure, Quantity quantity) {
        return measured.stream()
                .filter(file -> file.input() == figure.input())
                .flatMap(file -> file.series().stream())
                .filter(series -> series.subject.quantity() == quantity
                        && series.subject.process() == (quantity == Quantity.DEVICE_TOTAL ? -1 : figure.process())
                        && (quantity == Quantity.DEVICE_TOTAL
                                || series.subject.label().equals(figure.label())))
                .filter(series -> series.subject.device() == figure.device())
                .min(Comparator.comparing(series -> !series.subject.label().equals(figure.label())));
    }

    /** The line of the last measurement of a figure; 0 where it does not stand there as it is. */
    public long line(MeasuredSeries figure) {
        return source(figure, Quantity.valueOf(figure.quantity().toUpperCase(Locale.ROOT)))
                .filter(series -> series.size() > 0
                        && series.value(series.size() - 1) == figure.last().value())
                .map(MemorySeries::lastLine)
                .orElse(0L);
    }

    /** Returns whether a figure is about the host's memory. */
    public static boolean isOfHost(MeasuredSeries series) {
        return series.quantity().startsWith("host");
    }

    /** The memory that a figure is about. */
    public static Resource resource(MeasuredSeries series) {
        boolean isShared = series.label().endsWith("/dev/shm");
        return !isOfHost(series) ? Resource.DEVICE : isShared ? Resource.SHARED_MEMORY : Resource.HOST;
    }
}
