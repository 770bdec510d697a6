package dev.leakline.verdict;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Coverage.Ring;
import dev.leakline.text.Numbers;
import java.util.stream.IntStream;

/** Finds what a recording lacks for growth to be judged, and says in a sentence how to record it. */
final class RecordingGap {
    /** The gap of a snapshot that shows nothing but its final state. */
    static final String NO_HISTORY = "the snapshot has no history, so growth cannot be judged: call "
            + RecordingAdvice.CALL + " before the run, or leave out --history 0";

    /** The gap where no snapshot is among the inputs, such as of dumps alone. */
    static final String NO_SNAPSHOT =
            "there is no snapshot, so growth cannot be judged by line: record one with leakline attach --record"
                    + " SECONDS, or with " + RecordingAdvice.CALL + " before the run";

    private final Evidence evidence;
    private final SnapshotColumns columns;
    private final int events;

    private RecordingGap(Evidence evidence) {
        this.evidence = evidence;
        this.columns = evidence.columns();
        this.events = evidence.lifetimes().events().count();
    }

    /** The gap of a device's recording, empty where all is there that PyTorch can record. */
    static String of(Evidence evidence, Ring ring) {
        return new RecordingGap(evidence).find(ring);
    }

    private String find(Ring ring) {
        if (columns.recorder == Recorder.PROFILER) {
            return "";
        }
        if (events == 0) {
            return haveBlocksStacks()
                    ? "the snapshot has stacks of its blocks but no history: it was switched off before the snapshot was written,"
                            + " which drops it, or only the state was recorded; call torch.cuda.memory._dump_snapshot() first, and"
                            + " _record_memory_history(enabled=None) after it"
                    : NO_HISTORY;
        }
        if (!hasPython()) {
            return haveBlocksStacks()
                    ? "only the blocks of the final state have stacks, so what repeats cannot be seen: record with context=\"all\""
                    : "no event has a Python stack, so what repeats cannot be seen: record with context=\"all\", stacks=\"python\"";
        }
        return ring == Ring.WRAPPED
                ? "the recording has only the last " + Numbers.counted(events, "event")
                        + ", too few for the steps in them to be judged: keep more of them (max_entries; --history of run and attach)"
                : "";
    }

    private boolean haveBlocksStacks() {
        return IntStream.range(0, columns.blocks.size())
                .anyMatch(block -> columns.blocks.stack(block) != StackTable.NONE);
    }

    private boolean hasPython() {
        return IntStream.range(0, events)
                .map(event -> evidence.lifetimes().events().stack(event))
                .anyMatch(stack -> evidence.stacks().of(stack).hasPython());
    }
}
