package dev.leakline.evidence;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Columns;
import dev.leakline.Repository;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.detect.growth.CycleDetector;
import dev.leakline.detect.growth.LeakDetector;
import dev.leakline.detect.habits.RepeatedAllocationDetector;
import dev.leakline.detect.habits.SpikeDetector;
import dev.leakline.detect.habits.UnshrinkingCacheDetector;
import dev.leakline.detect.room.FragmentationDetector;
import dev.leakline.detect.room.OutOfMemoryDetector;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.peak.Composition;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.SiteUse;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Evidence is made once, read-only and the same for all who look. */
class EvidenceTest {
    private static final long MB = 1 << 20;
    private static final int STEPS = 80;
    /** Evidence finds what stacks mean when it is first asked, so that each try takes a new one. */
    private static final int TRIES = 25;

    private static final List<Detector> DETECTORS = List.of(
            new OutOfMemoryDetector(),
            new LeakDetector(),
            new CycleDetector(),
            new FragmentationDetector(),
            new SpikeDetector(),
            new RepeatedAllocationDetector(),
            new UnshrinkingCacheDetector());

    /** A training loop of {@value #STEPS} steps, and what goes wrong in it. */
    enum Habit {
        NOTHING {
            @Override
            void practise(SnapshotBuilder recording, int step) {}
        },
        KEEPS {
            @Override
            void practise(SnapshotBuilder recording, int step) {
                recording.alloc("kept" + step, 21 * MB, "train.py:25 train", MAIN);
            }
        },
        SPIKES {
            @Override
            void practise(SnapshotBuilder recording, int step) {
                long size = step == 41 ? 3000 * MB : 300 * MB;
                recording
                        .alloc("scores" + step, size, "attention.py:9 scores", MAIN)
                        .free("scores" + step, "attention.py:9 scores", MAIN);
            }
        },
        EMPTIES_THE_CACHE {
            @Override
            void practise(SnapshotBuilder recording, int step) {
                recording
                        .alloc("big" + step, 170 * MB, "train.py:27 train", MAIN)
                        .free("big" + step, "train.py:27 train", MAIN)
                        .emptyCache("train.py:28 train", MAIN);
            }
        },
        PINS_AND_FAILS {
            @Override
            void practise(SnapshotBuilder recording, int step) {
                recording
                        .alloc("large" + step, 97 * MB, "train.py:30 train", MAIN)
                        .alloc("pin" + step, 3 * MB, "stats.py:8 note", "train.py:31 train", MAIN)
                        .free("large" + step, "train.py:32 train", MAIN);
                if (step == STEPS - 1) {
                    recording.oom(900 * MB, 30 * MB, "train.py:40 train", MAIN);
                }
            }
        };

        private static final String MAIN = "main.py:5 main";

        abstract void practise(SnapshotBuilder recording, int step);

        SnapshotBuilder recording() {
            SnapshotBuilder recording = snapshot().preexisting("weights", 450 * MB, "model.py:3 build", MAIN);
            for (int step = 0; step < STEPS; step++) {
                recording.alloc("batch" + step, 30 * MB, "train.py:20 train", MAIN);
                recording.alloc("hidden" + step, 41 * MB, "model.py:11 forward", "train.py:21 train", MAIN);
                practise(recording, step);
                recording.free("hidden" + step, "train.py:22 train", MAIN);
                recording.free("batch" + step, "train.py:23 train", MAIN);
            }
            return recording;
        }
    }

    @ParameterizedTest
    @EnumSource
    void detectors_thatLookAtOnceSayWhatEachSaysAlone(Habit habit) throws Exception {
        SnapshotColumns columns = Columns.of(habit.recording());
        List<Examination> alone = new ArrayList<>();
        for (Detector detector : DETECTORS) {
            alone.add(detector.examine(evidence(columns)));
        }
        assertThat(alone.stream().allMatch(examination -> examination.findings().isEmpty()))
                .isEqualTo(habit == Habit.NOTHING);
        for (int round = 0; round < TRIES; round++) {
            assertThat(atOnce(evidence(columns))).isEqualTo(alone);
        }
    }

    private static List<Examination> atOnce(Evidence evidence) throws Exception {
        CyclicBarrier start = new CyclicBarrier(DETECTORS.size());
        try (ExecutorService threads = Executors.newFixedThreadPool(DETECTORS.size())) {
            List<Future<Examination>> examinations = new ArrayList<>();
            for (Detector detector : DETECTORS) {
                examinations.add(threads.submit(() -> {
                    start.await();
                    return detector.examine(evidence);
                }));
            }
            List<Examination> said = new ArrayList<>();
            for (Future<Examination> examination : examinations) {
                said.add(examination.get());
            }
            return said;
        }
    }

    /** What a leak holds and what its line holds at the peak are counted from the same sizes, those that the replay tells. */
    @Test
    void bytes_ofALeakAreThoseThatTheCompositionGivesItsLine() throws IOException {
        Evidence evidence = evidence(
                Columns.of(Repository.root().resolve("testkit/scenarios/recorded/optimizer_each_epoch.pickle.gz")));
        Finding leak = new LeakDetector()
                .examine(evidence).findings().stream()
                        .filter(finding -> finding.kind() == Kind.LEAK)
                        .findFirst()
                        .orElseThrow();
        SiteUse use = new Composition(evidence, evidence.liveAtPeak())
                .sites().stream()
                        .filter(candidate -> candidate.site().equals(leak.site()))
                        .findFirst()
                        .orElseThrow();
        assertThat(leak.bytes()).isEqualTo(33 * MB / 2).isEqualTo(use.bytes());
        assertThat(leak.bytes())
                .as("more than was requested: sizes are rounded up")
                .isGreaterThan(use.requestedBytes());
    }

    private static Evidence evidence(SnapshotColumns columns) {
        return Examined.evidence(columns);
    }
}
