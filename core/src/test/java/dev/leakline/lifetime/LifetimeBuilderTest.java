package dev.leakline.lifetime;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Columns;
import dev.leakline.columns.Action;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.testkit.snapshot.Layout;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class LifetimeBuilderTest {
    private static final long MB = 1 << 20;

    @Test
    void anAllocationLivesFromItsEventToTheCompletionOfItsFree() {
        Lifetimes lifetimes = build(
                snapshot().alloc("a", 3 * MB + 7, "a.py:1 f").alloc("b", 700).free("a"));
        int a = lifetimes.allocation(1);
        assertThat(lifetimes.count()).isEqualTo(2);
        assertThat(lifetimes.born(a)).isEqualTo(1);
        assertThat(lifetimes.freeRequested(a)).isEqualTo(4);
        assertThat(lifetimes.died(a)).isEqualTo(5);
        assertThat(lifetimes.requested(a)).isEqualTo(3 * MB + 7);
        assertThat(lifetimes.held(a)).isEqualTo(3 * MB + 512);
        assertThat(lifetimes.isLive(a, 0)).isFalse();
        assertThat(lifetimes.isLive(a, 1)).isTrue();
        assertThat(lifetimes.isLive(a, 4)).isTrue();
        assertThat(lifetimes.isLive(a, 5)).isFalse();
        assertThat(lifetimes.allocation(0)).isEqualTo(Lifetimes.NONE);
        assertThat(lifetimes.events().action(0)).isEqualTo(Action.SEGMENT_ALLOC);
    }

    @Test
    void anAddressIsUsedAgain() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(5, (s, i) -> s.alloc("a", 2 * MB + i).free("a"));
        Lifetimes lifetimes = build(recording);
        assertThat(lifetimes.count()).isEqualTo(5);
        assertThat(lifetimes.lostFrees()).isZero();
        for (int allocation = 0; allocation < 5; allocation++) {
            assertThat(lifetimes.requested(allocation)).isEqualTo(2 * MB + allocation);
            assertThat(lifetimes.born(allocation)).isEqualTo(1 + 3 * allocation);
            assertThat(lifetimes.died(allocation)).isEqualTo(3 + 3 * allocation);
        }
    }

    @Test
    void aFreeOfNothingKnownFreesWhatIsOlder() {
        Lifetimes lifetimes =
                build(snapshot().preexisting("w", 7 * MB + 9).alloc("a", 700).free("w"));
        int w = lifetimes.allocation(3);
        assertThat(lifetimes.unknownFrees()).isEqualTo(1);
        assertThat(lifetimes.unknownFreeBytes()).isEqualTo(7 * MB + 9);
        assertThat(lifetimes.born(w)).isEqualTo(Lifetimes.BEFORE);
        assertThat(lifetimes.freeRequested(w)).isEqualTo(2);
        assertThat(lifetimes.died(w)).isEqualTo(3);
        assertThat(lifetimes.requested(w)).isEqualTo(7 * MB + 9);
        assertThat(lifetimes.isLive(w, Lifetimes.BEFORE)).isTrue();
    }

    @Test
    void aBlockThatNoEventIsAboutLivesThroughTheRecording() {
        SnapshotColumns columns = Columns.of(
                snapshot().preexisting("w", 7 * MB + 9, "init.py:3 load").alloc("a", 700));
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        assertThat(lifetimes.count()).isEqualTo(2);
        assertThat(lifetimes.born(1)).isEqualTo(Lifetimes.BEFORE);
        assertThat(lifetimes.died(1)).isEqualTo(Lifetimes.NEVER);
        assertThat(lifetimes.requested(1)).isEqualTo(7 * MB + 9);
        assertThat(lifetimes.held(1)).isEqualTo(7 * MB + 512);
        assertThat(columns.stacks.depth(lifetimes.stack(1))).isEqualTo(1);
        assertThat(lifetimes.unknownFrees()).isZero();
    }

    @Test
    void aPendingFreeHoldsItsMemory() {
        Lifetimes lifetimes = build(snapshot()
                .alloc("a", 3 * MB)
                .alloc("b", 2 * MB)
                .requestFree("a")
                .free("b"));
        int a = lifetimes.allocation(1);
        assertThat(lifetimes.freeRequested(a)).isEqualTo(3);
        assertThat(lifetimes.died(a)).isEqualTo(Lifetimes.NEVER);
        assertThat(lifetimes.died(lifetimes.allocation(2))).isEqualTo(5);
        assertThat(lifetimes.liveWithoutBlock()).isZero();
    }

    @Test
    void whereAllFreesArePendingNothingDied() {
        Lifetimes lifetimes = build(snapshot()
                .alloc("a", 3 * MB)
                .alloc("b", 2 * MB)
                .requestFree("a")
                .requestFree("b"));
        assertThat(lifetimes.count()).isEqualTo(2);
        assertThat(lifetimes.died(0)).isEqualTo(Lifetimes.NEVER);
        assertThat(lifetimes.died(1)).isEqualTo(Lifetimes.NEVER);
        assertThat(lifetimes.freeRequested(1)).isEqualTo(4);
    }

    @Test
    void whereCompletionsWereSkippedTheRequestEndsAnAllocation() {
        SnapshotBuilder recording = snapshot()
                .preexisting("w", 5 * MB)
                .alloc("a", 3 * MB + 7)
                .free("a")
                .free("w")
                .alloc("b", 2 * MB);
        Lifetimes lifetimes = without(recording, event -> event.get("action").equals("free_completed"));
        int a = lifetimes.allocation(0);
        assertThat(lifetimes.requested(a)).isEqualTo(3 * MB + 7);
        assertThat(lifetimes.died(a)).isEqualTo(1);
        assertThat(lifetimes.unknownFrees()).isEqualTo(1);
        assertThat(lifetimes.lostFrees()).isZero();
        assertThat(lifetimes.died(lifetimes.allocation(3))).isEqualTo(Lifetimes.NEVER);
    }

    @Test
    void whereRequestsWereSkippedTheCompletionEndsAnAllocation() {
        SnapshotBuilder recording = snapshot().alloc("a", 3 * MB + 7).free("a").alloc("b", 2 * MB);
        Lifetimes lifetimes = without(recording, event -> event.get("action").equals("free_requested"));
        assertThat(lifetimes.died(lifetimes.allocation(1))).isEqualTo(2);
        assertThat(lifetimes.freeRequested(lifetimes.allocation(1))).isEqualTo(Lifetimes.NEVER);
    }

    @Test
    void anAllocationWhoseAddressIsTakenAgainHasLostItsFree() {
        SnapshotBuilder recording = snapshot()
                .alloc("a", 3 * MB + 1)
                .free("a")
                .alloc("b", 3 * MB + 2)
                .free("b");
        recording.alloc("c", 3 * MB + 3);
        Lifetimes lifetimes = without(recording, event -> event.get("size").equals(3 * MB + 1) && isFree(event));
        assertThat(lifetimes.lostFrees()).isEqualTo(1);
        assertThat(lifetimes.died(0)).isEqualTo(lifetimes.born(1)).isEqualTo(2);
        assertThat(lifetimes.formerTenant(2)).isZero();
        assertThat(lifetimes.liveWithoutBlock()).isZero();
    }

    @Test
    void anAllocationWithoutFreeAndBlockIsCounted() {
        SnapshotBuilder recording =
                snapshot().alloc("a", 3 * MB + 1).alloc("b", 4 * MB).free("a");
        Lifetimes lifetimes = without(recording, LifetimeBuilderTest::isFree);
        assertThat(lifetimes.liveWithoutBlock()).isEqualTo(1);
        assertThat(lifetimes.held(0)).isEqualTo(3 * MB + 512);
    }

    @Test
    void eventsOfAnEnlargedRingAreSortedByTime() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(30, (s, i) -> s.alloc("a" + i, 2 * MB + i)).repeat(20, (s, i) -> s.free("a" + i));
        Object tree = recording.build();
        Collections.rotate(events(tree), 17);
        Lifetimes straight = build(recording);
        Lifetimes rotated = LifetimeBuilder.build(Columns.of(tree), 0);
        assertThat(straight.events().isResorted()).isFalse();
        assertThat(rotated.events().isResorted()).isTrue();
        assertThat(rotated.count()).isEqualTo(straight.count());
        for (int allocation = 0; allocation < straight.count(); allocation++) {
            assertThat(rotated.born(allocation)).isEqualTo(straight.born(allocation));
            assertThat(rotated.died(allocation)).isEqualTo(straight.died(allocation));
            assertThat(rotated.requested(allocation)).isEqualTo(straight.requested(allocation));
        }
    }

    @Test
    void eventsWithoutTimesKeepTheirOrder() {
        Lifetimes lifetimes =
                build(snapshot().layout(Layout.V2_1).alloc("a", 3 * MB).free("a"));
        assertThat(lifetimes.events().isResorted()).isFalse();
        assertThat(lifetimes.died(0)).isEqualTo(3);
    }

    @Test
    void devicesHaveLifetimesOfTheirOwn() {
        SnapshotColumns columns = Columns.of(snapshot()
                .alloc("a", 3 * MB)
                .device(2)
                .preexisting("w", 5 * MB)
                .alloc("b", 7 * MB)
                .free("b")
                .hostAlloc("pinned", 70_000));
        assertThat(LifetimeBuilder.devices(columns)).containsExactly(SnapshotColumns.HOST, 0, 2);
        assertThat(LifetimeBuilder.build(columns, 0).count()).isEqualTo(1);
        assertThat(LifetimeBuilder.build(columns, 0).requested(0)).isEqualTo(3 * MB);
        assertThat(LifetimeBuilder.build(columns, 2).count()).isEqualTo(2);
        assertThat(LifetimeBuilder.build(columns, 2).requested(0)).isEqualTo(7 * MB);
        assertThat(LifetimeBuilder.build(columns, SnapshotColumns.HOST).requested(0))
                .isEqualTo(131_072);
        assertThat(LifetimeBuilder.build(columns, 1).count()).isZero();
    }

    private static Lifetimes build(SnapshotBuilder recording) {
        return LifetimeBuilder.build(Columns.of(recording), 0);
    }

    /** The lifetimes of a recording that lacks some events. */
    private static Lifetimes without(SnapshotBuilder recording, Predicate<Map<?, ?>> missing) {
        Object tree = recording.build();
        events(tree).removeIf(event -> missing.test((Map<?, ?>) event));
        return LifetimeBuilder.build(Columns.of(tree), 0);
    }

    private static boolean isFree(Map<?, ?> event) {
        return event.get("action").toString().startsWith("free_");
    }

    private static List<?> events(Object tree) {
        return (List<?>) ((List<?>) ((Map<?, ?>) tree).get("device_traces")).getFirst();
    }
}
