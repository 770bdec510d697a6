package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result for profiled functions. Names of properties and metrics are those of gpumemprof's optimization report, sizes are bytes, times
 * seconds.
 *
 * @param rules the rules that said it
 * @param thresholds the numbers that the rules went by, under the names that users set them by
 * @param profiles what was found, a profile for each input that has any
 */
public record FunctionReport(RuleSet rules, Map<String, Double> thresholds, List<Profile> profiles) {
    /** Rules to judge function profiles by. */
    public enum RuleSet {
        /** This project's rules: a leak is what grows round after round, and healthy loops are clean. */
        LEAKLINE,
        /** The rules of gpumemprof's MemoryAnalyzer, number by number. */
        GPUMEMPROF
    }

    /**
     * The profile of one input.
     *
     * @param input the index of the input
     * @param summary all calls together
     * @param byFunction each function, in the order of their first calls
     * @param allPatterns what memory does that it should not
     * @param allInsights what else stands out
     * @param recommendations what to do, the most urgent first
     * @param optimizationScore how well the job uses memory
     * @param gapAnalysis device memory that the allocator does not explain, where trackers measured both
     */
    public record Profile(
            int input,
            Summary summary,
            List<FunctionUse> byFunction,
            List<MemoryPattern> allPatterns,
            List<Insight> allInsights,
            List<Recommendation> recommendations,
            Score optimizationScore,
            List<Gap> gapAnalysis) {
        /** The worst of what memory does that it should not. */
        @Json.Property("critical_issues")
        public List<MemoryPattern> criticalIssues() {
            return allPatterns.stream()
                    .filter(pattern -> pattern.severity() == Finding.Severity.CRITICAL)
                    .toList();
        }

        /** The insights of high impact. */
        @Json.Property("high_impact_insights")
        public List<Insight> highImpactInsights() {
            return allInsights.stream()
                    .filter(insight -> insight.impact() == Impact.HIGH)
                    .toList();
        }
    }

    /**
     * All calls of a profile together.
     *
     * @param functions how many functions there are
     * @param calls how many calls
     * @param allocated what calls left allocated, those that gave back more than they took not counted
     * @param seconds how long they took, nested ones counted again
     * @param time when the last of them ended, in Unix seconds; NaN where there are none
     */
    public record Summary(
            @Json.Property("total_functions_analyzed") int functions,
            @Json.Property("total_function_calls") int calls,
            @Json.Property("total_memory_allocated") long allocated,
            @Json.Property("total_execution_time") double seconds,
            @Json.Property("analysis_timestamp") double time) {}

    /**
     * The calls of one function.
     *
     * @param name the function's name
     * @param calls how many
     * @param seconds how long they took together
     * @param allocated what they left allocated, calls that gave back more than they took not counted
     * @param freed the same for what they gave back
     * @param peak the most that was allocated during any of them, by whomever
     * @param transientBytes the most that one of them took for itself: what it gave back before it returned
     */
    public record FunctionUse(
            @Json.Property("function_name") String name,
            @Json.Property("call_count") int calls,
            @Json.Property("total_time") double seconds,
            @Json.Property("memory_allocated") long allocated,
            @Json.Property("memory_freed") long freed,
            @Json.Property("peak_memory") long peak,
            @Json.Property("transient_memory") long transientBytes) {}

    /**
     * A problematic memory pattern.
     *
     * @param kind what
     * @param description the same in a sentence
     * @param severity how much it matters
     * @param functions in whose calls
     * @param metrics figures by name: whole numbers, numbers, texts, and lists of texts
     * @param suggestions what to do
     */
    public record MemoryPattern(
            @Json.Property("pattern_type") Kind kind,
            String description,
            Finding.Severity severity,
            @Json.Property("affected_functions") List<String> functions,
            Map<String, Object> metrics,
            List<String> suggestions) {
        /** Kinds of memory patterns. */
        public enum Kind {
            /** It grows, call after call. */
            MEMORY_LEAK,
            /** Much of what is reserved cannot be used. */
            FRAGMENTATION,
            /** Calls take far more than they keep, or the other way round. */
            INEFFICIENT_ALLOCATION,
            /** A few calls take far more than the others. */
            MEMORY_SPIKES,
            /** Many calls take little each. */
            REPEATED_ALLOCATIONS
        }
    }

    /** Impacts, from high to low. */
    public enum Impact {
        LOW,
        MEDIUM,
        HIGH
    }

    /**
     * A noteworthy observation.
     *
     * @param category what it is about
     * @param title what, in a few words
     * @param description the same in a sentence
     * @param impact how much it matters
     * @param confidence from 0 to 1, how sure it is
     * @param data figures by name: whole numbers, numbers, texts, and lists of these
     * @param recommendations what to do
     */
    public record Insight(
            Category category,
            String title,
            String description,
            Impact impact,
            double confidence,
            Map<String, Object> data,
            List<String> recommendations) {
        /** Categories of insights. */
        public enum Category {
            EXECUTION_TIME,
            MEMORY_EFFICIENCY,
            CORRELATION,
            TEMPORAL
        }
    }

    /**
     * A recommended action.
     *
     * @param priority how urgent it is
     * @param category the type of pattern or the category of insight that it is about, in small letters
     * @param description what is wrong
     * @param suggestions what to do
     */
    public record Recommendation(Impact priority, String category, String description, List<String> suggestions) {}

    /**
     * A score for how well a job uses memory.
     *
     * @param points from 0 to 100, the more the better; null where there were too few calls to tell
     * @param grade A to F, or {@code none}
     * @param description the same in words
     * @param issues how many patterns and insights it rests on
     */
    public record Score(
            @Json.Property("score") @Nullable Integer points,
            String grade,
            String description,
            @Json.Property("issues_found") int issues) {}

    /**
     * Device memory that the allocator does not explain, or that it has and does not use.
     *
     * @param classification what it does
     * @param severity how much it matters
     * @param confidence from 0 to 1, how sure it is
     * @param evidence figures by name
     * @param description the same in a sentence
     * @param remediation what to do
     */
    public record Gap(
            Classification classification,
            Finding.Severity severity,
            double confidence,
            Map<String, Object> evidence,
            String description,
            List<String> remediation) {
        /** Kinds of gaps between the device's and the allocator's memory. */
        public enum Classification {
            /** It is far larger now and then. */
            TRANSIENT_SPIKE,
            /** It grows. */
            PERSISTENT_DRIFT,
            /** The allocator holds much that it does not use. */
            FRAGMENTATION_LIKE
        }
    }
}
