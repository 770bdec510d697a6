package dev.leakline.functions;

import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.MemoryPattern.Kind;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.Map;

/** Puts a leak into figures and words. */
final class LeakPattern {
    /** A gibibyte lost while somebody profiled will end a job that runs for long; as gpumemprof has it. */
    private static final long SERIOUS = ByteSize.GIB;

    private LeakPattern() {}

    static FoundPattern of(int device, Leak leak, Profiled profiled) {
        String function = leak.part().function();
        int calls = profiled.functions().getOrDefault(function, List.of()).size();
        List<Suggestion> suggestions =
                leak.part().isBetween() ? Suggestion.leakBetween(function) : Suggestion.leak(function);
        Map<String, Object> metrics = NamedFigures.of(
                "total_memory_growth",
                leak.bytes(),
                "average_growth_per_call",
                (double) leak.bytes() / Math.max(calls, 1),
                "positive_growth_ratio",
                (double) leak.rises() / leak.rounds(),
                "call_count",
                (long) calls,
                "growth_per_round",
                leak.perRound(),
                "rounds",
                (long) leak.rounds(),
                "is_between_calls",
                leak.part().isBetween());
        MemoryPattern pattern = new MemoryPattern(
                Kind.MEMORY_LEAK,
                text(leak),
                leak.bytes() >= SERIOUS ? Severity.CRITICAL : Severity.WARNING,
                List.of(function),
                metrics,
                Suggestion.texts(suggestions));
        return new FoundPattern(pattern, suggestions, device, leak.bytes(), leak);
    }

    private static String text(Leak leak) {
        String function = FunctionNames.quoted(leak.part().function());
        String rate = ByteSize.format(leak.perRound()) + " per round, " + ByteSize.format(leak.bytes()) + " in all";
        if (leak.part().isBetween()) {
            return "memory grows between calls, after those of " + function + ": " + rate;
        }
        return leak.giver() == null
                ? function + " keeps what it allocates, call after call: " + rate
                : function + " takes more than "
                        + FunctionNames.quoted(leak.giver().function()) + " frees: " + rate;
    }
}
