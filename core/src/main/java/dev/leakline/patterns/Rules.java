package dev.leakline.patterns;

import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.Score;
import java.util.List;

/** A way to judge the calls of functions. */
interface Rules {
    /** What memory does and should not; in the order of the types. */
    List<MemoryPattern> patterns(Profiled profiled);

    /** What else stands out, knowing the patterns. */
    List<Insight> insights(Profiled profiled, List<MemoryPattern> patterns);

    /** Device memory that the allocator does not explain. */
    List<Gap> gaps(List<GapSample> samples);

    /** How well memory is used. */
    Score score(Profiled profiled, List<MemoryPattern> patterns, List<Insight> insights);
}
