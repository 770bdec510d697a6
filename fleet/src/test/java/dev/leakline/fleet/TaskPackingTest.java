package dev.leakline.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.fleet.FleetFile.Labels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TaskPackingTest {
    private static final long GIB = 1L << 30;

    private static FleetFile file(String path, long bytes) {
        return new FleetFile("file:" + path, path, bytes, 0, new Labels("/job", null, null, null));
    }

    private static List<FleetFile> files(long large, int small) {
        List<FleetFile> files = new ArrayList<>(IntStream.range(0, small)
                .mapToObj(i -> file("/small" + i, 1000))
                .toList());
        files.add(file("/large", large));
        return files;
    }

    @Test
    void theLargestFileIsATaskOfItsOwnAndTheFirst() {
        List<List<FleetFile>> tasks = TaskPacking.tasks(files(5 * GIB, 1000), 2);

        assertThat(tasks.getFirst()).extracting(FleetFile::path).containsExactly("/large");
        assertThat(tasks).hasSizeLessThan(20);
    }

    @Test
    void manySmallFilesShareTasks() {
        assertThat(TaskPacking.tasks(files(1000, 999), 4)).hasSizeBetween(32, 40);
    }

    @Test
    void everyFileIsInOneTaskInWhateverOrderTheyCome() {
        List<FleetFile> files = files(GIB, 100);
        List<List<FleetFile>> tasks = TaskPacking.tasks(files, 3);
        List<FleetFile> shuffled = new ArrayList<>(files);
        Collections.shuffle(shuffled, new Random(5));

        assertThat(tasks.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(files);
        assertThat(TaskPacking.tasks(shuffled, 3)).isEqualTo(tasks);
    }

    @Test
    void batchesShareFilesOfAllSizes() {
        List<List<FleetFile>> batches = TaskPacking.batches(files(GIB, 99), 40);

        assertThat(batches).extracting(List::size).containsExactly(34, 33, 33);
        assertThat(TaskPacking.batches(List.of(), 40)).isEmpty();
    }

    @Test
    void aPatternNamesFolders() {
        Labels labels =
                PathLabels.of("{team}/*/{job}/{version}").of("/in", "/in/vision/x/resnet/2.1/node3/rank0.pickle");

        assertThat(labels).isEqualTo(new Labels("/in/vision/x/resnet", "node3", "vision", "2.1"));
    }

    @Test
    void withoutAPatternTheJobIsAboveItsRanks() {
        Labels labels = PathLabels.of("").of("/in", "/in/resnet/iteration_12/node3/rank_0/snapshot.pickle");

        assertThat(labels).isEqualTo(new Labels("/in/resnet", "node3", null, null));
    }

    @Test
    void aPatternThatIsNoneIsRefused() {
        assertThatThrownBy(() -> PathLabels.of("{team}/{user}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'{user}' is no part of it; expected {team}, {job}, {version} or {host}");
    }
}
