package dev.leakline.known.python;

import dev.leakline.known.Cause;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds hooks that a step registers, itself or in what it calls, and does not remove. */
final class SourcePiledHooks {
    private static final Pattern REGISTERED = Pattern.compile(
            "\\s*((?<handle>[\\w.]+)\\s*=\\s*)?(?<call>.*\\.register_\\w*hook\\((?<hook>lambda\\b.*|[\\w.]+)[,)].*)");
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
                : lines().flatMap(line -> registered(line).stream())
                        .findFirst()
                        .map(clue -> clue.asGuess(!removals.isEmpty()));
    }

    /** The lines of the step, and of what it calls. */
    private Stream<Integer> lines() {
        return step.lines().stream()
                .flatMap(line -> Stream.concat(
                        Stream.of(line), step.called(line).stream().flatMap(called -> called.lines().stream())));
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
        String text = step.function().line(line);
        Matcher registered = REGISTERED.matcher(text);
        if (!registered.matches() || !keeps(registered.group("hook"))) {
            return Optional.empty();
        }
        String handle = registered.group("handle");
        String name = handle == null ? "handle" : handle;
        String after = name + " = " + registered.group("call") + "; ...; " + name + ".remove()";
        return Optional.of(SourceClue.of(Cause.STEP_HOOKS, line, text.strip(), after));
    }

    /** Whether a hook stores something, and does not remove itself. */
    private boolean keeps(String hook) {
        List<PythonDefinition> definitions = step.definitions().stream()
                .filter(found -> found.name().equals(hook.substring(hook.lastIndexOf('.') + 1)))
                .toList();
        return STORES.matcher(hook).matches()
                || definitions.stream().anyMatch(found -> stores(found) && !removes(found));
    }

    private static boolean stores(PythonDefinition hook) {
        PythonFunction body = hook.body();
        return hook.lines().stream()
                .anyMatch(line -> STORES.matcher(body.line(line)).matches()
                        || SourceUse.written(body, line).isPresent());
    }
}
