package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceStep;
import dev.leakline.known.python.SourceUse;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds backward passes whose gradients keep graphs, which keep the parameters of the gradients. */
final class SourceBackward {
    private static final Pattern BACKWARD =
            Pattern.compile("\\s*(?<loss>[\\w.\\[\\]]+)\\.backward\\(.*\\bcreate_graph\\s*=\\s*True.*\\)\\s*");
    private static final Pattern CLEARED = Pattern.compile(".*(\\bzero_grad\\(|\\.grad\\s*=\\s*None\\b).*");
    /** A line that reads what the backward pass leaves in the parameters. */
    private static final Pattern READ = Pattern.compile(".*\\.grad\\b(?!\\s*=[^=]).*");

    private static final Pattern OWNER = Pattern.compile("(?<model>[A-Za-z_][\\w.]*)\\.(named_)?parameters\\(");

    private SourceBackward() {}

    /** The backward pass of a step, or of what it calls, where neither clears the gradients. */
    static Optional<SourceClue> withGraph(SourceStep step) {
        boolean isKeptElsewhere =
                SourceUse.of(step.function(), step.line(), false).isPresent();
        boolean isCleared = step.reached().anyMatch(line -> isCleared(PythonFunction.of(step.file(), line), line));
        return isCleared || isKeptElsewhere
                ? Optional.empty()
                : step.reached()
                        .flatMap(line -> clue(PythonFunction.of(step.file(), line), line).stream())
                        .findFirst();
    }

    private static boolean isCleared(PythonFunction function, int line) {
        return function.isUnconditional(line)
                && CLEARED.matcher(function.line(line)).matches();
    }

    private static Optional<SourceClue> clue(PythonFunction function, int line) {
        Matcher backward = BACKWARD.matcher(function.line(line));
        return backward.matches()
                ? Optional.of(SourceClue.of(
                                Cause.GRADIENT_CYCLES,
                                function.file(),
                                line,
                                "gradients = torch.autograd.grad(" + backward.group("loss") + ", list("
                                        + owner(function).orElse("model") + ".parameters()), create_graph=True)"
                                        + others(function))
                        .asGuess(!function.isUnconditional(line)))
                : Optional.empty();
    }

    /** The rest of the change where gradients are read from the parameters, which leaves the edit to the reader. */
    private static String others(PythonFunction function) {
        boolean isRead =
                function.file().stream().anyMatch(text -> READ.matcher(text).matches());
        if (isRead) {
            return "  # read instead of each .grad";
        }
        return owner(function).isPresent() ? "" : "  # of the model that is trained";
    }

    /** Whose parameters a function names. */
    private static Optional<String> owner(PythonFunction function) {
        return function.all().stream()
                .map(line -> OWNER.matcher(function.line(line)))
                .filter(Matcher::find)
                .map(owner -> owner.group("model"))
                .findFirst();
    }
}
