package dev.leakline.finding;

import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import java.util.List;

/**
 * The conclusion from one kind of evidence.
 *
 * @param verdict one word for it
 * @param reason why, in a sentence
 * @param findings what is wrong, most serious first
 * @param acquittals what looks like a leak but is not
 * @param checks what was looked at, and what could not be
 */
public record Opinion(
        Verdict verdict, String reason, List<Finding> findings, List<Acquittal> acquittals, List<Check> checks) {}
