package dev.leakline.allocator;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.Columns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What piles up takes whole segments of the driver. */
class FilledSegmentsTest {
    private static final long MB = 1 << 20;

    private static double perByte(AllocatorSettings settings, long... sizes) {
        SnapshotBuilder recording = snapshot();
        IntArrayList all = new IntArrayList();
        for (int i = 0; i < sizes.length; i++) {
            recording.alloc("kept" + i, sizes[i], "train.py:31 log");
            all.add(i);
        }
        Lifetimes lifetimes = LifetimeBuilder.build(Columns.of(recording), 0);
        return FilledSegments.perByte(lifetimes, all, settings);
    }

    @Test
    void twoBlocksOf8MibFillASegmentOf20() {
        assertThat(perByte(AllocatorSettings.DEFAULTS, 8 * MB)).isEqualTo(20.0 / 16);
    }

    @Test
    void whatLargeBlocksLeaveOverSmallerOnesTake() {
        assertThat(perByte(AllocatorSettings.DEFAULTS, 8 * MB, 2 * MB)).isEqualTo(1);
    }

    @Test
    void blocksOfTheSmallHalfLeaveNothing() {
        assertThat(perByte(AllocatorSettings.DEFAULTS, 512)).isEqualTo(1);
    }

    @Test
    void segmentsThatExpandLeaveNothing() {
        AllocatorSettings expandable = AllocatorSettings.of(Map.of("expandable_segments", true));
        assertThat(perByte(expandable, 8 * MB)).isCloseTo(1, within(0.05));
    }

    @Test
    void noBlocksTakeWhatTheyHold() {
        assertThat(perByte(AllocatorSettings.DEFAULTS)).isEqualTo(1);
    }
}
