package dev.leakline;

import dev.leakline.result.AnalysisResult;

/**
 * A report that Leakline wrote, a page or JSON, and that was read again.
 *
 * @param result what it reports; lines of code and stacks that were left out of it are missing
 */
public record Report(AnalysisResult result) implements Input {}
