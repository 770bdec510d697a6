package dev.leakline.result;

import dev.leakline.result.Coverage.Ring;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** Describes in sentences what a recording of a device can and cannot show. */
final class RecordingSentences {
    private final DeviceResult device;
    private final Coverage coverage;
    private final List<String> sentences = new ArrayList<>();

    private RecordingSentences(DeviceResult device) {
        this.device = device;
        this.coverage = device.coverage();
    }

    static List<String> of(DeviceResult device) {
        RecordingSentences made = new RecordingSentences(device);
        made.events();
        made.older();
        made.faults();
        made.stacks();
        return List.copyOf(made.sentences);
    }

    private void events() {
        if (coverage.isTrace()) {
            sentences.add(Numbers.counted(device.events(), "memory event") + " of the profiler.");
            sentences.add("A line is where its function begins, or where it stood when the recording began.");
            sentences.add("Sizes are those that the allocator held.");
            return;
        }
        sentences.add(
                switch (coverage.ring()) {
                    case EMPTY ->
                        device.outOfMemory().isEmpty()
                                ? "No history was recorded: this is the final state only. Record with torch.cuda.memory._record_memory_history()."
                                : "Nothing was allocated while the history was recorded.";
                    case WRAPPED ->
                        "The ring buffer has probably overflowed: exactly " + Numbers.grouped(device.events())
                                + " events were kept and the beginning is lost. Record with a larger max_entries (--history of run and attach).";
                    case WHOLE ->
                        Numbers.counted(device.events(), "event") + ", no sign that the ring buffer overflowed"
                                + (coverage.hasTimes() ? "." : "; no times (torch before 2.2).");
                });
        if (coverage.isResorted()) {
            sentences.add("Events were out of order and were sorted by time (max_entries was raised while recording).");
        }
    }

    private void older() {
        if (device.startBytes() > 0 && coverage.ring() != Ring.EMPTY) {
            String before = ByteSize.format(device.startBytes()) + " were allocated before the recording";
            sentences.add(
                    coverage.isTrace()
                            ? before + "."
                            : before + ": "
                                    + Numbers.amount(coverage.olderLiveBytes(), coverage.olderLiveBlocks(), "block")
                                    + " stayed to its end, the rest was freed ("
                                    + Numbers.counted(coverage.unknownFrees(), "free") + ").");
        }
    }

    private void faults() {
        if (coverage.lostFrees() > 0) {
            sentences.add(Numbers.counted(coverage.lostFrees(), "free")
                    + " must be missing: their addresses were used again.");
        }
        if (coverage.liveWithoutBlock() > 0) {
            sentences.add(Numbers.counted(coverage.liveWithoutBlock(), "allocation")
                    + " without a free have no block in the final state.");
        }
        if (coverage.endMismatchBytes() != 0) {
            sentences.add("Live bytes at the end differ from the final state's by "
                    + ByteSize.format(coverage.endMismatchBytes()) + ".");
        }
        if (coverage.unseenReleaseBytes() > 0) {
            sentences.add(ByteSize.format(coverage.unseenReleaseBytes())
                    + " of reserved memory must have been released without an event.");
        }
        coverage.unused()
                .forEach((name, count) ->
                        sentences.add("Not used: " + Printable.of(name) + " (" + Numbers.grouped(count) + ")."));
    }

    private void stacks() {
        if (device.peak().bytes() > 0) {
            sentences.add(
                    Numbers.percent(coverage.explainedShare()) + " of the bytes at the peak have a line of code.");
        }
    }
}
