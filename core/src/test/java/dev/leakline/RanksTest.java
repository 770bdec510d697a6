package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.JobOfRanks.Trainer;
import dev.leakline.codec.Codec;
import dev.leakline.result.Finding;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobComparison.Group;
import dev.leakline.result.JobComparison.Odd;
import dev.leakline.result.JobComparison.OddKind;
import dev.leakline.result.JobComparison.Parallelism;
import dev.leakline.result.JobComparison.Sharing;
import dev.leakline.result.JobSummary;
import dev.leakline.result.JobSummary.UnreadableFile;
import dev.leakline.result.ProcessSummary;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Jobs of ranks that do the same, but for some: which are odd, where and why. */
class RanksTest {
    private static List<List<Integer>> groups(JobComparison job) {
        return job.groups().stream().map(Group::ranks).toList();
    }

    private static Odd only(JobComparison job) {
        assertThat(job.odd()).hasSize(1);
        return job.odd().getFirst();
    }

    @Test
    void ranksThatDoTheSameAreOneGroup() {
        JobComparison job = new JobOfRanks().ranks(0, 7).compare();
        assertThat(groups(job)).hasSize(1);
        assertThat(job.odd()).isEmpty();
        assertThat(job.leakRanks()).isEmpty();
        assertThat(job.firstOom()).isNull();
        assertThat(job.imbalance()).isEqualTo(1);
        assertThat(job.parallelism().sharing()).isEqualTo(Sharing.SAME);
    }

    @Test
    void aRankThatLeaksIsOddAndFirstOutOfMemory() {
        JobComparison job = new JobOfRanks()
                .ranks(0, 4)
                .rank(5, new Trainer().leaking(2))
                .rank(6, new Trainer())
                .compare();
        Odd odd = only(job);
        assertThat(odd.rank()).isEqualTo(5);
        assertThat(odd.kind()).isEqualTo(OddKind.LEAK);
        assertThat(odd.site().frame().inWords()).isEqualTo("train.py:31 (log)");
        assertThat(odd.bytes()).isEqualTo(24 * JobOfRanks.MIB);
        assertThat(job.leakRanks()).containsExactly(5);
        assertThat(job.firstOom()).isNotNull().satisfies(first -> {
            assertThat(first.rank()).isEqualTo(5);
            assertThat(first.steps()).isBetween(400L, 470L);
        });
        assertThat(job.findings())
                .singleElement()
                .satisfies(leak -> assertThat(leak.ranks()).containsExactly(5));
    }

    @Test
    void ranksThatFillAlikeRunOutTogether() {
        JobOfRanks job = new JobOfRanks();
        for (int rank = 0; rank < 4; rank++) {
            job.rank(rank, new Trainer().leaking(2));
        }
        JobComparison compared = job.compare();
        assertThat(compared.firstOom()).isNotNull().satisfies(first -> {
            assertThat(first.ranks()).containsExactly(0, 1, 2, 3);
            assertThat(first.sentence())
                    .startsWith("Ranks 0-3 run out of memory at about the same time, in about ")
                    .endsWith(" after the end of their recordings.");
        });
    }

    @Test
    void ofRanksThatLeakTheFasterIsTheFirstToRunOut() {
        JobComparison compared = new JobOfRanks()
                .ranks(0, 3)
                .rank(4, new Trainer().leaking(2))
                .rank(5, new Trainer().leaking(3))
                .compare();
        assertThat(compared.firstOom())
                .isNotNull()
                .satisfies(first -> assertThat(first.ranks()).containsExactly(5));
    }

    @Test
    void allThatLeaksOnADeviceFillsIt() {
        List<Finding> leaks = new JobOfRanks()
                .rank(0, new Trainer().leaking(8).leakingElsewhere(2))
                .compare()
                .findings();
        assertThat(leaks).extracting(Finding::bytesPerStep).containsExactly(8e0 * JobOfRanks.MIB, 2e0 * JobOfRanks.MIB);
        assertThat(leaks)
                .as("blocks of 2 MiB lie in what those of 8 leave of segments of 20 MiB")
                .allSatisfy(
                        leak -> assertThat(Objects.requireNonNull(leak.growth()).takenPerStep())
                                .isEqualTo(10e0 * JobOfRanks.MIB));
    }

    @Test
    void aRankThatRanOutOfMemoryIsNamedFirstWithItsRequest() {
        JobComparison compared = new JobOfRanks()
                .ranks(0, 2)
                .rank(3, new Trainer().input(3).runningOut())
                .compare();
        assertThat(compared.headline())
                .startsWith("Rank 3 ran out of memory at model.py:12 (forward), which requested 300 MiB. It holds ");
    }

    @Test
    void whereAllLeakAlikeNoneIsOdd() {
        JobOfRanks job = new JobOfRanks();
        for (int rank = 0; rank < 6; rank++) {
            job.rank(rank, new Trainer().leaking(2).steps(rank == 3 ? 9 : 12));
        }
        assertThat(job.compare().odd()).isEmpty();
        assertThat(groups(job.compare())).hasSize(1);
        assertThat(job.compare().leakRanks()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void longerInputsAreOddAndSlightlyLongerOnesAreNot() {
        JobComparison job = new JobOfRanks()
                .ranks(0, 4)
                .rank(5, new Trainer().input(1.06))
                .rank(6, new Trainer().input(2.5))
                .compare();
        assertThat(groups(job)).containsExactly(List.of(0, 1, 2, 3, 4, 5), List.of(6));
        Odd odd = only(job);
        assertThat(odd.kind()).isEqualTo(OddKind.LARGER_INPUT);
        assertThat(odd.ratio()).isBetween(2.4, 2.6);
    }

    @Test
    void aRankThatValidatesIsOddByTheCallThatOthersNeverMake() {
        JobComparison job = new JobOfRanks()
                .rank(0, new Trainer().validating(4))
                .ranks(1, 5)
                .compare();
        Odd odd = only(job);
        assertThat(odd.kind()).isEqualTo(OddKind.EXTRA_RUN);
        assertThat(odd.call())
                .isNotNull()
                .satisfies(call -> assertThat(call.frame().fileAndLine()).isEqualTo("train.py:40"));
        assertThat(odd.activeSteps()).isEqualTo(2);
    }

    @Test
    void whatIsNeverRecordedElsewhereForLackOfStepsIsNotOdd() {
        JobComparison job = new JobOfRanks()
                .rank(0, new Trainer().validating(4))
                .rank(1, new Trainer().validating(4))
                .rank(2, new Trainer().validating(4))
                .rank(3, new Trainer().validating(4).steps(4))
                .compare();
        assertThat(groups(job)).hasSize(1);
        assertThat(job.ranks().get(3).note()).startsWith("recorded ");
    }

    @Test
    void aShortRecordingMakesNoOneGroupOfTwo() {
        JobComparison job = new JobOfRanks()
                .ranks(0, 4)
                .rank(5, new Trainer().validating(4))
                .rank(6, new Trainer().steps(4))
                .compare();
        assertThat(groups(job)).containsExactly(List.of(0, 1, 2, 3, 4, 6), List.of(5));
        assertThat(only(job).rank()).isEqualTo(5);
    }

    @Test
    void aRecordingThatBeganLateIsComparedByWhatItSaw() {
        JobComparison job = new JobOfRanks()
                .ranks(0, 4)
                .rank(5, new Trainer().recordedLate())
                .compare();
        assertThat(groups(job)).hasSize(1);
        assertThat(job.ranks().get(5).note()).contains("began after memory was allocated");
    }

    @Test
    void stagesDifferAndAreNotOdd() {
        JobOfRanks job = new JobOfRanks();
        for (int rank = 0; rank < 8; rank++) {
            Trainer stage = new Trainer().layers(rank < 2 || rank > 5 ? 3 : 5);
            job.rank(rank, rank > 5 ? stage.withHead() : stage);
        }
        JobComparison compared = job.compare();
        assertThat(groups(compared)).containsExactly(List.of(0, 1), List.of(2, 3, 4, 5), List.of(6, 7));
        assertThat(compared.odd()).isEmpty();
        assertThat(compared.parallelism().sharing()).isEqualTo(Sharing.PIPELINE);
        assertThat(compared.parallelism().stages()).isEqualTo(4);
    }

    @Test
    void ranksThatAreAStageEachAreNotSaidToHoldTheSame() {
        JobOfRanks job = new JobOfRanks();
        for (int rank = 0; rank < 4; rank++) {
            Trainer stage = new Trainer().layers(rank == 0 || rank == 3 ? 3 : 5);
            job.rank(rank, rank == 3 ? stage.withHead() : stage);
        }
        Parallelism layout = job.compare().parallelism();
        assertThat(layout.sharing()).isEqualTo(Sharing.PIPELINE);
        assertThat(layout.ranksPerStage()).isEqualTo(1);
        assertThat(layout.sentence())
                .isEqualTo("The first and the last rank hold other parts of the model than their neighbours:"
                        + " probably a pipeline of 4 stages.");
    }

    @Test
    void howManyTimesAsMuchAndHowMuchMoreAreOfTheSameCall() {
        Odd odd = only(
                new JobOfRanks().ranks(0, 3).rank(4, new Trainer().input(3)).compare());
        assertThat(odd.callBytes())
                .as("14 MiB of each of the peers, three times")
                .isEqualTo(28 * JobOfRanks.MIB);
        assertThat(odd.why())
                .startsWith("it holds 3.0 times as much through the call at train.py:20 as its peers (28.0 MiB more");
    }

    @Test
    void inAPairOfAStageTheLargerIsOddWhereOtherPairsAreEqual() {
        JobOfRanks job = new JobOfRanks();
        for (int rank = 0; rank < 6; rank++) {
            Trainer stage = new Trainer().layers(3 + rank / 2);
            job.rank(rank, rank == 3 ? stage.prefetching(20) : stage);
        }
        Odd odd = only(job.compare());
        assertThat(odd.rank()).isEqualTo(3);
        assertThat(odd.kind()).isEqualTo(OddKind.KEPT);
        assertThat(odd.site().frame().fileAndLine()).isEqualTo("data.py:9");
        assertThat(odd.bytes()).isEqualTo(19 * JobOfRanks.MIB);
    }

    @Test
    void unequalSharesOfTheModelRepeatAndAreNotOdd() {
        JobOfRanks job = new JobOfRanks();
        for (int rank = 0; rank < 8; rank++) {
            job.rank(rank, new Trainer().layerMib(rank % 2 == 0 ? 8 : 7));
        }
        JobComparison compared = job.compare();
        assertThat(groups(compared)).containsExactly(List.of(0, 2, 4, 6), List.of(1, 3, 5, 7));
        assertThat(compared.odd()).isEmpty();
        assertThat(compared.parallelism().shares()).isEqualTo(2);
    }

    @Test
    void aProgramThatIsInstalledElsewhereDoesTheSame() {
        JobComparison job = new JobOfRanks()
                .ranks(0, 3)
                .rank(4, new Trainer().in("/scratch/job7/"))
                .compare();
        assertThat(groups(job)).hasSize(1);
    }

    @Test
    void theLatestOfSeveralFilesOfARankCounts() {
        JobComparison job = new JobOfRanks()
                .ranks(0, 3)
                .file("/job/iteration_9/rank2_memory_snapshot.pickle", new Trainer().leaking(9))
                .compare();
        assertThat(job.odd()).isEmpty();
        assertThat(job.ranks()).hasSize(4);
        assertThat(job.replaced()).singleElement().satisfies(replaced -> {
            assertThat(replaced.file()).isEqualTo("iteration_9/rank2_memory_snapshot.pickle");
            assertThat(replaced.by()).isEqualTo("iteration_12/rank2_memory_snapshot.pickle");
        });
    }

    @Test
    void missingAndTornFilesAreTold() {
        List<ProcessSummary> processes =
                new JobOfRanks().ranks(0, 2).ranks(5, 6).processes();
        JobSummary torn = Ranks.job(
                processes,
                List.of(new UnreadableFile(
                        "/job/iteration_12/rank4_memory_snapshot.pickle", "truncated after byte 7")));
        JobComparison job = Ranks.compare(torn, 0);
        assertThat(job.missing()).containsExactly(3);
        assertThat(job.unreadable())
                .singleElement()
                .satisfies(file -> assertThat(file.rank()).isEqualTo(4));
    }

    @Test
    void summariesMergeInAnyOrderAndNestingToTheByte() throws IOException {
        List<ProcessSummary> all =
                new JobOfRanks().ranks(0, 3).rank(4, new Trainer().leaking(2)).processes();
        JobSummary whole = Ranks.job(all, List.of());
        JobSummary one = again(Ranks.job(all.subList(3, 5), List.of()));
        JobSummary two = again(Ranks.job(all.subList(0, 2), List.of()));
        JobSummary three = again(Ranks.job(all.subList(1, 3), List.of()));
        assertThat(text(one.merged(two).merged(three))).isEqualTo(text(whole));
        assertThat(text(three.merged(again(two.merged(one))))).isEqualTo(text(whole));
        assertThat(text(Ranks.compare(again(whole), 0))).isEqualTo(text(Ranks.compare(whole, 0)));
    }

    @Test
    void theSummaryOfAProcessIsSmall() {
        JobSummary summary =
                new JobOfRanks().rank(0, new Trainer().steps(300).leaking(2)).summary();
        assertThat(text(summary)).hasSizeLessThan(100_000);
    }

    private static JobSummary again(JobSummary summary) throws IOException {
        byte[] json = text(summary).getBytes(StandardCharsets.UTF_8);
        return Codec.readSummary(new ByteArrayInputStream(json), ReadLimits.DEFAULT);
    }

    private static String text(Record result) {
        return Codec.line(result);
    }
}
