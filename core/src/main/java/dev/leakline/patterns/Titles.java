package dev.leakline.patterns;

/** What insights are called; names as gpumemprof has them, which scripts look for. */
final class Titles {
    static final String SLOW = "Slow Function Detection";
    static final String UNSTEADY = "Inconsistent Execution Times";
    static final String INTENSIVE = "Memory-Intensive Functions";
    static final String CORRELATED = "Time-Memory Correlation";
    static final String TREND = "Memory Growth Trend";

    private Titles() {}
}
