package dev.leakline;

import dev.leakline.result.AnalysisResult;

/**
 * A report of Leakline (HTML page or JSON) that was read again.
 *
 * @param result what it reports; lines of code and stacks that were left out of it are missing
 */
public record Report(AnalysisResult result) implements Input {}
