package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceBox;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceSink.Kind;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a function says of who keeps the value of one of its lines. */
final class SourceKeeping {
    private static final Pattern NO_GRAD = Pattern.compile(".*\\b(no_grad|inference_mode)\\(.*");
    private static final Pattern GRADIENT = Pattern.compile("\\.grad\\b(?!\\.)");

    private final Cause known;
    private final List<String> file;
    private final PythonFunction function;
    private final int line;

    SourceKeeping(Cause known, List<String> file, PythonFunction function, int line) {
        this.known = known;
        this.file = file;
        this.function = function;
        this.line = line;
    }

    /** Where it is kept; {@code isReturned} is false where the line calls a function that does not return what was allocated. */
    Optional<SourceClue> clue(boolean isReturned) {
        return SourceMemo.ofResults(function)
                .or(() -> SourceHandlers.keeping(known, function, line))
                .or(() -> known.isOfAllocation() ? ofGradients() : isReturned ? ofValue() : Optional.empty());
    }

    /** Where gradients are added to something after the backward pass. */
    private Optional<SourceClue> ofGradients() {
        return function.after(line).stream()
                .flatMap(next -> SourceUse.of(function, next, false).stream().filter(sink -> sink.line() == next))
                .filter(sink -> GRADIENT.matcher(sink.value()).find())
                .findFirst()
                .map(sink -> SourceClue.edit(
                        known, sink, GRADIENT.matcher(sink.value()).replaceAll(".grad.detach().cpu()")));
    }

    private Optional<SourceClue> ofValue() {
        Optional<SourceClue> hook =
                known.isGeneral() || isOfHooks() ? SourceHooks.referring(function, line) : Optional.empty();
        return hook.isPresent()
                ? hook
                : SourceUse.of(function, line, isGraph())
                        .map(this::ofSink)
                        .orElseGet(() -> SourceAutocast.around(function, line));
    }

    private boolean isOfHooks() {
        return known.equals(Cause.HOOKS_KEEP) || known.equals(Cause.HOOKS_PILE_UP);
    }

    private boolean isGraph() {
        return known.id().equals(Cause.GRAPH_KEPT.id());
    }

    /** What a line that keeps the value shows. */
    Optional<SourceClue> ofSink(SourceSink sink) {
        return SourceGenerators.kept(file, function.line(line), sink)
                .or(() -> ofWeakKeys(sink))
                .or(() -> isGraph() && !isFreed(sink) ? Optional.of(ofGraph(sink)) : ofOther(sink));
    }

    private Optional<SourceClue> ofWeakKeys(SourceSink sink) {
        return known.isGeneral() && SourceWeakKeys.isWeak(file, sink.box())
                ? SourceWeakKeys.referringBack(file)
                : Optional.empty();
    }

    private boolean isFreed(SourceSink sink) {
        return sink.value().contains(".detach()")
                || function.isUnder(line, text -> NO_GRAD.matcher(text).matches());
    }

    private SourceClue ofGraph(SourceSink sink) {
        boolean isRetained = function.after(line).stream()
                .anyMatch(next -> function.line(next).contains("retain_graph=True"));
        Cause cause = isRetained ? Cause.GRAPH_RETAINED : Cause.GRAPH_KEPT;
        return switch (sink.kind()) {
            case ADDED, STORED -> SourceClue.each(cause, sink, ".detach().cpu()");
            case SUMMED -> SourceClue.edit(cause, sink, sink.value() + ".detach()");
            case CARRIED -> SourceCarried.of(function, line, cause, known);
        };
    }

    /** What a line that keeps the value says else; of causes that are known by what is allocated, it says nothing. */
    private Optional<SourceClue> ofOther(SourceSink sink) {
        if (known.equals(Cause.HOOK)) {
            return Optional.of(SourceClue.each(known, sink, ".detach().cpu()"));
        }
        if (sink.kind() == Kind.STORED && new SourceBox(file, sink.box()).isList()) {
            return Optional.empty(); // an item takes the place of another
        }
        boolean isOpen = isGraph() || known.isGeneral() || known.equals(Cause.EXCEPTION) || known.equals(Cause.BACKLOG);
        return isOpen ? Optional.of(ofContainer(sink)) : Optional.empty();
    }

    private SourceClue ofContainer(SourceSink sink) {
        if (sink.value().matches(".*\\[[^\\]]*:[^\\]]*\\]")) {
            return SourceClue.edit(Cause.VIEW, sink, sink.value() + ".clone()");
        }
        SourceBox box = new SourceBox(file, sink.box());
        return sink.kind() == Kind.STORED
                ? SourceClue.of(Cause.CACHE_GROWS, file, sink.line(), box.evicting(sink.text()))
                : SourceEpochs.read(file, sink)
                        .orElseGet(() -> ofCollection(sink, box))
                        .asGuess(box.isEmptied() && !known.equals(Cause.BACKLOG));
    }

    private static SourceClue ofCollection(SourceSink sink, SourceBox box) {
        SourceClue moved = SourceClue.each(Cause.CONTAINER, sink, ".cpu()");
        return SourceClue.of(
                moved.cause(),
                moved.line(),
                moved.shown(),
                Stream.concat(moved.edits().stream(), box.bounded(sink).stream())
                        .toList());
    }
}
