package dev.leakline.profile;

import static dev.leakline.profile.SimulatedDevice.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.profile.GpuMemoryProfiler.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class GpuMemoryProfilerTest {
    private final SimulatedDevice device = new SimulatedDevice();
    private final GpuMemoryProfiler profiler = GpuMemoryProfiler.of(device);

    @Test
    void aCallReturnsItsValueAndItsResultSaysWhatItDid() {
        String value = profiler.profile("forward", () -> {
            device.touch(70 * MIB);
            device.allocate(7 * MIB);
            return "out";
        });

        ProfileResult result = profiler.results().getFirst();
        assertThat(value).isEqualTo("out");
        assertThat(result.name()).isEqualTo("forward");
        assertThat(result.growth()).hasValue(7 * MIB);
        assertThat(result.rise()).hasValue(70 * MIB);
        assertThat(result.peak()).isEqualTo(new MemoryPeak(70 * MIB, 80 * MIB, true));
        assertThat(result.after().reserved()).isEqualTo(80 * MIB);
        assertThat(result.failure()).isNull();
        assertThat(result.stack()).isEmpty();
        assertThat(result.duration()).isPositive();
    }

    @Test
    void nestedCallsHaveTheirOwnPeaks() {
        profiler.profile("epoch", () -> {
            device.touch(200 * MIB);
            profiler.profile("step", () -> {
                device.touch(90 * MIB);
                return profiler.profile("forward", () -> keep(3));
            });
            return keep(5);
        });

        assertThat(profiler.results()).extracting(ProfileResult::name).containsExactly("forward", "step", "epoch");
        assertThat(profiler.results()).extracting(ProfileResult::depth).containsExactly(2, 1, 0);
        assertThat(profiler.results())
                .extracting(result -> result.peak().used() / MIB)
                .containsExactly(3L, 90L, 200L);
        assertThat(profiler.results()).allMatch(result -> result.peak().isExact());
    }

    @Test
    void whatAnInnerCallKeepsIsNotTheOuterOnes() {
        profiler.profile("epoch", () -> {
            profiler.profile("embed", () -> keep(4));
            profiler.profile("embed", () -> keep(4));
            return keep(1);
        });
        device.allocate(2 * MIB);

        ProfileSummary summary = profiler.summary();
        assertThat(summary.calls()).extracting(CallSummary::name).containsExactly("embed", "epoch");
        assertThat(summary.calls()).extracting(CallSummary::ownGrowth).containsExactly(8 * MIB, MIB);
        assertThat(summary.calls()).extracting(CallSummary::growth).containsExactly(8 * MIB, 9 * MIB);
        assertThat(summary.calls().getFirst().ownGrowthPerCall()).isEqualTo(4.0 * MIB);
        assertThat(summary.growth()).hasValue(11 * MIB);
        assertThat(summary.growthBetween()).hasValue(2 * MIB);
    }

    @Test
    void whatThrowsIsRethrownAndItsPeakIsTheTrueOne() {
        IOException thrown = new IOException("CUDA out of memory");
        assertThatThrownBy(() -> profiler.profile("load", () -> {
                    device.touch(300 * MIB);
                    device.allocate(11 * MIB);
                    throw thrown;
                }))
                .isSameAs(thrown);

        ProfileResult result = profiler.results().getFirst();
        assertThat(result.failure()).isEqualTo("java.io.IOException: CUDA out of memory");
        assertThat(result.peak()).isEqualTo(new MemoryPeak(300 * MIB, 300 * MIB, true));
        assertThat(result.growth()).hasValue(11 * MIB);
        assertThat(profiler.summary().calls().getFirst().failures()).isEqualTo(1);
        assertThat(profiler.calls().getFirst().after().operation()).isEqualTo("after_load_error");
    }

    @Test
    void whatWasThereBeforeIsNobodysGrowth() {
        device.allocate(999 * MIB);
        GpuMemoryProfiler late = GpuMemoryProfiler.of(device);
        late.profile("noop", () -> 0);

        assertThat(late.results().getFirst().growth()).hasValue(0);
        assertThat(late.summary().growth()).hasValue(0);
        assertThat(late.summary().first().allocated()).isEqualTo(999 * MIB);
    }

    @Test
    void ofResultsTheLastStayAndOfNamesTheTotals() {
        GpuMemoryProfiler small = GpuMemoryProfiler.of(device, new Options(3, 2, false));
        for (int i = 0; i < 10; i++) {
            small.profile("call" + i, () -> keep(1));
        }

        ProfileSummary summary = small.summary();
        assertThat(small.results()).extracting(ProfileResult::name).containsExactly("call7", "call8", "call9");
        assertThat(summary.dropped()).isEqualTo(7);
        assertThat(summary.calls()).extracting(CallSummary::name).containsExactly(CallSummary.OTHERS, "call0", "call1");
        assertThat(summary.calls().getFirst().ownGrowth()).isEqualTo(8 * MIB);
    }

    @Test
    void callsOfSeveralThreadsAtATimeAreMarkedAsShared() throws Exception {
        CountDownLatch isOpen = new CountDownLatch(1);
        CountDownLatch isDone = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> other = threads.submit(() -> profiler.profile("other", () -> {
                isOpen.countDown();
                isDone.await();
                return 0;
            }));
            isOpen.await();
            profiler.profile("mine", () -> keep(6));
            isDone.countDown();
            other.get();
        }
        profiler.profile("alone", () -> profiler.profile("within", () -> 0));

        assertThat(profiler.results())
                .extracting(ProfileResult::name)
                .containsExactly("mine", "other", "within", "alone");
        assertThat(profiler.results()).extracting(ProfileResult::isShared).containsExactly(true, true, false, false);
        assertThat(profiler.results()).extracting(ProfileResult::depth).containsExactly(0, 0, 1, 0);
        assertThat(profiler.results().get(1).growth()).hasValue(6 * MIB);
        assertThat(profiler.summary().growthBetween()).isEmpty();
        assertThat(ProfileText.of(profiler.summary(), 100).getLast()).startsWith("2 calls ran in parallel");
    }

    @Test
    void manyThreadsAtATimeLoseNoResult() throws Exception {
        int threads = 8;
        int calls = 200;
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String name = "thread" + i;
            all.add(Thread.ofPlatform().start(() -> {
                for (int call = 0; call < calls; call++) {
                    profiler.profile(name, () -> profiler.profile("inner", () -> keep(1)));
                }
            }));
        }
        for (Thread thread : all) {
            thread.join();
        }

        ProfileSummary summary = profiler.summary();
        assertThat(summary.calls()).hasSize(threads + 1);
        assertThat(summary.calls().stream().mapToLong(CallSummary::calls).sum()).isEqualTo(2L * threads * calls);
        assertThat(summary.growth()).hasValue((long) threads * calls * MIB);
    }

    @Test
    void aScopeMayBeClosedByAnotherThreadAndTwice() throws Exception {
        ProfileScope scope = profiler.open("request");
        device.allocate(9 * MIB);
        Thread closing = Thread.ofPlatform().start(scope::close);
        closing.join();
        scope.close();
        profiler.profile("next", () -> 0);

        assertThat(profiler.results()).extracting(ProfileResult::name).containsExactly("request", "next");
        assertThat(profiler.results()).extracting(ProfileResult::depth).containsExactly(0, 0);
        assertThat(profiler.results().getFirst().growth()).hasValue(9 * MIB);
        assertThat(profiler.results().getFirst().thread())
                .isEqualTo(Thread.currentThread().getName());
    }

    @Test
    void scopesThatOverlapHaveTheirTruePeaksToo() {
        ProfileScope first = profiler.open("first");
        device.touch(40 * MIB);
        ProfileScope second = profiler.open("second");
        device.touch(10 * MIB);
        first.close();
        device.touch(60 * MIB);
        second.close();

        assertThat(profiler.results())
                .extracting(result -> result.peak().used() / MIB)
                .containsExactly(40L, 60L);
    }

    @Test
    void aSourceThatFailsHarmsNoCall() {
        device.isFailing = true;
        int value = profiler.profile("blind", () -> 42);
        device.isFailing = false;
        profiler.profile("seen", () -> keep(1));

        assertThat(value).isEqualTo(42);
        ProfileResult blind = profiler.results().getFirst();
        assertThat(blind.isMeasured()).isFalse();
        assertThat(blind.growth()).isEmpty();
        assertThat(blind.peak()).isEqualTo(new MemoryPeak(-1, -1, false));
        ProfileSummary summary = profiler.summary();
        assertThat(summary.calls().getLast().unmeasured()).isEqualTo(1);
        assertThat(summary.sourceFailures()).isEqualTo(2);
        assertThat(summary.lastFailure()).isEqualTo("java.io.IOException: the device is away");
        assertThat(profiler.calls()).extracting(ProfiledCall::function).containsExactly("seen");
    }

    @Test
    void aFunctionThatAnswersNonsenseIsAFailureOfTheSource() {
        GpuMemoryProfiler other = GpuMemoryProfiler.of(() -> MemoryCounters.allocated(-77));

        assertThat(other.profile("call", () -> 1)).isEqualTo(1);
        assertThat(other.summary().lastFailure()).contains("allocated is -77").contains("UNKNOWN");
    }

    @Test
    void scopesThatAreForgottenLeaveLaterCallsUnmeasuredAndUnharmed() {
        for (int i = 0; i < PeakWindows.MOST; i++) {
            profiler.open("forgotten");
        }
        assertThat(profiler.profile("late", () -> 5)).isEqualTo(5);

        assertThat(profiler.results().getFirst().isMeasured()).isFalse();
        assertThat(ProfileText.of(profiler.summary(), 100).getLast()).contains("more than 4096 were open");
    }

    @Test
    void clearingBeginsAnew() {
        profiler.profile("before", () -> keep(3));
        profiler.clear();
        profiler.profile("after", () -> keep(2));

        assertThat(profiler.results()).extracting(ProfileResult::name).containsExactly("after");
        assertThat(profiler.summary().growth()).hasValue(2 * MIB);
        assertThat(profiler.summary().calls()).hasSize(1);
    }

    @Test
    void resultsAreAlsoThoseOfTheAnalyzer() {
        device.allocate(100 * MIB);
        profiler.profile("leak", () -> {
            device.touch(30 * MIB);
            return keep(20);
        });

        ProfiledCall call = profiler.calls().getFirst();
        assertThat(call.function()).isEqualTo("leak");
        assertThat(call.before().allocated()).isEqualTo(100 * MIB);
        assertThat(call.after().allocated()).isEqualTo(120 * MIB);
        assertThat(call.peak().allocated()).isEqualTo(130 * MIB);
        assertThat(call.peak().mostReserved()).isEqualTo(140 * MIB);
        assertThat(call.allocated()).isEqualTo(20 * MIB);
        assertThat(call.difference()).isEqualTo(20 * MIB);
        assertThat(call.freed()).isZero();
        assertThat(call.after().time() - call.before().time()).isBetween(0.0, 10.0);
        assertThat(call.before().operation()).isEqualTo("before_leak");
    }

    @Test
    void ofWhatIsNotKnownNothingIsMadeUp() {
        GpuMemoryProfiler driver =
                GpuMemoryProfiler.of(() -> MemoryCounters.NONE.withDevice(MemoryCounters.UNKNOWN, 30 * MIB, 100 * MIB));
        driver.profile("call", () -> 1);

        ProfileResult result = driver.results().getFirst();
        assertThat(result.basis()).isEqualTo(Basis.DEVICE);
        assertThat(result.growth()).hasValue(0);
        assertThat(result.peak()).isEqualTo(new MemoryPeak(70 * MIB, MemoryCounters.UNKNOWN, false));
        assertThat(driver.calls().getFirst().before().reserved()).isEqualTo(70 * MIB);
    }

    @Test
    void theSummaryReadsAsATable() {
        for (int i = 0; i < 3; i++) {
            profiler.profile("embed", () -> keep(4));
        }
        assertThatThrownBy(() -> profiler.profile("de\u001bcode", () -> {
                    device.touch(64 * MIB);
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        List<String> lines = ProfileText.of(profiler.summary(), 90);

        assertThat(lines.getFirst())
                .startsWith("in use: 12.0 MiB, +12.0 MiB in ")
                .endsWith("by what is allocated");
        assertThat(lines).allMatch(line -> line.length() <= 90);
        assertThat(lines.get(3))
                .startsWith("   +4.00 MiB   +12.0 MiB     4.00 MiB          3")
                .endsWith("embed");
        assertThat(lines.get(4)).contains("64.0 MiB").endsWith("de\\u001bcode  (1 failed)");
    }

    @Test
    void aMonitorBesideProfiledCallsChangesNoPeak() {
        ProfileScope scope = profiler.open("long");
        device.touch(500 * MIB);
        try (MemoryMonitor monitor = profiler.monitor(Duration.ofHours(1))) {
            device.touch(20 * MIB);
            assertThat(monitor.samples()).hasSize(1);
        }
        scope.close();

        assertThat(profiler.results().getFirst().peak().used()).isEqualTo(500 * MIB);
    }

    private int keep(int mebibytes) {
        device.allocate(mebibytes * MIB);
        return mebibytes;
    }
}
