package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.EventAction;
import org.jspecify.annotations.Nullable;

/** A listener for what the allocator asks of the driver. */
interface SegmentLog {
    /** A listener for what happened before the recording. */
    SegmentLog SILENT = (action, segment, address, size, own) -> {};

    /** A range was mapped or released; {@code own} is the stack that the range itself carries, if any. */
    void record(EventAction action, DeviceSegment segment, long address, long size, @Nullable CallStack own);
}
