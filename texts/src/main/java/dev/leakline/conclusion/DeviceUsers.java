package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.PrintedSize;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The processes that a monitor lists on the device of a message, without the one that the message is from.
 *
 * @param processes what each used when it was seen last, the largest first
 * @param used what was used of the device in all, 0 where nobody says
 * @param total the memory of the device, 0 where nobody says
 */
record DeviceUsers(List<MeasuredSeries> processes, long used, long total) {
    /** A process whose use differs by no more from what the message says of its own is the same one. */
    private static final double SAME = 0.05;

    /** The users of the device that a message is about; of the fullest, where it names none. */
    static DeviceUsers of(CaseTexts texts, Optional<OutOfMemoryExplanation> message) {
        int named = message.map(one -> one.found().message().ordinal()).orElse(-1);
        List<MeasuredSeries> devices = texts.series("device_used")
                .filter(series -> named < 0 || series.device() < 0 || series.device() == named)
                .toList();
        Optional<MeasuredSeries> fullest = devices.stream().max(CaseTexts.BY_SIZE);
        int device = fullest.map(MeasuredSeries::device).orElse(named);
        List<MeasuredSeries> processes = texts.series("process_used")
                .filter(series -> series.process() >= 0)
                .filter(series -> device < 0 || series.device() < 0 || series.device() == device)
                .filter(series -> message.isEmpty() || !isOwn(series, message.get()))
                .sorted(Comparator.comparingLong(
                        (MeasuredSeries series) -> -series.last().value()))
                .toList();
        return new DeviceUsers(
                message.isPresent() ? withoutOwn(processes, message.get()) : processes,
                fullest.map(series -> series.last().value()).orElse(0L),
                fullest.map(MeasuredSeries::deviceBytes).orElse(0L));
    }

    /**
     * The processes without the smallest of those that have the same name: where the message does not say what its own process holds, that may be
     * this one.
     */
    private static List<MeasuredSeries> withoutOwn(List<MeasuredSeries> processes, OutOfMemoryExplanation message) {
        if (message.sizes().containsKey("process") || processes.size() < 2) {
            return processes;
        }
        MeasuredSeries smallest = processes.getLast();
        boolean isOne = processes.stream()
                        .filter(other -> other.label().equals(smallest.label()))
                        .count()
                > 1;
        return isOne ? processes.subList(0, processes.size() - 1) : processes;
    }

    private static boolean isOwn(MeasuredSeries process, OutOfMemoryExplanation message) {
        PrintedSize own = message.sizes().get("process");
        long used = process.last().value();
        return own != null && Math.abs(own.bytes() - used) <= SAME * used;
    }

    /** The sum of their memory. */
    long bytes() {
        return processes.stream().mapToLong(series -> series.last().value()).sum();
    }

    /** Returns whether a request would have fitted without them, and does not fit beside them. */
    boolean stoodInTheWay(long requested) {
        long free = total - used;
        return total > 0 && requested > free && requested <= free + bytes();
    }
}
