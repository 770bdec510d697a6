package dev.leakline.functions;

import static dev.leakline.functions.Job.MB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.functions.Rules.Judged;
import dev.leakline.functions.gpumemprof.ParityCases;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.MemoryPattern.Kind;
import dev.leakline.result.FunctionReport.RuleSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaklineRulesTest {
    private static final LeaklineRules RULES = new LeaklineRules(ThresholdSet.of(RuleSet.LEAKLINE, Map.of()));
    private static final int STEPS = 40;

    /** What gpumemprof calls a leak, slow, fragmented or small, and what is a warm-up, a cache, a loop or a byte. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "c14_leak_ratio_exact_10pct",
                "c15_leak_ratio_11pct",
                "c16_leak_mostly_freeing",
                "c17_leak_freed_elsewhere",
                "c20_plateau",
                "c21_plateau_late",
                "c22_sawtooth_two_functions",
                "c23_sawtooth_one_function",
                "c25_constant_no_change",
                "c31_two_positive_allocations",
                "c35_repeated_zero",
                "c38_fragmentation_warning",
                "c39_fragmentation_critical",
                "c40_fragmentation_boundary",
                "c41_fragmentation_mixed",
                "c43_noisy_trend_up",
                "c44_noisy_flat",
                "c45_trend_down",
                "c48_identical_timestamps",
                "c49_zero_times",
                "c50_zero_times_two_calls",
                "c51_slow_functions",
                "c52_two_functions_nearly_equal",
                "c57_training_loop"
            })
    void healthyLoopsAreClean(String id) throws IOException {
        Judged judged = judge(id);
        assertThat(patterns(judged)).isEmpty();
        assertThat(judged.insights()).isEmpty();
        assertThat(judged.score().points()).isEqualTo(100);
        assertThat(judged.score().grade()).isEqualTo("A");
    }

    @ParameterizedTest
    @ValueSource(strings = {"c01_empty", "c02_single_call", "c03_two_calls"})
    void tooFewCallsHaveNoGrade(String id) throws IOException {
        Judged judged = judge(id);
        assertThat(judged.score().points()).isNull();
        assertThat(judged.score().grade()).isEqualTo("none");
        assertThat(patterns(judged)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "c04_three_calls | step",
                "c05_four_results | step",
                "c06_five_results | step",
                "c07_leak_90MiB | step",
                "c08_leak_exact_100MiB | step",
                "c09_leak_100MiB_plus_1 | step",
                "c10_leak_500MiB | step",
                "c11_leak_exact_1GiB | step",
                "c12_leak_1GiB_plus_1 | step",
                "c13_leak_20GiB | step",
                "c18_leak_between_calls | step",
                "c19_two_leaks | log_loss,cache_put",
                "c24_sawtooth_rising | alloc",
                "c26_constant_growth | step",
                "c27_one_spike | step",
                "c28_four_spikes | step",
                "c29_five_spikes | step",
                "c30_spike_zero_iqr | step",
                "c33_spikes_by_function | small_b,small_a,big",
                "c34_repeated_small | step",
                "c46_trend_slow | poll",
                "c47_unsorted_timestamps | step",
                "c54_correlation_positive | op",
                "c55_correlation_negative | op",
                "c56_nine_results_correlated | op",
                "c58_failed_calls | flaky"
            })
    void whatGrowsRoundAfterRoundIsALeak(String id, String functions) throws IOException {
        assertThat(patterns(judge(id)))
                .filteredOn(pattern -> pattern.kind() == Kind.MEMORY_LEAK)
                .flatExtracting(MemoryPattern::functions)
                .containsExactly(functions.split(",", -1));
    }

    @Test
    void everyOneOfTwelveLeaksIsNamedAndWhatIsGivenBackIsNot() throws IOException {
        Judged judged = judge("c60_everything");
        assertThat(patterns(judged)).hasSize(12).allSatisfy(pattern -> {
            assertThat(pattern.kind()).isEqualTo(Kind.MEMORY_LEAK);
            assertThat(pattern.functions().getFirst()).startsWith("leak");
        });
        assertThat(judged.score().points()).as("one kind of trouble").isEqualTo(55);
    }

    @Test
    void aLeakIsNoTrendBesides() throws IOException {
        assertThat(judge("c13_leak_20GiB").insights()).isEmpty();
    }

    @Test
    void aSpikeIsOneOfItsFunctionAndOfTheJob() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("small", 0, 10 * MB).call("large", 0, step == 25 ? 900 * MB : 300 * MB);
        }
        assertThat(patterns(job)).singleElement().satisfies(pattern -> {
            assertThat(pattern.kind()).isEqualTo(Kind.MEMORY_SPIKES);
            assertThat(pattern.severity()).isEqualTo(Severity.WARNING);
            assertThat(pattern.functions()).containsExactly("large");
            assertThat(pattern.metrics()).containsEntry("max_allocation", 900 * MB);
        });
    }

    @Test
    void aWarmUpIsNoSpikeAndNeitherIsALittleMore() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("step", 0, step == 0 ? 2000 * MB : step == 20 ? 340 * MB : 300 * MB);
        }
        assertThat(patterns(job)).isEmpty();
    }

    @Test
    void whatIsFreeInPiecesIsFragmentationAndACacheIsNot() {
        Job cache = new Job(1000 * MB);
        Job pieces = new Job(1000 * MB).inPieces(1500 * MB);
        for (int step = 0; step < STEPS; step++) {
            cache.call("step", 0, step == 0 ? 3000 * MB : 100 * MB);
            pieces.call("step", 0, 100 * MB);
        }
        assertThat(patterns(cache)).isEmpty();
        assertThat(patterns(pieces)).singleElement().satisfies(pattern -> {
            assertThat(pattern.kind()).isEqualTo(Kind.FRAGMENTATION);
            assertThat(pattern.severity()).isEqualTo(Severity.CRITICAL);
        });
    }

    @Test
    void holesThatThePeakFillsAreNoFragmentation() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("forward", 1500 * MB).call("backward", -1500 * MB, 50 * MB);
            job.inPieces(0);
        }
        Job between = new Job(1000 * MB).inPieces(0);
        assertThat(patterns(job)).isEmpty();
        assertThat(patterns(between)).isEmpty();
    }

    @Test
    void twoCopiesAtThePeakAreWaste() {
        Job job = new Job(0);
        for (int load = 0; load < 4; load++) {
            job.call("load", 2000 * MB, 6000 * MB).call("unload", -2000 * MB);
        }
        assertThat(patterns(job)).singleElement().satisfies(pattern -> {
            assertThat(pattern.kind()).isEqualTo(Kind.INEFFICIENT_ALLOCATION);
            assertThat(pattern.functions()).containsExactly("load");
        });
    }

    @Test
    void workThatKeepsLittleIsNoWaste() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("predict", 2 * MB, 600 * MB).call("drop", -2 * MB);
        }
        assertThat(patterns(job)).isEmpty();
    }

    @Test
    void aCacheThatIsEmptiedInEachStepIsRepeatedAllocation() {
        Job emptied = new Job(1000 * MB);
        Job kept = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            emptied.call("step", 0, 300 * MB).emptyCache();
            kept.call("step", 0, 300 * MB);
        }
        assertThat(patterns(kept)).isEmpty();
        assertThat(patterns(emptied)).singleElement().satisfies(pattern -> {
            assertThat(pattern.kind()).isEqualTo(Kind.REPEATED_ALLOCATIONS);
            assertThat(pattern.severity()).isEqualTo(Severity.INFO);
        });
    }

    @Test
    void timesMatterWhereTheyStandOutAndTakeMuch() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            for (int function = 0; function < 10; function++) {
                job.taking(0.001 * (function + 1)).call("op" + function, 0);
            }
            job.taking(0.5).call("wait", 0);
        }
        assertThat(judge(job).insights())
                .singleElement()
                .satisfies(insight -> assertThat(insight.data()).containsEntry("slow_functions", List.of("wait")));
    }

    @Test
    void timesOfMicrosecondsSayNothing() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.taking(step % 3 == 0 ? 30e-6 : 2e-6).call("noop", 0);
        }
        assertThat(judge(job).insights()).isEmpty();
    }

    @Test
    void memoryThatOneFunctionNeedsWhileItRunsIsNamed() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("attention", 0, 4000 * MB).call("rest", 0, 100 * MB);
        }
        assertThat(judge(job).insights()).singleElement().satisfies(insight -> {
            assertThat(insight.title()).isEqualTo(Insights.INTENSIVE);
            assertThat(insight.data()).containsEntry("memory_intensive_functions", List.of("attention"));
        });
    }

    /** A level that wanders, each step from where the last one ended: of a hundred, no more than a few seem to have a trend. */
    @Test
    void whatWandersIsRarelyATrend() {
        int trends = 0;
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Job job = new Job(4000 * MB);
            for (int step = 0; step < 60; step++) {
                job.call("step", (random.nextInt(41) - 20) * MB);
            }
            trends += judge(job).insights().stream().map(Insight::title).anyMatch(Insights.TREND::equals) ? 1 : 0;
        }
        assertThat(trends).isLessThan(5);
    }

    @Test
    void asTroubleOfAKindCountsOnceNoScoreIsLostToMany() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            for (int function = 0; function < 30; function++) {
                job.call("leak" + function, MB);
            }
        }
        assertThat(patterns(job)).hasSizeGreaterThan(20);
        assertThat(judge(job).score().points()).isEqualTo(75);
    }

    /** The same numbers as those of a figure get the same answer: noise of 200 MiB hides no leak of 4 MiB a round, of which 960 come. */
    @Test
    void aLeakBeneathNoiseIsFound() {
        Random random = new Random(1);
        Job job = noisy(240, () -> 200 * random.nextGaussian(), 4);
        assertThat(patterns(job)).extracting(MemoryPattern::kind).containsExactly(Kind.MEMORY_LEAK);
    }

    @Test
    void roundsThatVaryTooMuchAreLeftOpen() {
        Random random = new Random(1);
        assertThat(judge(noisy(12, () -> 3_000 * random.nextGaussian(), 0)).isOpen())
                .isTrue();
        assertThat(judge(noisy(240, () -> 20 * random.nextGaussian(), 0)).isOpen())
                .isFalse();
    }

    private static Job noisy(int rounds, DoubleSupplier noise, double leak) {
        Job job = new Job(10_000 * MB);
        double level = 0;
        for (int round = 0; round < rounds; round++) {
            double next = noise.getAsDouble() + leak * round;
            job.call("train_step", Math.round((next - level) * MB));
            level = next;
        }
        return job;
    }

    private static Judged judge(String id) throws IOException {
        return RULES.judge(
                Profiled.of(new ArrayList<>(ParityCases.profiles().get(id).calls())));
    }

    private static Judged judge(Job job) {
        return RULES.judge(Profiled.of(job.calls()));
    }

    private static List<MemoryPattern> patterns(Job job) {
        return patterns(judge(job));
    }

    private static List<MemoryPattern> patterns(Judged judged) {
        return judged.found().stream().map(FoundPattern::pattern).toList();
    }
}
