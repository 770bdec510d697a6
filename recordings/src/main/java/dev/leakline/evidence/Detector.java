package dev.leakline.evidence;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.result.Acquittal;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import java.util.List;

/** Looks for one thing that can be wrong: a pure function of the evidence. */
public interface Detector {
    /**
     * The result of a detector.
     *
     * @param check what it could look at
     * @param findings what is wrong, if anything
     * @param acquittals what looks wrong and is not
     * @param culprits for findings of growth the allocations that each is about, in the order of the findings; else empty
     */
    record Examination(Check check, List<Finding> findings, List<Acquittal> acquittals, List<IntArrayList> culprits) {
        public Examination(Check check, List<Finding> findings, List<Acquittal> acquittals) {
            this(check, findings, acquittals, List.of());
        }

        /** The result for a recording that cannot answer; {@code need} says what is needed. */
        public static Examination notApplicable(String detector, String need) {
            return new Examination(new Check(detector, false, need), List.of(), List.of());
        }
    }

    /** Returns what the evidence shows of this detector's subject: findings, what it ruled out, and how it checked. */
    Examination examine(Evidence evidence);
}
