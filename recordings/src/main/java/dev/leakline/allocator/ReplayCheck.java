package dev.leakline.allocator;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Trial;
import java.util.Comparator;

/**
 * The result of holding one version's rules against a recording: how well they agree, and how the replay went.
 *
 * @param replayer makes replays by these rules
 * @param isUnlimited whether all the memory that the replay requested was there
 */
record ReplayCheck(Replayer replayer, Credibility credibility, Trial trial, boolean isUnlimited) {
    /** That of the version that agrees best, of those that may have written the recording. */
    static ReplayCheck best(SnapshotColumns columns, Lifetimes lifetimes, Workload workload, Capacity capacity) {
        return AllocatorRules.of(columns).stream()
                .map(rules -> of(columns, lifetimes, new Replayer(workload, rules, capacity)))
                .max(Comparator.comparingDouble(check -> check.credibility.share()))
                .orElseThrow();
    }

    /** Holds a replay under the recorded settings against the recording. */
    private static ReplayCheck of(SnapshotColumns columns, Lifetimes lifetimes, Replayer replayer) {
        Workload workload = replayer.workload();
        RecordedDriver driver = new RecordedDriver(
                columns, lifetimes.events(), replayer.capacity().bytes());
        Verification verification = new Verification(columns.events, driver);
        Replay replay = new Replay(workload, workload.settings(), replayer.rules(), driver, verification);
        Trial trial = replay.run();
        Credibility agreement = new Credibility(
                verification.recorded(),
                verification.predicted(),
                verification.matching(),
                workload.history().most());
        return new ReplayCheck(replayer, agreement, trial, !replay.isRefused());
    }
}
