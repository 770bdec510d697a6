package dev.leakline.steps;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.Columns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.result.StepSummary.Kind;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepPeaksTest {
    private static final long MB = 1 << 20;

    @Test
    void peak_isTheMostThatIsHeldWithinAStep() {
        StepPeaks peaks = peaks();
        assertThat(peaks.bytes(0)).isEqualTo(7 * MB + 30 * MB);
        assertThat(peaks.bytes(1)).isEqualTo(7 * MB + 50 * MB);
        assertThat(peaks.bytes(2)).isEqualTo(7 * MB + 70 * MB);
        assertThat(peaks.event(2)).isEqualTo(8);
        assertThat(peaks.sorted(1)).containsExactly(57 * MB, 77 * MB);
    }

    @Test
    void high_countsTheStepsThatCameToSoMuch() {
        assertThat(peaks().high(0, 50 * MB)).isEqualTo(2);
        assertThat(peaks().high(2, 50 * MB)).isEqualTo(1);
        assertThat(peaks().high(0, 78 * MB)).isZero();
    }

    /** The most before the step counts, not what the step itself has come to; in set-up the most before the request. */
    @Test
    void failure_knowsWhatWasHeldThenAndTheMostBeforeItsStep() {
        SnapshotBuilder recording = snapshot().preexisting("w", 7 * MB).alloc("a", 30 * MB);
        recording.free("a").oom(90 * MB, 1 * MB).alloc("b", 50 * MB).oom(95 * MB, 2 * MB);
        SnapshotColumns columns = Columns.of(recording);
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        IntArrayList failed = lifetimes.events().failed();
        assertThat(failed.size()).isEqualTo(2);
        int second = failed.get(1);
        StepPeaks peaks = follow(columns, lifetimes, IntArrayList.from(failed.get(0) + 1, second + 1));
        assertThat(peaks.failure(failed.get(0)).earlierPeak()).isEqualTo(37 * MB);
        assertThat(peaks.failure(failed.get(0)).held()).isEqualTo(7 * MB);
        assertThat(peaks.failure(second).earlierPeak()).isEqualTo(37 * MB);
        assertThat(peaks.failure(second).held()).isEqualTo(57 * MB);
        assertThat(peaks.failure(second).reserved()).isGreaterThanOrEqualTo(57 * MB);
    }

    /** Three steps of 30, 50 and 70 MiB over 7 MiB that are older. */
    private static StepPeaks peaks() {
        SnapshotBuilder recording =
                snapshot().preexisting("w", 7 * MB).alloc("room", 90 * MB).free("room");
        recording.alloc("a", 30 * MB).free("a").alloc("b", 50 * MB).alloc("c", 20 * MB, "c.py:1 f");
        SnapshotColumns columns = Columns.of(recording.free("b"));
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        return follow(columns, lifetimes, IntArrayList.from(4, 7, 8, 11));
    }

    private static StepPeaks follow(SnapshotColumns columns, Lifetimes lifetimes, IntArrayList starts) {
        Steps steps = new Steps(Kind.ANNOTATION, "a step", starts);
        StepPeaks peaks = new StepPeaks(steps, lifetimes.events().failed());
        new MemoryCurve(columns, lifetimes).follow(List.of(peaks));
        return peaks;
    }
}
