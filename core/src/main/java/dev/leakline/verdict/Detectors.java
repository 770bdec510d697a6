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
import java.util.ArrayList;
import java.util.List;

/** All detectors, in the order in which their word counts. */
final class Detectors {
    private static final List<Detector> ALL = List.of(
            new OutOfMemoryDetector(),
            new LeakDetector(),
            new CycleDetector(),
            new FragmentationDetector(),
            new SpikeDetector(),
            new RepeatedAllocationDetector(),
            new UnshrinkingCacheDetector());

    private Detectors() {}

    /** The result of each detector on the evidence. */
    static List<Examination> examine(Evidence evidence) {
        List<Examination> examinations = new ArrayList<>();
        for (Detector detector : ALL) {
            examinations.add(detector.examine(evidence));
        }
        return examinations;
    }
}
