package dev.leakline.functions;

import dev.leakline.functions.LeakFinder.Leak;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.MemoryPattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pattern, and what there is to say of it beyond.
 *
 * @param pattern what memory does
 * @param suggestions what to do
 * @param device on which device
 * @param bytes how much it is about
 * @param leak what it rests on, where that is growth by rounds; else null
 */
public record FoundPattern(
        MemoryPattern pattern,
        List<Suggestion> suggestions,
        int device,
        long bytes,
        @Nullable Leak leak) {
    /** A pattern that does not rest on growth by rounds. */
    public static FoundPattern of(
            MemoryPattern.Kind kind,
            Severity severity,
            List<String> functions,
            String description,
            Map<String, Object> metrics,
            List<Suggestion> suggestions,
            int device,
            long bytes) {
        MemoryPattern pattern =
                new MemoryPattern(kind, description, severity, functions, metrics, Suggestion.texts(suggestions));
        return new FoundPattern(pattern, suggestions, device, bytes, null);
    }
}
