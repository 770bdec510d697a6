package dev.leakline.verdict;

import dev.leakline.detect.growth.CycleDetector;
import dev.leakline.detect.growth.LeakDetector;
import dev.leakline.detect.habits.RepeatedAllocationDetector;
import dev.leakline.detect.habits.SpikeDetector;
import dev.leakline.detect.habits.UnshrinkingCacheDetector;
import dev.leakline.detect.room.FragmentationDetector;
import dev.leakline.detect.room.OutOfMemoryDetector;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.join.DumpMatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All detectors, in the order in which their word counts. */
final class Detectors {
    private Detectors() {}

    /** The result of each detector on the evidence, and on a dump of the same process where there is one. */
    static List<Examination> examine(Evidence evidence, @Nullable DumpMatch match) {
        List<Detector> all = List.of(
                new OutOfMemoryDetector(),
                new LeakDetector(match),
                new CycleDetector(),
                new FragmentationDetector(),
                new SpikeDetector(),
                new RepeatedAllocationDetector(),
                new UnshrinkingCacheDetector());
        return all.stream().map(detector -> detector.examine(evidence)).toList();
    }
}
