package dev.leakline.functions;

import dev.leakline.result.Acquittal;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.Score;
import java.util.List;

/** A way to judge the calls of functions. */
public interface Rules {
    /**
     * What was found in the calls of a profile.
     *
     * @param found what memory does and should not; in the order of the kinds of patterns
     * @param insights what else stands out
     * @param score how well memory is used
     * @param acquittals what looks like a leak and is none
     * @param calls how many calls or rounds the question of a leak was decided by; 0 where there were too few
     */
    record Judged(
            List<FoundPattern> found, List<Insight> insights, Score score, List<Acquittal> acquittals, int calls) {}

    /** Judges the calls of a profile. */
    Judged judge(Profiled profiled);

    /** Device memory that the allocator does not explain. */
    List<Gap> gaps(List<GapSample> samples);
}
