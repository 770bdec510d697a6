package dev.leakline.read;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.read.ReadException.Code;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as read.
 *
 * @param columns what it says
 * @param format how it was written, such as {@code pickle protocol 4, gzip}
 * @param bytes its size after decompression
 * @param truncation why it is not whole, or null; what was whole is in the columns
 */
public record SnapshotFile(
        SnapshotColumns columns,
        String format,
        long bytes,
        @Nullable ReadException truncation) implements InputContent {
    /** Fails where the allocator's requests and calls are not in it, so that they cannot be replayed. */
    public void checkReplay() throws ReadException {
        if (columns.recorder == Recorder.PROFILER) {
            throw new ReadException(
                    Code.NOT_A_SNAPSHOT,
                    -1,
                    "it is a trace of torch.profiler, which says neither what was asked for nor in which segments memory lies; a"
                            + " replay needs a snapshot: torch.cuda.memory._record_memory_history(), then _dump_snapshot()");
        }
    }
}
