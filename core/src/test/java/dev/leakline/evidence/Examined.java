package dev.leakline.evidence;

import dev.leakline.Columns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Finding;
import dev.leakline.testkit.snapshot.SnapshotBuilder;

/** What one detector says of a made-up recording. */
public final class Examined {
    private Examined() {}

    /** What a detector says of device 0. */
    public static Examination by(Detector detector, SnapshotBuilder recording) {
        return detector.examine(evidence(Columns.of(recording)));
    }

    /** The one thing that a detector finds on device 0; fails where it finds more or nothing. */
    public static Finding finding(Detector detector, SnapshotBuilder recording) {
        Examination examination = by(detector, recording);
        if (examination.findings().size() != 1) {
            throw new AssertionError("one finding expected, not " + examination);
        }
        return examination.findings().getFirst();
    }

    /** What there is to look at of device 0. */
    static Evidence evidence(SnapshotColumns columns) {
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        return Evidence.of(0, columns, lifetimes, 0, lifetimes.events().count(), 0, null, _ -> false);
    }
}
