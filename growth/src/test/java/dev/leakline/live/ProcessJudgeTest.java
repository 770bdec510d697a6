package dev.leakline.live;

import static dev.leakline.live.Simulated.GIB;
import static dev.leakline.live.Simulated.alerts;
import static dev.leakline.live.Simulated.bytes;
import static dev.leakline.live.Simulated.device;
import static dev.leakline.live.Simulated.events;
import static dev.leakline.live.Simulated.host;
import static dev.leakline.live.Simulated.last;
import static dev.leakline.live.Simulated.noise;
import static dev.leakline.live.Simulated.used;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.leakline.columns.ProcessSample;
import dev.leakline.live.Simulated.Figure;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.result.WatchEvent.Resource;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.result.WatchEvent.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProcessJudgeTest {
    private static final int SAMPLES = 1500;
    private static final double SECONDS = 5;

    @Test
    void growthIsOneAlertWithItsRateAndWhenTheDeviceIsFull() {
        Figure noise = noise(1, 0.1);
        List<ProcessSample> samples = used(SAMPLES, SECONDS, i -> 8 + 0.005 * i + noise.at(i));
        WatchEvent last = last(samples);
        assertThat(alerts(samples)).isOne();
        assertThat(last.state()).isEqualTo(State.FIRING);
        assertThat(last.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(last.resource()).isEqualTo(Resource.DEVICE);
        assertThat(last.bytesPerHour()).isCloseTo(0.001 * 3600 * GIB, withinPercentage(5));
        assertThat(last.fullAt()).isNotNull();
        assertThat(last.fullAt().estimate() - 1000).isCloseTo(32 / 0.001, withinPercentage(5));
        assertThat(last.reason()).startsWith("used GPU memory has grown by 3.");
    }

    @Test
    void whatOnlyLooksLikeGrowthIsNoAlert() {
        Figure noise = noise(2, 0.05);
        assertQuiet(i -> 8);
        assertQuiet(i -> 8 + noise.at(i));
        assertQuiet(i -> 8 + 10 * (1 - Math.exp(-i / 100.0)) + noise.at(i)); // a warm-up
        assertQuiet(i -> 8 + 3 * (i % 90) / 90.0 + noise.at(i)); // collections of garbage
        assertQuiet(i -> i < 600 ? 8 : 14 + noise.at(i)); // one jump
        assertQuiet(i -> i < 500 ? 8 : i < 900 ? 12 + noise.at(i) : 15); // two
        assertQuiet(i -> 8 + (i / 120 % 3 == 2 ? 6 : 0) + noise.at(i)); // phases
    }

    /** The floor between inputs stays where it is, however large they get. */
    @Test
    void inputsThatGrowAreNoAlert() {
        Random random = new Random(3);
        assertQuiet(i -> 8 + 10 * Math.min(1, 0.15 + i / 1000.0) * random.nextDouble());
    }

    private static void assertQuiet(Figure figure) {
        List<ProcessSample> samples = used(SAMPLES, SECONDS, figure);
        assertThat(alerts(samples)).isZero();
        assertThat(last(samples).verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(last(samples).fullAt()).isNull();
    }

    @Test
    void fewSamplesTellNothing() {
        WatchEvent last = last(used(40, SECONDS, i -> 8 + 0.1 * i));
        assertThat(last.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(last.state()).isEqualTo(State.OK);
    }

    /** It rises by some deviations of its noise, for too short a time for an alert; no level is seen. */
    @Test
    void whatRisesToTheLastSampleIsNoLevel() {
        int rises = 0;
        for (int seed = 0; seed < 20; seed++) {
            Figure noise = noise(seed, 0.05);
            WatchEvent rising = last(used(128, SECONDS, i -> 8 + 0.0015 * i + noise.at(i)));
            rises += rising.verdict() == Verdict.NO_LEAK ? 0 : 1;
            assertThat(rising.state()).isNotEqualTo(State.FIRING);
            assertThat(last(used(128, SECONDS, i -> 8 + noise.at(i))).verdict()).isEqualTo(Verdict.NO_LEAK);
        }
        assertThat(rises).as("of 20").isGreaterThan(14);
    }

    /** It rises in its last fifth only, and no window of it is long enough for an alert: no level is shown. */
    @Test
    void whatBeginsToRiseLateIsNotAcquitted() {
        Figure noise = noise(7, 0.02);
        WatchEvent last = last(used(400, SECONDS, i -> 8 + 0.003 * Math.max(0, i - 300) + noise.at(i)));
        assertThat(last.state()).isNotEqualTo(State.FIRING);
        assertThat(last.verdict()).isNotEqualTo(Verdict.NO_LEAK);
    }

    /** A quarter of an hour must have been seen of it; until then it is told, and wakes nobody. */
    @Test
    void growthIsPendingBeforeItIsAnAlert() {
        List<WatchEvent> events = events(used(SAMPLES, SECONDS, i -> 8 + 0.005 * i));
        assertThat(events.stream().map(WatchEvent::state).distinct())
                .containsExactly(State.OK, State.GROWING, State.FIRING);
        assertThat(events.getLast().state()).isEqualTo(State.FIRING);
        assertThat(events.stream()
                        .filter(event -> event.state() == State.FIRING)
                        .findFirst())
                .hasValueSatisfying(event -> assertThat(event.t() - 1000).isBetween(900.0, 1100.0));
    }

    /** An allocator takes 20 MiB at a time for what is kept at a rate that varies by some percent, as a machine is busy: each short window bends. */
    @Test
    void aSlightBendIsNoLevel() {
        double segment = 20.0 / 1024;
        List<ProcessSample> samples =
                used(1500, 1, i -> 0.5 + Math.floor(0.00136 * (i + 10 * Math.sin(i / 130.0)) / segment) * segment);
        assertThat(alerts(samples)).isOne();
        assertThat(last(samples).state()).isEqualTo(State.FIRING);
        assertThat(events(samples).stream()
                        .filter(event -> event.state() == State.FIRING)
                        .findFirst())
                .hasValueSatisfying(event -> assertThat(event.t() - 1000).isBetween(900.0, 1100.0));
    }

    @Test
    void growthThatStopsIsResolvedAndNoLeak() {
        Figure noise = noise(4, 0.05);
        List<ProcessSample> samples = used(SAMPLES, SECONDS, i -> 8 + 0.01 * Math.min(i, 500) + noise.at(i));
        assertThat(alerts(samples)).isOne();
        assertThat(last(samples).state()).isEqualTo(State.RESOLVED);
        assertThat(last(samples).verdict()).isEqualTo(Verdict.NO_LEAK);
    }

    @Test
    void aProcessThatBeginsAnewAndLeaksAgainIsALeakAgain() {
        Figure noise = noise(5, 0.05);
        List<ProcessSample> samples = used(SAMPLES, SECONDS, i -> 8 + 0.01 * (i % 700) + noise.at(i));
        assertThat(alerts(samples)).isEqualTo(2);
        assertThat(last(used(1300, SECONDS, i -> 8 + 0.01 * (i % 700) + noise.at(i)))
                        .verdict())
                .isEqualTo(Verdict.LEAK);
    }

    /** What needs a little longer to do harm is told a little later: 10 GiB that double within 28 to 57 hours. */
    @Test
    void anAlertIsLaterTheSlowerItGrows() {
        double before = 0;
        for (double rate = 6; rate >= 3; rate -= 0.1) {
            double perSample = rate / 2 / 1024;
            double alert = events(used(3000, 30, i -> 10 + perSample * i)).stream()
                    .filter(event -> event.state() == State.FIRING)
                    .mapToDouble(event -> event.t() - 1000)
                    .min()
                    .orElseThrow();
            assertThat(alert).as("%.1f MiB a minute", rate).isGreaterThanOrEqualTo(before);
            assertThat(alert).isLessThan(before == 0 ? 3 * 3600 : before + 3600);
            before = alert;
        }
    }

    /** Half a day's wave rises for twelve hours, and would fill the device within five days. */
    @Test
    void theDaysWaveIsNoAlert() {
        Figure noise = noise(6, 0.1);
        List<ProcessSample> samples =
                used(8640, 30, i -> 15 + 1.5 - 1.5 * Math.cos(2 * Math.PI * (30.0 * i + 7000) / 86_400) + noise.at(i));
        assertThat(alerts(samples)).isZero();
    }

    @Test
    void gapsAndJumpsOfTheClockAreNeitherGrowthNorRest() {
        for (double jump : new double[] {5400, -240}) {
            List<ProcessSample> samples = new ArrayList<>();
            for (int i = 0; i < SAMPLES; i++) {
                boolean isMissed = i % 7 == 3 || (i > 500 && i < 700);
                if (!isMissed) {
                    samples.add(device(i * SECONDS + (i < 900 ? 0 : jump), -1, -1, bytes(8 + 0.005 * i)));
                    samples.add(samples.getLast());
                }
            }
            WatchEvent last = last(samples);
            assertThat(alerts(samples)).isOne();
            assertThat(last.bytesPerHour()).isCloseTo(0.001 * 3600 * GIB, withinPercentage(10));
        }
    }

    @Test
    void whatTensorsHoldSpeaksBeforeWhatIsReserved() {
        Figure noise = noise(7, 0.02);
        List<ProcessSample> cache = IntStream.range(0, SAMPLES)
                .mapToObj(
                        i -> device(i * SECONDS, bytes(6 + noise.at(i)), bytes(8 + 0.002 * i), bytes(8.5 + 0.002 * i)))
                .toList();
        assertThat(alerts(cache)).isZero();
        List<ProcessSample> fragments = IntStream.range(0, SAMPLES)
                .mapToObj(i -> device(i * SECONDS, bytes(6 + noise.at(i)), bytes(8 + 0.02 * i), bytes(8.5 + 0.02 * i)))
                .toList();
        assertThat(last(fragments).verdict()).isEqualTo(Verdict.FRAGMENTATION);
    }

    /** What is allocated in a pool of fixed size rises and falls within it, and takes memory from nobody. */
    @Test
    void whatFillsReservedMemoryIsNoAlert() {
        Figure noise = noise(10, 0.05);
        List<ProcessSample> pool = IntStream.range(0, SAMPLES)
                .mapToObj(
                        i -> device(i * SECONDS, bytes(4 + 24 * (i % 700) / 700.0 + noise.at(i)), bytes(32), bytes(33)))
                .toList();
        assertThat(alerts(pool)).isZero();
    }

    /** An epoch's growth eases off, and its evaluation adds to that: the step makes it look straight. */
    @Test
    void growthThatSlowedBeforeAStepIsNoAlert() {
        Figure noise = noise(11, 0.02);
        assertThat(alerts(used(SAMPLES, SECONDS, i -> {
                    double part = i % 264 / 264.0;
                    return 8 + 3 * (part < 0.82 ? Math.sqrt(part / 0.82) : 1.35) + noise.at(i);
                })))
                .isZero();
    }

    /** Where a wave hides a leak for a while, the rate of all of it, rests included, says whether it has stopped. */
    @Test
    void aLeakUnderWavesIsOneAlert() {
        for (double period : new double[] {400, 800, 1600}) {
            Figure noise = noise(13, 0.05);
            List<ProcessSample> samples =
                    used(6000, SECONDS, i -> 8 + 0.002 * i + 0.6 * Math.sin(2 * Math.PI * i / period) + noise.at(i));
            assertThat(alerts(samples)).as("period %s", period).isOne();
            assertThat(last(samples).verdict()).isEqualTo(Verdict.LEAK);
        }
    }

    /** What is kept of each request grows with the day's load, and rests at night: for more than six hours here, at the end. */
    @Test
    void aLeakThatRestsAtNightIsStillALeak() {
        Figure noise = noise(14, 0.02);
        double day = 2 * Math.PI / 86_400;
        List<ProcessSample> samples = used(
                3000, 40, i -> 10 + 2 * (40.0 * i / 86_400 - Math.sin(day * 40 * i) / (2 * Math.PI)) + noise.at(i));
        assertThat(alerts(samples)).isOne();
        for (int end = 2000; end <= samples.size(); end += 100) {
            assertThat(last(samples.subList(0, end)).verdict())
                    .as("%s samples", end)
                    .isEqualTo(Verdict.LEAK);
        }
    }

    /** An alert whose growth may have ended is not taken back at once, and is no longer said to be a leak. */
    @Test
    void anAlertIsDoubtedBeforeItIsTakenBack() {
        Figure noise = noise(15, 0.5);
        List<ProcessSample> samples = used(SAMPLES, SECONDS, i -> 8 + 0.01 * Math.min(i, 800) + noise.at(i));
        List<Verdict> said = IntStream.iterate(800, end -> end <= SAMPLES, end -> end + 50)
                .mapToObj(end -> last(samples.subList(0, end)))
                .filter(event -> event.state() == State.FIRING)
                .map(WatchEvent::verdict)
                .distinct()
                .toList();
        assertThat(said).containsExactly(Verdict.LEAK, Verdict.UNDETERMINED);
        assertThat(alerts(samples)).isOne();
        assertThat(last(samples).verdict()).isEqualTo(Verdict.NO_LEAK);
    }

    /** Days of noise, of a queue whose length is alike for minutes or hours, and of a walk between bounds. */
    @Test
    void noiseIsNoAlert() {
        for (double alike : new double[] {0, 0.9, 0.99, 0.999}) {
            for (int seed = 0; seed < 5; seed++) {
                Random random = new Random(seed);
                double[] queue = new double[1];
                double deviation = 0.2 * Math.sqrt(1 - alike * alike);
                List<ProcessSample> samples = used(2 * 86_400 / 30, 30, _ -> {
                    queue[0] = alike * queue[0] + deviation * random.nextGaussian();
                    return 20 + queue[0];
                });
                assertThat(alerts(samples))
                        .as("alike by %s, seed %s", alike, seed)
                        .isZero();
            }
        }
    }

    @Test
    void hostMemoryOfChildrenCounts() {
        List<ProcessSample> samples = IntStream.range(0, SAMPLES)
                .mapToObj(i -> host(i * SECONDS, bytes(1), bytes(2 + 0.002 * i)))
                .toList();
        WatchEvent last = last(samples);
        assertThat(last.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(last.resource()).isEqualTo(Resource.HOST);
    }

    /** What was said before a moment is the same whether or not more samples follow. */
    @Test
    void eventsRestOnSamplesUpToTheirOwnTime() {
        Figure noise = noise(8, 0.3);
        List<ProcessSample> samples = used(SAMPLES, SECONDS, i -> 8 + 0.004 * Math.max(0, i - 400) + noise.at(i));
        List<WatchEvent> all = events(samples);
        for (int cut = 100; cut < SAMPLES; cut += 230) {
            List<WatchEvent> some = events(samples.subList(0, cut));
            assertThat(all).startsWith(some.subList(0, some.size() - 1).toArray(WatchEvent[]::new));
        }
    }

    /** Of 200 devices that fill up, by steps that vary as requests do, the intervals hold about nine of ten. */
    @Test
    void intervalsHoldWhatTheySay() {
        int held = 0;
        int given = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            double[] kept = new double[4000];
            for (int i = 1; i < kept.length; i++) {
                kept[i] = kept[i - 1] + (random.nextDouble() < 0.3 ? -Math.log(random.nextDouble()) * 0.05 : 0);
            }
            Figure noise = noise(seed, 0.2);
            int full = 0;
            double[] figure = new double[kept.length];
            for (int i = 0; i < kept.length; i++) {
                figure[i] = 8 + kept[i] + noise.at(i);
                full = full == 0 && figure[i] >= 40 ? i : full;
            }
            FullAt said = last(used(800 + 4 * seed, SECONDS, i -> figure[i])).fullAt();
            double truth = 1000 + full * SECONDS;
            given += said != null ? 1 : 0;
            held += said != null && said.low() - SECONDS <= truth && truth <= said.high() + SECONDS ? 1 : 0;
        }
        assertThat(given).isGreaterThan(195);
        assertThat((double) held / given).isBetween(0.83, 0.97);
    }

    /** However long it goes on, memory and time per sample stay the same. */
    @Test
    void aWeekOfSecondsIsJudgedInSeconds() {
        Figure noise = noise(9, 0.1);
        ProcessJudge judge = new ProcessJudge();
        long begin = System.nanoTime();
        for (int i = 0; i < 7 * 86_400; i++) {
            judge.add(device(i, -1, -1, bytes(8 + noise.at(i))));
        }
        assertThat(judge.now().verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat((System.nanoTime() - begin) / 1e9).isLessThan(30);
    }
}
