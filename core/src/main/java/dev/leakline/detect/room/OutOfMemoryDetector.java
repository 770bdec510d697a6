package dev.leakline.detect.room;

import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;

/** Explains the requests that could not be met: whether there was too little, or enough but in pieces. */
public final class OutOfMemoryDetector implements Detector {
    private static final String NAME = "out_of_memory";

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        if (evidence.lifetimes().events().count() == 0) {
            return Examination.notApplicable(
                    NAME,
                    "needs events: call " + RecordingAdvice.CALL
                            + " at the start of the job, and torch.cuda.memory._dump_snapshot() when it runs out of memory");
        }
        List<RepeatedFailure> failures = FailureFinder.find(evidence);
        List<Finding> findings = failures.isEmpty() ? List.of() : explain(evidence, failures);
        return new Examination(new Check(NAME, true, note(failures)), findings, List.of());
    }

    private static List<Finding> explain(Evidence evidence, List<RepeatedFailure> failures) {
        FittingSettings settings = new FittingSettings(evidence);
        List<Finding> findings = new ArrayList<>();
        for (RepeatedFailure failure : failures) {
            findings.add(new OutOfMemoryFinding(evidence, failure, settings).build());
        }
        return findings;
    }

    private static String note(List<RepeatedFailure> failures) {
        return failures.isEmpty()
                ? "no request failed"
                : "requests failed at " + Numbers.counted(failures.size(), "line");
    }
}
