package dev.leakline.lifetime;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Columns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.PeakFinder.Found;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeakFinderTest {
    private static final long MB = 1 << 20;
    private static final int END = Integer.MAX_VALUE;

    @Test
    void thePeakIsTheFirstMomentAtWhichMostWasHeld() {
        Found found = find(hills(), 0, END);
        assertThat(found.start().held()).isEqualTo(5 * MB);
        assertThat(found.peak().held()).isEqualTo(45 * MB + 512);
        assertThat(found.peak().requested()).isEqualTo(45 * MB + 3);
        assertThat(found.peak().event()).isEqualTo(1);
        assertThat(found.end().held()).isEqualTo(5 * MB);
        assertThat(found.end().event()).isEqualTo(9);
    }

    @Test
    void aWindowHasThePeakOfItsOwn() {
        Found found = find(hills(), 4, 8);
        assertThat(found.peak().held()).isEqualTo(35 * MB);
        assertThat(found.peak().event()).isEqualTo(5);
        assertThat(found.peakRequested()).isEqualTo(35 * MB);
        assertThat(found.start().held()).isEqualTo(5 * MB);
        assertThat(found.end().event()).isEqualTo(9);
    }

    @Test
    void theMomentBeforeAWindowBelongsToIt() {
        Found found = find(hills(), 2, 8);
        assertThat(found.peak().event()).isEqualTo(1);
        assertThat(found.peak().held()).isEqualTo(45 * MB + 512);
    }

    @Test
    void anEmptyWindowIsAMoment() {
        Found found = find(hills(), 6, 6);
        assertThat(find(hills(), 6, 2)).isEqualTo(found);
        assertThat(find(hills(), 100, END).peak().event()).isEqualTo(9);
    }

    @Test
    void aRecordingWithoutEventsHasThePeakOfItsState() {
        Found found = find(snapshot().preexisting("w", 7 * MB), 0, END);
        assertThat(found.peak().event()).isEqualTo(Lifetimes.BEFORE);
        assertThat(found.peak().held()).isEqualTo(7 * MB);
        assertThat(found.peak().reserved()).isEqualTo(20 * MB);
    }

    @Test
    void thePointsAreFewAndTheirMaximumIsThePeak() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(2_000, (s, i) -> s.alloc("a" + i, 20 * MB)).repeat(1_990, (s, i) -> s.free("a" + i));
        Found found = find(recording, 0, END);
        assertThat(found.points()).hasSizeBetween(200, 241);
        assertThat(found.points()).extracting(PeakFinder.Point::event).isSorted();
        assertThat(found.points().stream().mapToLong(PeakFinder.Point::held).max())
                .hasValue(found.peak().held())
                .hasValue(2_000 * 20 * MB);
    }

    /** Reserved at the beginning is what is reserved at the end less what came, plus what went. */
    @Test
    void theReservedBytesAreConcludedBackwards() {
        Found found = find(hills().emptyCache(), 0, END);
        assertThat(found.start().reserved()).isEqualTo(20 * MB);
        assertThat(found.peak().reserved()).isEqualTo(62 * MB);
        assertThat(found.end().reserved()).isEqualTo(20 * MB);
    }

    /** Events 0 to 9: 5 MiB from before, up by 40 MiB in event 1, down in 3, up by 30 MiB in 5, down in 7. */
    private static SnapshotBuilder hills() {
        return snapshot()
                .preexisting("w", 5 * MB)
                .alloc("high", 40 * MB + 3)
                .free("high")
                .snapshotEvent()
                .alloc("low", 30 * MB)
                .free("low")
                .snapshotEvent()
                .snapshotEvent();
    }

    private static Found find(SnapshotBuilder recording, int from, int to) {
        SnapshotColumns columns = Columns.of(recording);
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        PeakFinder finder = new PeakFinder(lifetimes.events().count(), from, to);
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        curve.follow(List.of(finder));
        return finder.found(curve);
    }
}
