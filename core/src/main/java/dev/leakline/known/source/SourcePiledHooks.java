package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.HookRegistration;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceStep;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds hooks that a step registers, itself or in what it calls, and does not remove. */
final class SourcePiledHooks {
    private static final Pattern REMOVED = Pattern.compile("\\.remove\\(\\s*\\)");
    private static final Pattern STORES =
            Pattern.compile("\\s*self\\.\\w+\\s*=[^=].*|.*\\.(append|add|setdefault|update)\\(.*");

    private final SourceStep step;

    private SourcePiledHooks(SourceStep step) {
        this.step = step;
    }

    /** The line that registers such a hook; a guess where hooks are removed under a condition. */
    static Optional<SourceClue> of(SourceStep step) {
        return new SourcePiledHooks(step).clue();
    }

    private Optional<SourceClue> clue() {
        List<Integer> removals = step.lines().stream().filter(this::removes).toList();
        return removals.stream().anyMatch(step.function()::isUnconditional)
                ? Optional.empty()
                : step.reached()
                        .flatMap(line -> registered(line).stream())
                        .findFirst()
                        .map(clue -> clue.asGuess(!removals.isEmpty()));
    }

    private boolean removes(int line) {
        String text = step.function().line(line);
        return isRemoval(text)
                || (text.strip().startsWith("with ") && !step.called(line).isEmpty())
                || step.called(line).stream().anyMatch(this::removes);
    }

    private boolean removes(PythonDefinition called) {
        return called.lines().stream().map(called.body()::line).anyMatch(SourcePiledHooks::isRemoval);
    }

    private static boolean isRemoval(String text) {
        return REMOVED.matcher(text).find();
    }

    private Optional<SourceClue> registered(int line) {
        return HookRegistration.of(step.function().line(line))
                .filter(this::keeps)
                .map(registered -> SourceClue.of(Cause.STEP_HOOKS, step.file(), line, registered.removed()));
    }

    /** Whether a hook stores something, and does not remove itself. */
    private boolean keeps(HookRegistration registered) {
        List<PythonDefinition> definitions = step.definitions().stream()
                .filter(found -> found.name().equals(registered.name()))
                .toList();
        return STORES.matcher(registered.hook()).matches()
                || definitions.stream().anyMatch(found -> stores(found) && !removes(found));
    }

    private static boolean stores(PythonDefinition hook) {
        PythonFunction body = hook.body();
        return hook.lines().stream()
                .anyMatch(line -> STORES.matcher(body.line(line)).matches()
                        || SourceUse.written(body, line).isPresent());
    }
}
