package dev.leakline.allocator;

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

/** Replays that are not carried out, since another is known to do the same: it does. */
class SparedReplaysTest {
    @Test
    void settingsThatAreAlikeDoTheSame() throws IOException {
        int spared = 0;
        for (Path file : recordings()) {
            Recording recording = Recording.of(file);
            AlikeSettings alike = new AlikeSettings(recording.workload);
            for (AllocatorSettings settings : SettingsGrid.around(recording.workload.settings())) {
                AllocatorSettings instead = alike.of(settings);
                if (!instead.equals(settings)) {
                    assertThat(recording.under(instead))
                            .as("%s, %s", file, settings)
                            .isEqualTo(recording.under(settings));
                    spared++;
                }
            }
        }
        assertThat(spared).isGreaterThan(20);
    }

    @Test
    void theReplayThatIsHeldAgainstTheRecordingIsThatUnderItsSettings() throws IOException {
        for (Path file : recordings()) {
            Recording recording = Recording.of(file);
            AllocatorSettings settings = recording.workload.settings();
            AllocatorSettings replayed = settings.withOther("release_lock_on_cudamalloc", "True");
            assertThat(recording.under(settings)).as("%s", file).isEqualTo(recording.under(replayed));
        }
    }

    private record Recording(Workload workload, Replays replays) {
        static Recording of(Path file) throws IOException {
            SnapshotColumns columns = Columns.of(file);
            Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
            Workload workload = new Workload(columns, lifetimes, AllocatorSettings.of(columns.settings));
            return new Recording(workload, new Replays(columns, lifetimes, 0));
        }

        Trial under(AllocatorSettings settings) {
            return replays.under(settings).withSettings("");
        }
    }

    private static List<Path> recordings() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve("testkit/allocator/recorded"))) {
            return files.filter(file -> file.toString().endsWith(".pickle.gz")).toList();
        }
    }
}
