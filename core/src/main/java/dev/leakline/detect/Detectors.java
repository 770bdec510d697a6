package dev.leakline.detect;

import dev.leakline.detect.Detector.Examination;
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

    /** What each says of the evidence. */
    static List<Examination> examine(Evidence evidence, Thresholds thresholds) {
        List<Examination> examinations = new ArrayList<>();
        for (Detector detector : ALL) {
            examinations.add(detector.examine(evidence, thresholds));
        }
        return examinations;
    }
}
