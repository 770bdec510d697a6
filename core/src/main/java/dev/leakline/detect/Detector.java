package dev.leakline.detect;

import dev.leakline.result.Acquittal;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import java.util.List;

/** Looks for one thing that can be wrong: a pure function of the evidence. */
interface Detector {
    /**
     * What a detector says.
     *
     * @param check what it could look at
     * @param findings what is wrong, if anything
     * @param acquittals what looks wrong and is not
     */
    record Examination(Check check, List<Finding> findings, List<Acquittal> acquittals) {
        /** Of a recording that cannot answer; {@code need} says which could. */
        static Examination notApplicable(String detector, String need) {
            return new Examination(new Check(detector, false, need), List.of(), List.of());
        }
    }

    /** Looks at the evidence. */
    Examination examine(Evidence evidence, Thresholds thresholds);
}
