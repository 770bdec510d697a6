package dev.leakline.steps;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.Columns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary.Kind;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import org.junit.jupiter.api.Test;

class StepPeaksTest {
    private static final long MB = 1 << 20;

    @Test
    void peak_isTheMostThatIsHeldWithinAStep() {
        StepPeaks peaks = peaks(Long.MAX_VALUE, 0);
        assertThat(peaks.isCrowded()).isFalse();
        assertThat(peaks.bytes(0)).isEqualTo(7 * MB + 30 * MB);
        assertThat(peaks.bytes(1)).isEqualTo(7 * MB + 50 * MB);
        assertThat(peaks.bytes(2)).isEqualTo(7 * MB + 70 * MB);
        assertThat(peaks.event(2)).isEqualTo(8);
        assertThat(peaks.sorted(1)).containsExactly(57 * MB, 77 * MB);
    }

    @Test
    void walk_endsWhereMoreStepsAreHighThanAreWanted() {
        assertThat(peaks(50 * MB, 1).isCrowded()).isTrue();
        assertThat(peaks(50 * MB, 2).isCrowded()).isFalse();
    }

    /** Three steps of 30, 50 and 70 MiB over 7 MiB that are older. */
    private static StepPeaks peaks(long high, int most) {
        SnapshotBuilder recording =
                snapshot().preexisting("w", 7 * MB).alloc("room", 90 * MB).free("room");
        recording.alloc("a", 30 * MB).free("a").alloc("b", 50 * MB).alloc("c", 20 * MB, "c.py:1 f");
        SnapshotColumns columns = Columns.of(recording.free("b"));
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        Steps steps = new Steps(Kind.ANNOTATION, "a step", IntArrayList.from(4, 7, 8, 11));
        return new StepPeaks(lifetimes, steps, 0, high, most);
    }
}
