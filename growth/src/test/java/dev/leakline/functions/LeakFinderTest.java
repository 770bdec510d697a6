package dev.leakline.functions;

import static dev.leakline.functions.Job.MB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.leakline.functions.CallTimeline.Part;
import dev.leakline.functions.LeakFinder.Leak;
import dev.leakline.result.FunctionReport.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeakFinderTest {
    private static final int STEPS = 40;

    @Test
    void aTrainingLoopIsClean() {
        Job job = new Job(1000 * MB).call("load", 1400 * MB);
        for (int step = 0; step < STEPS; step++) {
            train(job, step, 0);
        }
        assertThat(leaks(job)).isEmpty();
    }

    @Test
    void whoKeepsIsNamedAmongThoseThatGiveBack() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            train(job, step, 0);
            job.call("log", 4 * MB);
        }
        assertThat(leaks(job)).singleElement().satisfies(leak -> {
            assertThat(leak.part()).isEqualTo(new Part("log", false));
            assertThat(leak.giver()).isNull();
            assertThat(leak.perRound()).isCloseTo(4.0 * MB, withPercentage(1));
            assertThat(leak.perSecond()).isPositive();
        });
    }

    @Test
    void whoTakesALittleMoreThanIsGivenBackIsNamed() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            train(job, step, 4 * MB);
        }
        assertThat(leaks(job)).singleElement().satisfies(leak -> {
            assertThat(leak.part()).isEqualTo(new Part("forward", false));
            assertThat(leak.giver()).isEqualTo(new Part("backward", false));
            assertThat(leak.perRound()).isCloseTo(4.0 * MB, withPercentage(1));
        });
    }

    @Test
    void growthBetweenCallsIsFound() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            train(job, step, 0);
            job.between(3 * MB);
        }
        assertThat(leaks(job)).singleElement().satisfies(leak -> {
            assertThat(leak.part()).isEqualTo(new Part("optimizer", true));
            assertThat(leak.perRound()).isCloseTo(3.0 * MB, withPercentage(1));
        });
    }

    @Test
    void whatIsDroppedBetweenCallsIsNoLeak() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("predict", 64 * MB, 300 * MB).between(-64 * MB);
        }
        assertThat(leaks(job)).isEmpty();
    }

    @Test
    void ofNestedCallsTheOneThatKeepsIsNamed() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("step", 0, 0, () -> {
                job.call("forward", 300 * MB);
                job.call("hook", 2 * MB);
                job.call("backward", -300 * MB);
            });
        }
        assertThat(leaks(job))
                .singleElement()
                .satisfies(leak -> assertThat(leak.part()).isEqualTo(new Part("hook", false)));
    }

    @Test
    void whatACallKeepsBesideTheCallsWithinItIsItsOwn() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("step", 2 * MB, 0, () -> job.call("forward", 300 * MB).call("backward", -300 * MB));
        }
        assertThat(leaks(job))
                .singleElement()
                .satisfies(leak -> assertThat(leak.part()).isEqualTo(new Part("step", false)));
    }

    /** Twelve layers a step: between two calls of one lies a twelfth of a step, or all of its end. */
    @Test
    void aFunctionThatIsCalledOftenInAStepIsNoStep() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            for (int layer = 0; layer < 12; layer++) {
                job.call("layer", 20 * MB);
            }
            job.call("backward", -240 * MB);
        }
        assertThat(leaks(job)).isEmpty();
    }

    @Test
    void aLeakAmongManyLayersIsFound() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            for (int layer = 0; layer < 12; layer++) {
                job.call("layer", 20 * MB);
            }
            job.call("backward", -240 * MB).call("log", 5 * MB);
        }
        assertThat(leaks(job))
                .singleElement()
                .satisfies(leak -> assertThat(leak.part()).isEqualTo(new Part("log", false)));
    }

    @Test
    void evaluationThatKeepsIsFoundOnceItIsOftenEnough() {
        assertThat(leaks(evaluating(5))).isEmpty();
        assertThat(leaks(evaluating(12)))
                .singleElement()
                .satisfies(leak -> assertThat(leak.part()).isEqualTo(new Part("evaluate", false)));
    }

    private static Job evaluating(int epochs) {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < 5 * epochs; step++) {
            train(job, step, 0);
            if (step % 5 == 4) {
                job.call("evaluate", 4 * MB, 500 * MB);
            }
        }
        return job;
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16})
    void aCacheThatIsFullIsNoLeak(int entries) {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < 10 * entries; step++) {
            job.call("lookup", step < entries ? 10 * MB : 0, 50 * MB);
        }
        assertThat(leaks(job)).isEmpty();
    }

    @Test
    void loadingLayerByLayerIsNoLeak() {
        Job job = new Job(0);
        for (int layer = 0; layer < 24; layer++) {
            job.call("load_layer", 100 * MB, 80 * MB);
        }
        for (int step = 0; step < STEPS; step++) {
            train(job, step, 0);
        }
        assertThat(leaks(job)).isEmpty();
        assertThat(finder(job).buildUps()).extracting(Rounds::function).containsExactly("load_layer");
    }

    @Test
    void trainingThatLeaksAndThenEndsIsNoLoading() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("step", 10 * MB, 500 * MB);
        }
        job.call("save", 0).call("save", 0).call("save", 0).call("save", 0);
        assertThat(leaks(job)).hasSize(1);
    }

    @Test
    void threeEvenAndSteepRoundsAreNamed() {
        Job job = new Job(500 * MB).call("step", 300 * MB).call("step", 300 * MB);
        assertThat(leaks(job)).isEmpty();
        job.call("step", 300 * MB);
        assertThat(leaks(job)).singleElement().satisfies(leak -> {
            assertThat(leak.isShort()).isTrue();
            assertThat(leak.bytes()).isEqualTo(900 * MB);
        });
    }

    @Test
    void aWarmUpIsNoShortLeak() {
        Job job = new Job(500 * MB)
                .call("step", 800 * MB)
                .call("step", 200 * MB)
                .call("step", 10 * MB)
                .call("step", 1 * MB);
        assertThat(leaks(job)).isEmpty();
    }

    @Test
    void smallGrowthInAFewRoundsSaysNothing() {
        Job job = new Job(5000 * MB);
        for (int step = 0; step < 5; step++) {
            job.call("step", 20 * MB);
        }
        assertThat(leaks(job)).isEmpty();
    }

    @Test
    void epochsOfStepsThatDoNotGrowAreNoShortLeak() {
        Job job = new Job(500 * MB);
        for (int epoch = 0; epoch < 3; epoch++) {
            job.between(200 * MB);
            job.call("epoch", 0, 0, () -> {
                for (int step = 0; step < STEPS; step++) {
                    train(job, step + 1, 0);
                }
            });
        }
        assertThat(leaks(job)).isEmpty();
    }

    @Test
    void eachDeviceIsJudgedAlone() {
        Job first = new Job(1000 * MB);
        Job second = new Job(9000 * MB).onDevice(1);
        for (int step = 0; step < STEPS; step++) {
            first.call("step", 2 * MB);
            second.call("step", 0);
        }
        List<dev.leakline.columns.ProfiledCall> calls = new java.util.ArrayList<>(first.calls());
        calls.addAll(second.calls());
        List<FoundPattern> found = new LeaklineRules(ThresholdSet.of(RuleSet.LEAKLINE, Map.of()))
                .judge(Profiled.of(calls))
                .found();
        assertThat(found)
                .singleElement()
                .satisfies(one -> assertThat(one.device()).isZero());
    }

    @Test
    void whatGrowsSeldomIsNoLeakWhereTheRatioSaysSo() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < 100; step++) {
            job.call("step", step % 10 == 0 ? 10 * MB : 0, 30 * MB);
        }
        assertThat(leaks(job)).hasSize(1);
        assertThat(new LeakFinder(timeline(job), ThresholdSet.of(RuleSet.LEAKLINE, Map.of("memory_leak_ratio", 0.5)))
                        .leaks())
                .isEmpty();
    }

    /** Batches of any size, of which each step gives back what it took: a hundred runs, and not one that is called a leak. */
    @Test
    void batchesOfAnySizeAreNoLeak() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Job job = new Job(1000 * MB);
            for (int step = 0; step < 60; step++) {
                long batch = (50 + random.nextInt(400)) * MB;
                job.call("forward", batch, batch / 4).call("backward", -batch, batch / 2);
            }
            assertThat(leaks(job)).as("seed %d", seed).isEmpty();
        }
    }

    /** The same with a leak of a hundredth of a batch, which is blamed on the one who has it; once in fifty it may as well have ended. */
    @Test
    void aLeakAmongBatchesOfAnySizeIsFound() {
        List<String> found = new ArrayList<>();
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Job job = new Job(1000 * MB);
            for (int step = 0; step < 60; step++) {
                long batch = (50 + random.nextInt(400)) * MB;
                job.call("forward", batch, batch / 4).call("backward", -batch, batch / 2);
                job.call("log", random.nextInt(4) * MB);
            }
            leaks(job).forEach(leak -> found.add(leak.part().function()));
        }
        assertThat(found).hasSizeBetween(98, 100).containsOnly("log");
    }

    /** Its steep beginning is no warm-up, behind which a line goes on. */
    @Test
    void whatGrowsEverMoreSlowly_isNoLeak() {
        Job job = new Job(4000 * MB);
        for (int step = 1; step <= 300; step++) {
            job.call("train_step", Math.round(150 * MB * Math.log(1 + 1.0 / step)));
        }
        assertThat(leaks(job)).isEmpty();
    }

    private static void train(Job job, int step, long kept) {
        job.call("data", 48 * MB);
        job.call("forward", 900 * MB + kept, 120 * MB);
        job.call("backward", step == 0 ? -400 * MB : -900 * MB, 300 * MB);
        job.call("optimizer", step == 0 ? 2800 * MB - 48 * MB : -48 * MB);
    }

    private static List<Leak> leaks(Job job) {
        return finder(job).leaks();
    }

    private static LeakFinder finder(Job job) {
        return new LeakFinder(timeline(job), ThresholdSet.of(RuleSet.LEAKLINE, Map.of()));
    }

    private static CallTimeline timeline(Job job) {
        return new CallTimeline(CallTimeline.inOrder(job.calls()));
    }
}
