package dev.leakline.read;

import dev.leakline.result.AnalysisResult;

/** A report as read: the result that it was made of. */
public record ReportFile(AnalysisResult result) implements InputContent {}
