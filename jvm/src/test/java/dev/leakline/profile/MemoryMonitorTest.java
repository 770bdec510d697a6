package dev.leakline.profile;

import static dev.leakline.profile.SimulatedDevice.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.profile.SimulatedDevice.Kind;
import dev.leakline.result.AnalysisResult;
import dev.leakline.testkit.Thoroughness;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemoryMonitorTest {
    private static final Duration OFTEN = Duration.ofMillis(1);
    private static final Duration NEVER = Duration.ofHours(1);

    private final SimulatedDevice device = new SimulatedDevice();

    @Test
    void memoryThatStaysTheSameIsSampledToo() {
        device.allocate(77 * MIB);
        try (MemoryMonitor monitor = MemoryMonitor.start(device, OFTEN)) {
            await(() -> monitor.samples().size() >= 20);
            assertThat(monitor.samples())
                    .allMatch(sample -> sample.counters().allocated() == 77 * MIB)
                    .allMatch(sample -> sample.peak().equals(new MemoryPeak(77 * MIB, 80 * MIB, true)))
                    .isSortedAccordingTo((a, b) -> Long.compare(a.timeMicros(), b.timeMicros()));
        }
    }

    @Test
    void whatComesAndGoesBetweenTwoSamplesIsInThePeak() {
        MemoryMonitor monitor = MemoryMonitor.start(device, NEVER);
        device.touch(300 * MIB);
        monitor.close();

        assertThat(monitor.samples()).hasSize(2);
        assertThat(monitor.samples().getLast().counters().allocated()).isZero();
        assertThat(monitor.samples().getLast().peak()).isEqualTo(new MemoryPeak(300 * MIB, 300 * MIB, true));
    }

    @Test
    void whereNobodyCountsPeaksOnlyWhatIsSeenIsSaid() {
        SimulatedDevice blind = new SimulatedDevice(Kind.COUNTS_NO_PEAKS);
        MemoryMonitor monitor = MemoryMonitor.start(blind, NEVER);
        blind.touch(300 * MIB);
        monitor.close();

        assertThat(monitor.samples().getLast().peak()).isEqualTo(new MemoryPeak(0, -1, false));
    }

    @Test
    void growthIsJudgedWhileItGoesOn() {
        AnalysisResult leak = MonitoredMemory.judge(samples(second -> 500 + 2 * second), 1);
        assertThat(leak.verdict()).isEqualTo(AnalysisResult.Verdict.LEAK);
        assertThat(leak.reason()).startsWith("allocated memory grows by 2.00 MiB per second");
        assertThat(leak.findings().getFirst().device()).isEqualTo(1);
        assertThat(leak.findings().getFirst().secondsToOom()).isEqualTo(655.0);
        assertThat(MonitoredMemory.judge(samples(_ -> 500), 0).verdict()).isEqualTo(AnalysisResult.Verdict.NO_LEAK);
    }

    @Test
    void ofTooFewSamplesNothingIsSaid() {
        try (MemoryMonitor monitor = MemoryMonitor.start(device, NEVER)) {
            assertThat(monitor.judge().verdict()).isEqualTo(AnalysisResult.Verdict.UNDETERMINED);
        }
    }

    /** Two minutes of a device of 2 GiB, in mebibytes at each second. */
    private static List<MemorySample> samples(IntToLongFunction mebibytes) {
        return IntStream.range(0, 120)
                .mapToObj(second -> {
                    long bytes = mebibytes.applyAsLong(second) * MIB;
                    MemoryCounters counters = MemoryCounters.allocated(bytes)
                            .withDevice(MemoryCounters.UNKNOWN, 2048 * MIB - bytes, 2048 * MIB);
                    return new MemorySample(
                            1_790_000_000_000_000L + second * 1_000_000L,
                            Basis.ALLOCATED,
                            counters,
                            new MemoryPeak(bytes, MemoryCounters.UNKNOWN, true),
                            1);
                })
                .toList();
    }

    @Test
    void aFailingSourceLeavesAGapAndNoPeakIsLost() {
        try (MemoryMonitor monitor = MemoryMonitor.start(device, OFTEN)) {
            await(() -> monitor.samples().size() >= 3);
            device.isFailing = true;
            device.touch(200 * MIB);
            await(() -> monitor.failures() >= 5);
            device.isFailing = false;
            int samples = monitor.samples().size();
            await(() -> monitor.samples().size() > samples);

            assertThat(monitor.lastFailure()).isEqualTo("java.io.IOException: the device is away");
            assertThat(monitor.samples().stream()
                            .mapToLong(sample -> sample.peak().used())
                            .max())
                    .hasValue(200 * MIB);
        }
    }

    @Test
    void aSourceThatFailsFromTheBeginningIsSampledOnceItDoesNot() {
        device.isFailing = true;
        try (MemoryMonitor monitor = MemoryMonitor.start(device, OFTEN)) {
            await(() -> monitor.failures() >= 3);
            assertThat(monitor.samples()).isEmpty();
            device.allocate(MIB);
            device.isFailing = false;
            await(() -> monitor.samples().size() >= 2);
            assertThat(monitor.samples().getLast().peak()).isEqualTo(new MemoryPeak(MIB, 20 * MIB, true));
        }
    }

    @Test
    void closingStopsIt() throws Exception {
        MemoryMonitor monitor = MemoryMonitor.start(device, OFTEN);
        monitor.close();
        int readings = device.readings;
        TimeUnit.MILLISECONDS.sleep(20);

        assertThat(device.readings).isEqualTo(readings);
    }

    @Test
    void closingDoesNotWaitForASourceThatHangs() {
        CountDownLatch answer = new CountDownLatch(1);
        int[] readings = {0};
        MemoryMonitor monitor = MemoryMonitor.start(
                () -> {
                    if (readings[0]++ > 0) {
                        uninterrupted(answer);
                    }
                    return MemoryCounters.allocated(1);
                },
                OFTEN);
        await(() -> readings[0] > 1);
        monitor.close();
        answer.countDown();

        assertThat(monitor.samples()).hasSizeGreaterThanOrEqualTo(1);
    }

    @Test
    void longTimesAreKeptInBoundedRoomAndNoPeakIsLost() {
        int most = 64;
        SampleSeries series = new SampleSeries(most);
        for (int i = 0; i < 100_000; i++) {
            long peak = i == 31_337 ? 999 : i % 7;
            series.add(sample(i, peak));
            if (i % 997 == 0) {
                assertSound(series.samples(), i, most);
            }
        }
        List<MemorySample> samples = series.samples();
        assertSound(samples, 99_999, most);
        assertThat(samples.stream().filter(sample -> sample.peak().used() == 999))
                .hasSize(1);
        assertThat(samples).hasSizeGreaterThan(most / 2 - 1);
    }

    private static void assertSound(List<MemorySample> samples, long last, int most) {
        assertThat(samples).hasSizeLessThanOrEqualTo(most);
        assertThat(samples.getLast().timeMicros()).isEqualTo(last);
        assertThat(samples.stream().mapToLong(MemorySample::readings).sum()).isEqualTo(last + 1);
        assertThat(samples).isSortedAccordingTo((a, b) -> Long.compare(a.timeMicros(), b.timeMicros()));
    }

    private static MemorySample sample(long time, long peak) {
        return new MemorySample(time, Basis.ALLOCATED, MemoryCounters.allocated(0), new MemoryPeak(peak, -1, true), 1);
    }

    @Test
    void anIntervalOfNothingIsRefused() {
        assertThatThrownBy(() -> MemoryMonitor.start(device, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("positive duration");
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Thoroughness.HANGS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
