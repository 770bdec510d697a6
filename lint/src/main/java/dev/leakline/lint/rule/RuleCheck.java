package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The look for one pattern.
 *
 * @param rule the rule that it is of, such as LK001
 * @param words words of which one at least is in each file where it finds something; none where that cannot be said
 */
public record RuleCheck(String rule, BiConsumer<Flow, Hits> check, List<String> words) {
    public static final List<RuleCheck> ALL = List.of(
            of("LK001", GraphKept::check),
            of("LK002", GradModeInInference::check),
            of("LK003", GraphNotFreed::check, "backward"),
            of("LK004", UnboundedStore::check),
            of(
                    "LK004",
                    KnownKeepers::check,
                    "WeakKeyDictionary",
                    "create_task",
                    "ensure_future",
                    "start_soon",
                    "MemoryHandler",
                    "BufferingHandler",
                    "QueueHandler"),
            of("LK005", ReferenceCycle::check),
            of("LK006", CudaInWorker::check, "DataLoader", "fork", "Process", "Pool"),
            of("LK007", MetricNeverReset::check, "torchmetrics"),
            of("LK008", RetryInHandler::check, "except"),
            of("LK009", CacheOnTensors::check, "cache"),
            of("LK010", EmptyCacheAsCure::check, "empty_cache", "collect"),
            of("LK011", ExceptionKept::check, "except"),
            of("LK012", RankOnWrongDevice::check),
            of("LK013", DeprecatedAmp::check, "GradScaler", "autocast"),
            of("LK014", ResultsOnDevice::check),
            of("LK015", HookPileUp::check, "hook"),
            of("LK004", KnownKeepers::checkProgram, "__main__"));

    private static RuleCheck of(String rule, BiConsumer<Flow, Hits> check, String... words) {
        return new RuleCheck(rule, check, List.of(words));
    }

    /** Returns whether it may find something in a text. */
    public boolean mayFind(String text) {
        return words.isEmpty() || words.stream().anyMatch(text::contains);
    }
}
