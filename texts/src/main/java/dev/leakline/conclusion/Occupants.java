package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.Optional;

/** Memory that a monitor shows on devices where nobody would look for it: of processes that work elsewhere, or of none. */
final class Occupants {
    /** A CUDA context takes less, with its kernels; a driver without processes takes less, too. */
    private static final long CONTEXT = ByteSize.GIB;
    /** The most that a process has where it does not work, as a share of what it has where it does: a context, and perhaps a checkpoint. */
    private static final double LITTLE = 0.25;

    /** One process on two devices may well use both. */
    private static final int FEWEST = 2;

    private final CaseTexts texts;

    Occupants(CaseTexts texts) {
        this.texts = texts;
    }

    private List<MeasuredSeries> processes() {
        return texts.series("process_used")
                .filter(series -> series.process() >= 0)
                .toList();
    }

    /** Contexts on the device that has most of them, of processes that hold more on another; empty where fewer than two are on one device. */
    List<MeasuredSeries> contexts() {
        List<MeasuredSeries> all = processes().stream().filter(this::isContext).toList();
        return all.stream()
                .map(one -> all.stream()
                        .filter(other -> other.device() == one.device())
                        .toList())
                .filter(some -> some.size() >= FEWEST)
                .reduce((some, others) -> others.size() > some.size() ? others : some)
                .orElse(List.of());
    }

    private boolean isContext(MeasuredSeries series) {
        return processes().stream()
                .anyMatch(other -> other.process() == series.process()
                        && other.device() != series.device()
                        && series.last().value() <= LITTLE * other.last().value());
    }

    /** Memory in use on a device with no process in the list; empty where some is listed. */
    Optional<MeasuredSeries> unlisted() {
        return !texts.has("NOBODY_LISTED") || !processes().isEmpty()
                ? Optional.empty()
                : texts.series("device_used")
                        .filter(series -> series.last().value() >= CONTEXT)
                        .findFirst();
    }

    /** The process that holds most of a device that is nearly full and that others use, too; empty where there is none. */
    Optional<MeasuredSeries> largest() {
        return texts.series("device_used")
                .filter(series -> series.deviceBytes() > 0)
                .filter(series -> series.last().value() >= Moment.FULL * series.deviceBytes())
                .map(full -> processes().stream()
                        .filter(process -> process.device() < 0 || process.device() == full.device())
                        .toList())
                .filter(some -> some.size() >= FEWEST)
                .findFirst()
                .flatMap(some -> some.stream().max(CaseTexts.BY_SIZE));
    }

    /** A process by its number and name: {@code process 4121 (python)}. */
    static String named(MeasuredSeries process) {
        return "process " + process.process() + (process.label().isBlank() ? "" : " (" + process.label() + ")");
    }

    static long bytes(List<MeasuredSeries> some) {
        return some.stream().mapToLong(series -> series.last().value()).sum();
    }

    static String sentence(List<MeasuredSeries> contexts) {
        return contexts.size() + " processes that work on other devices hold "
                + ByteSize.format(bytes(contexts)) + " of device "
                + contexts.getFirst().device() + ": a context each"
                + (contexts.stream().allMatch(one -> one.last().value() < CONTEXT)
                        ? ""
                        : ", perhaps with what torch.load put there");
    }
}
