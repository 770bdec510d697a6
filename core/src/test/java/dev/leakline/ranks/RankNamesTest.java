package dev.leakline.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Names that trainers give to the files of ranks. */
class RankNamesTest {
    private static List<Integer> ranks(String... paths) {
        return RankNames.of(List.of(paths)).stream()
                .map(RankNames.RankName::rank)
                .toList();
    }

    @Test
    void aNumberAfterTheWordRankIsTheRank() {
        assertThat(ranks("/j/rank10_memory_snapshot.pickle", "/j/rank9_memory_snapshot.pickle"))
                .containsExactly(10, 9);
        assertThat(ranks("/j/step_100/snapshot_rank_3.pickle", "/j/step_100/snapshot_rank_04.pickle"))
                .containsExactly(3, 4);
        assertThat(ranks("/j/node-0/oom_rank7.pickle", "/j/node-1/oom_rank8.pickle"))
                .containsExactly(7, 8);
        assertThat(ranks("/j/rank_0/snapshot.pickle", "/j/rank_1/snapshot.pickle"))
                .containsExactly(0, 1);
        assertThat(ranks("/j/global_rank0_local_rank0.pkl", "/j/global_rank9_local_rank1.pkl"))
                .containsExactly(0, 9);
    }

    @Test
    void withoutTheWordItIsTheNumberThatCountsFiles() {
        assertThat(ranks(
                        "/j/snapshot_2026-11-20-09-30_0.pickle",
                        "/j/snapshot_2026-11-20-09-31_1.pickle",
                        "/j/snapshot_2026-11-20-09-30_2.pickle"))
                .containsExactly(0, 1, 2);
        assertThat(ranks("/j/mem_80123_1.pickle", "/j/mem_80124_0.pickle", "/j/mem_80300_2.pickle"))
                .containsExactly(1, 0, 2);
    }

    @Test
    void numbersWithinAMachineAreCountedMachineByMachine() {
        assertThat(ranks(
                        "/j/node10/gpu0.pickle",
                        "/j/node10/gpu1.pickle",
                        "/j/node9/gpu0.pickle",
                        "/j/node9/gpu1.pickle"))
                .containsExactly(2, 3, 0, 1);
    }

    @Test
    void namesWithoutNumbersAreCountedInTheirOrder() {
        assertThat(ranks("/j/rollout.pickle", "/j/actor.pickle", "/j/critic.pickle"))
                .containsExactly(2, 0, 1);
        assertThat(ranks("/j/worker_71230.pickle", "/j/worker_9.pickle"))
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void filesOfOneRankComeInTheOrderOfTheirIterations() {
        assertThat(RankNames.byIteration().compare("iteration_9/rank0.pickle", "iteration_16/rank0.pickle"))
                .isNegative();
        assertThat(RankNames.byIteration().compare("iteration_16/rank0.pickle", "iteration_16_exit/rank0.pickle"))
                .isNegative();
        assertThat(ranks("/j/iteration_9/rank3.pickle", "/j/iteration_16_exit/rank3.pickle"))
                .containsExactly(3, 3);
    }

    @Test
    void datesAndFoldersOfFilesAreMomentsAndNoMachines() {
        assertThat(ranks("/j/2026-11-20-09-30/rank1.pickle", "/j/2026-11-20-10-30/rank1.pickle"))
                .containsExactly(1, 1);
        assertThat(ranks("/j/9/mem_1.pickle", "/j/9/mem_2.pickle", "/j/16/mem_1.pickle", "/j/16/mem_2.pickle"))
                .containsExactly(1, 2, 1, 2);
        assertThat(ranks(
                        "/j/snapshot_20261120_093001_0.pickle",
                        "/j/snapshot_20261120_093002_1.pickle",
                        "/j/snapshot_20261120_103001_0.pickle",
                        "/j/snapshot_20261120_103005_1.pickle"))
                .containsExactly(0, 1, 0, 1);
        assertThat(ranks("/j/0/snapshot.pickle", "/j/1/snapshot.pickle", "/j/2/snapshot.pickle"))
                .containsExactly(0, 1, 2);
        assertThat(ranks("/j/attempt_0/rank0.pickle", "/j/attempt_1/rank0.pickle"))
                .containsExactly(0, 0);
    }

    @Test
    void theFileIsNamedFromTheFolderThatAllHaveInCommon() {
        assertThat(RankNames.of(List.of("/a/job/n1/rank1.pickle", "/a/job/n2/rank2.pickle")))
                .extracting(RankNames.RankName::file)
                .containsExactly("n1/rank1.pickle", "n2/rank2.pickle");
    }
}
