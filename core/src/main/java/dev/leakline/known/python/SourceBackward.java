package dev.leakline.known.python;

import dev.leakline.known.Cause;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds backward passes whose gradients keep graphs, which keep the parameters of the gradients. */
final class SourceBackward {
    private static final Pattern BACKWARD =
            Pattern.compile("\\s*(?<loss>[\\w.\\[\\]]+)\\.backward\\(.*\\bcreate_graph\\s*=\\s*True.*\\)\\s*");
    private static final Pattern CLEARED = Pattern.compile(".*(\\bzero_grad\\(|\\.grad\\s*=\\s*None\\b).*");

    private SourceBackward() {}

    /** The backward pass after a line whose function does not clear the gradients. */
    static Optional<SourceClue> withGraph(SourceStep step) {
        PythonFunction function = step.function();
        boolean isCleared = step.lines().stream()
                .anyMatch(line -> function.isUnconditional(line)
                        && CLEARED.matcher(function.line(line)).matches());
        boolean isKeptElsewhere = SourceUse.of(function, step.line(), false).isPresent();
        return function.after(step.line()).stream()
                .filter(line -> !isCleared && !isKeptElsewhere && step.lines().contains(line))
                .flatMap(line -> clue(line, function.line(line)).stream())
                .findFirst();
    }

    private static Optional<SourceClue> clue(int line, String text) {
        Matcher backward = BACKWARD.matcher(text);
        return backward.matches()
                ? Optional.of(SourceClue.of(
                        Cause.GRADIENT_CYCLES,
                        line,
                        text.strip(),
                        "gradients = torch.autograd.grad(" + backward.group("loss")
                                + ", list(model.parameters()), create_graph=True)"))
                : Optional.empty();
    }
}
