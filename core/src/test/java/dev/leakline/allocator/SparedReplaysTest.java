package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Columns;
import dev.leakline.Repository;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.WhatIf.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Replays that are not carried out, or half, since others are known to do the same: they do. */
class SparedReplaysTest {
    @Test
    void settingsThatAreAlikeDoTheSame() throws IOException {
        int spared = 0;
        for (Path file : recordings()) {
            Recording recording = Recording.of(file, 0);
            AlikeSettings alike = new AlikeSettings(recording.workload(), AllocatorStats.Share.ALL);
            for (AllocatorSettings settings : recording.grid()) {
                AllocatorSettings instead = alike.of(settings);
                if (!instead.equals(settings)) {
                    assertThat(recording.whole(instead).withSettings(""))
                            .as("%s, %s", file, settings)
                            .isEqualTo(recording.whole(settings).withSettings(""));
                    spared++;
                }
            }
        }
        assertThat(spared).isGreaterThan(20);
    }

    @Test
    void theReplayThatIsHeldAgainstTheRecordingIsThatUnderItsSettings() throws IOException {
        for (Path file : recordings()) {
            Recording recording = Recording.of(file, 0);
            Trial recorded = new Trials(recording.check, List.of()).recorded();
            assertThat(recorded)
                    .as("%s", file)
                    .isEqualTo(recording.whole(recording.workload().settings()));
        }
    }

    @Test
    void halvesThatAreReplayedApartTellWhatAReplayOfTheWholeTells() throws IOException {
        int shared = 0;
        for (Path file : recordings()) {
            Recording recording = Recording.of(file, 24 * GIB);
            for (var trial : SharedReplays.of(recording.check.replayer(), recording.grid())
                    .entrySet()) {
                assertThat(trial.getValue()).as("%s", file).isEqualTo(recording.whole(trial.getKey()));
                shared++;
            }
        }
        assertThat(shared).isGreaterThan(200);
    }

    @Test
    void nothingIsSaidByHalvesWhereTogetherTheyNeedMoreThanThereIs() throws IOException {
        int refused = 0;
        for (Path file : recordings()) {
            long peak = Recording.of(file, 0).recordedPeak();
            Recording recording = Recording.of(file, peak - 1);
            for (var trial : SharedReplays.of(recording.check.replayer(), recording.grid())
                    .entrySet()) {
                assertThat(trial.getValue()).as("%s", file).isEqualTo(recording.whole(trial.getKey()));
            }
            refused += SharedReplays.of(
                                    recording.check.replayer(),
                                    List.of(recording.workload().settings()))
                            .isEmpty()
                    ? 1
                    : 0;
        }
        assertThat(refused).isGreaterThan(20);
    }

    private record Recording(ReplayCheck check) {
        static Recording of(Path file, long memory) throws IOException {
            SnapshotColumns columns = Columns.of(file);
            Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
            Workload workload = WorkloadBuilder.build(columns, lifetimes, AllocatorSettings.of(columns.settings));
            Capacity capacity = Capacity.of(memory, columns, lifetimes.events(), workload);
            return new Recording(ReplayCheck.best(columns, lifetimes, workload, capacity));
        }

        Workload workload() {
            return check.replayer().workload();
        }

        List<AllocatorSettings> grid() {
            return SettingsGrid.around(workload().settings());
        }

        Trial whole(AllocatorSettings settings) {
            return check.replayer().whole(settings).run();
        }

        long recordedPeak() {
            return whole(workload().settings()).peakReservedBytes();
        }
    }

    private static List<Path> recordings() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve("testkit/allocator/recorded"))) {
            return files.filter(file -> file.toString().endsWith(".pickle.gz")).toList();
        }
    }
}
