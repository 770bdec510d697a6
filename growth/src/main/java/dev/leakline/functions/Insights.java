package dev.leakline.functions;

import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.Insight.Category;
import dev.leakline.statistics.Regression;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Insights of either set of rules, which find them in ways of their own; titles and names of figures as gpumemprof has them, which scripts look for. */
public final class Insights {
    static final String SLOW = "Slow Function Detection";
    static final String UNSTEADY = "Inconsistent Execution Times";
    static final String INTENSIVE = "Memory-Intensive Functions";
    static final String CORRELATED = "Time-Memory Correlation";
    static final String TREND = "Memory Growth Trend";

    private Insights() {}

    /** Functions that take long, the slowest first; {@code named} are those to name, {@code limit} what they are beyond. */
    public static Insight slow(List<RatedFunction> slow, List<String> named, double limit, String text, Impact impact) {
        return new Insight(
                Category.EXECUTION_TIME,
                SLOW,
                text,
                impact,
                0.8,
                NamedFigures.of(
                        "slow_functions",
                        named,
                        "slowest_function",
                        slow.getFirst().function(),
                        "slowest_time",
                        slow.getFirst().value(),
                        "threshold",
                        limit),
                Suggestion.texts(Suggestion.SLOW));
    }

    /** Functions whose calls vary widely in time, by their spreads. */
    public static Insight unsteady(List<RatedFunction> spreads, String text) {
        RatedFunction worst = RatedFunction.highest(spreads);
        return new Insight(
                Category.EXECUTION_TIME,
                UNSTEADY,
                text,
                Impact.MEDIUM,
                0.7,
                NamedFigures.of(
                        "variable_functions", RatedFunction.names(spreads),
                        "highest_variance", List.of(worst.function(), worst.value())),
                Suggestion.texts(Suggestion.UNSTEADY));
    }

    /** Functions that take much memory. */
    public static Insight intensive(Map<String, Object> data, String text, Impact impact) {
        return new Insight(
                Category.MEMORY_EFFICIENCY,
                INTENSIVE,
                text,
                impact,
                0.75,
                data,
                Suggestion.texts(Suggestion.INTENSIVE));
    }

    /** Times that go with memory. */
    public static Insight correlated(Map<String, Object> data, String text, Impact impact) {
        return new Insight(
                Category.CORRELATION, CORRELATED, text, impact, 0.8, data, Suggestion.texts(Suggestion.CORRELATED));
    }

    /** How the sign of a correlation is told. */
    public static String interpretation(double r) {
        return r > 0 ? "positive" : "negative";
    }

    /** Memory that grows over so many seconds. */
    public static Insight trend(Regression line, double seconds, String text, Impact impact) {
        return new Insight(
                Category.TEMPORAL,
                TREND,
                text,
                impact,
                Math.abs(line.correlation()),
                NamedFigures.of(
                        "growth_rate", line.slope(),
                        "correlation", line.correlation(),
                        "p_value", line.p(),
                        "time_span", seconds),
                Suggestion.texts(Suggestion.TREND));
    }

    /** A function with a figure of its calls. */
    public record RatedFunction(String function, double value) {
        /** The highest first; equal ones in the order in which they were. */
        public static final Comparator<RatedFunction> HIGHEST_FIRST = Comparator.comparingDouble(rated -> -rated.value);

        /** The highest; the first of equal ones. */
        static RatedFunction highest(Collection<RatedFunction> rated) {
            return rated.stream().sorted(HIGHEST_FIRST).toList().getFirst();
        }

        public static List<String> names(Collection<RatedFunction> rated) {
            return rated.stream().map(RatedFunction::function).toList();
        }

        public static double[] values(Collection<RatedFunction> rated) {
            return rated.stream().mapToDouble(RatedFunction::value).toArray();
        }
    }
}
