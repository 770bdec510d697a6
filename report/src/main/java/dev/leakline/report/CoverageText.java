package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.result.Coverage;
import dev.leakline.result.Coverage.Ring;
import dev.leakline.result.DeviceResult;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** What a recording can and cannot tell, in sentences. */
final class CoverageText {
    private final DeviceResult device;
    private final Coverage coverage;
    private final List<String> sentences = new ArrayList<>();

    private CoverageText(DeviceResult device) {
        this.device = device;
        this.coverage = device.coverage();
    }

    static List<String> sentences(DeviceResult device) {
        CoverageText text = new CoverageText(device);
        text.describeRecording();
        text.describeOlder();
        text.describeFaults();
        text.describeStacks();
        return text.sentences;
    }

    private void describeRecording() {
        if (coverage.isTrace()) {
            sentences.add(Labels.count(device.events(), "memory event") + " of the profiler");
            sentences.add("lines are those at which functions begin, or where they stood when the recording began;"
                    + " sizes are what the allocator held.");
            return;
        }
        sentences.add(
                switch (coverage.ring()) {
                    case EMPTY ->
                        "no history was recorded: this is the final state only. Record with torch.cuda.memory._record_memory_history().";
                    case WRAPPED ->
                        "the ring buffer seems to have overflowed: exactly " + Labels.count(device.events())
                                + " events were kept and the beginning is lost. Record with a larger max_entries.";
                    case WHOLE ->
                        Labels.count(device.events(), "event") + ", no sign that the ring buffer overflowed"
                                + (coverage.hasTimes() ? "" : "; without times (torch before 2.2)");
                });
        if (coverage.isResorted()) {
            sentences.add(
                    "the events were out of order and were sorted by time (max_entries was raised while recording).");
        }
    }

    private void describeOlder() {
        if (device.startBytes() > 0 && coverage.ring() != Ring.EMPTY) {
            String before = ByteSize.format(device.startBytes()) + " were allocated before the recording";
            sentences.add(
                    coverage.isTrace()
                            ? before + "."
                            : before + ": "
                                    + ByteSize.format(coverage.olderLiveBytes()) + " in "
                                    + Labels.count(coverage.olderLiveBlocks(), "block")
                                    + " lived on to its end, " + Labels.count(coverage.unknownFrees(), "free")
                                    + " let go of the rest.");
        }
    }

    private void describeFaults() {
        if (coverage.lostFrees() > 0) {
            sentences.add(
                    Labels.count(coverage.lostFrees(), "free") + " must be missing: their addresses were used again.");
        }
        if (coverage.liveWithoutBlock() > 0) {
            sentences.add(Labels.count(coverage.liveWithoutBlock(), "allocation")
                    + " never freed have no block in the final state.");
        }
        if (coverage.endMismatchBytes() != 0) {
            sentences.add("the end does not add up: live bytes differ from the final state's by "
                    + ByteSize.format(coverage.endMismatchBytes()) + ".");
        }
        coverage.unused()
                .forEach((name, count) ->
                        sentences.add("not used: " + Printable.of(name) + " (" + Labels.count(count) + ")"));
    }

    private void describeStacks() {
        if (device.peak().bytes() > 0) {
            sentences.add(Labels.percent(coverage.explainedShare()) + " of the bytes at the peak have a line of code.");
        }
    }
}
