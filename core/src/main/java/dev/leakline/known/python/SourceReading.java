package dev.leakline.known.python;

import dev.leakline.known.AdvisedLimit;
import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.known.ModuleCall;
import dev.leakline.known.python.SourceUse.Kind;
import dev.leakline.known.python.SourceUse.Sink;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.Told;
import dev.leakline.result.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides the cause of a leak by the lines of the source: those of the function that allocates, then of those that called it, until one keeps
 * the value. What the dump showed is not doubted; then only the edit comes from here.
 *
 * <p>Lines are read one by one, as text. That is enough for the few words that matter, and what it does not understand changes nothing.
 */
public final class SourceReading {
    /** Calls that a value is followed through; what is further away was not kept by a line that a reader would connect with it. */
    private static final int CALLS = 4;

    private static final Pattern NO_GRAD = Pattern.compile(".*\\b(no_grad|inference_mode)\\(.*");
    private static final Pattern SUSPENDED = Pattern.compile(".*\\b(yield|await)\\b.*");
    private static final Pattern AUTOCAST = Pattern.compile("\\s*with\\s.*\\bautocast\\((?<options>[^)]*)\\).*");
    private static final Pattern GRADIENT = Pattern.compile("\\.grad\\b(?!\\.)");
    private static final Pattern LOOP = Pattern.compile("\\s*(async\\s+)?(for|while)\\b.*");

    private final Finding finding;
    private final Function<Frame, List<String>> files;

    private SourceReading(Finding finding, Function<Frame, List<String>> files) {
        this.finding = finding;
        this.files = files;
    }

    /**
     * The finding with the cause that the source shows; as it is where that shows none.
     *
     * @param files the lines of a frame's file, none where it is not at hand
     */
    public static Finding of(Finding finding, Function<Frame, List<String>> files) {
        Explanation explanation = finding.explanation();
        return finding.kind() == Finding.Kind.LEAK && explanation != null
                ? new SourceReading(finding, files).told(explanation)
                : finding;
    }

    private Finding told(Explanation explanation) {
        Optional<Cause> known = Cause.told(finding.title());
        Optional<SourceClue> read = known.flatMap(this::read);
        if (read.isEmpty()) {
            return finding;
        }
        SourceClue found = read.get();
        boolean isOfDump = explanation.basis() == Basis.DUMP;
        boolean isOpen = explanation.basis() == Basis.INFERRED || known.get().isGeneral();
        boolean isMore = isOpen || (known.get().isOfObjects() && !found.cause().isGeneral());
        if (!found.cause().id().equals(finding.cause()) && (!isMore || isOfDump)) {
            return finding;
        }
        Cause cause = isOpen || (isMore && !isOfDump) ? found.cause() : known.get();
        Told told = isOfDump ? new Diagnosis(cause, Basis.DUMP, List.of()).told() : shown(cause, known.get(), found);
        return finding.withCause(told, advice(cause, known.get(), found, isOfDump));
    }

    private static Told shown(Cause cause, Cause known, SourceClue found) {
        List<String> others = found.isGuess() ? List.of(known.id()) : List.of();
        Basis basis = found.isGuess() ? Basis.INFERRED : Basis.SOURCE;
        return new Told(found.title(cause), cause.id(), new Explanation(basis, found.text(cause), others));
    }

    /** The advice of the finding, where its cause is the same, else that of the cause; the first with the edit of the very line. */
    private List<Advice> advice(Cause cause, Cause known, SourceClue found, boolean isOfDump) {
        boolean isSame = cause.id().equals(finding.cause())
                && (isOfDump || cause.equals(known))
                && finding.advice().size() > 0;
        List<Advice> all = isSame && !cause.equals(Cause.CONTAINER)
                ? finding.advice()
                : cause.inSource().advice(finding.bytes(), AdvisedLimit.of(finding), finding.device() < 0);
        return Stream.concat(
                        all.stream().limit(1).map(first -> edited(first, found)),
                        all.stream().skip(1))
                .toList();
    }

    private Advice edited(Advice general, SourceClue found) {
        return found.before().isBlank() || found.before().equals(found.after())
                ? general
                : general.withExample(found.before(), AdvisedLimit.in(found.after(), AdvisedLimit.of(finding)));
    }

    private Optional<SourceClue> read(Cause known) {
        List<Frame> frames = new ArrayList<>(finding.stack());
        frames.remove(finding.site().frame());
        frames.addFirst(finding.site().frame());
        List<SourceStep> steps = SourceStep.of(frames, files);
        Optional<SourceClue> found = known.isWithoutHolder()
                ? steps.stream()
                        .flatMap(step -> SourceMemo.ofObjects(step).stream())
                        .findFirst()
                : Optional.empty();
        int read = 0;
        boolean isSuspended = false;
        for (Frame frame : frames) {
            List<String> file = files.apply(frame);
            boolean isThere = frame.line() > 0 && frame.line() <= file.size() && read < CALLS;
            if (isThere && found.isEmpty()) {
                read++;
                PythonFunction function = PythonFunction.of(file, frame.line());
                found = read(known, file, function, frame.line());
                isSuspended |= found.isEmpty() && read == 1 && isSuspended(function, frame.line());
                if (found.isEmpty() && isSuspended && !known.isOfObjects()) {
                    return Optional.of(SourceClue.of(Cause.GENERATOR_SUSPENDED, frame.line(), "", ""));
                }
            }
        }
        return found.or(() -> ofFiles(known, frames, steps));
    }

    /** What is read in the files as a whole, where no line of the calls keeps the value. */
    private Optional<SourceClue> ofFiles(Cause known, List<Frame> frames, List<SourceStep> steps) {
        Optional<SourceClue> graph = steps.stream()
                .limit(known.isWithoutHolder() ? 1 : 0)
                .flatMap(step -> SourceBackward.withGraph(step).stream())
                .findFirst();
        boolean isOfHook = isMadeByModule() && known.isWithoutHolder() && !known.isOfObjects();
        Stream<SourceClue> hooks =
                steps.stream().filter(_ -> isOfHook).flatMap(step -> SourcePiledHooks.of(step).stream());
        return graph.or(hooks::findFirst)
                .or(() -> known.isGeneral() && isMadeByModule() ? ofHook(frames) : Optional.empty())
                .or(() -> known.isGeneral() ? ofKeepers(frames) : Optional.empty());
    }

    /** What is known to keep what it is given: metrics, dictionaries with weak keys, logs. */
    private Optional<SourceClue> ofKeepers(List<Frame> frames) {
        return frames.stream()
                .filter(frame ->
                        frame.line() > 0 && frame.line() <= files.apply(frame).size())
                .limit(CALLS)
                .flatMap(frame -> ofKeepers(files.apply(frame), frame.line()).stream())
                .findFirst();
    }

    private static Optional<SourceClue> ofKeepers(List<String> file, int line) {
        PythonFunction function = PythonFunction.of(file, line);
        return SourceMetrics.unreset(file, function, line)
                .or(() -> SourceWeakKeys.referringBack(file))
                .or(() -> SourceLogging.keeping(file, function, line));
    }

    /** Whether it was a module that allocated: then hooks may have seen it. */
    private boolean isMadeByModule() {
        return finding.evidence().stream()
                .map(Finding.Proof::site)
                .anyMatch(site -> site != null && site.frame().function().equals(ModuleCall.FORWARD));
    }

    /** The hook that stores what it is given, where the file of a call registers one: no frame of what a module made names those who saw it. */
    private Optional<SourceClue> ofHook(List<Frame> frames) {
        return frames.stream()
                .map(files)
                .flatMap(file -> SourceHooks.storing(file).stream())
                .findFirst()
                .map(sink -> SourceClue.each(Cause.HOOK, sink, ".detach().cpu()"));
    }

    private static boolean isSuspended(PythonFunction function, int line) {
        for (int next = line; next < function.end(); next++) {
            if (SUSPENDED.matcher(function.line(next)).matches()) {
                return true;
            }
        }
        return false;
    }

    private static Optional<SourceClue> read(Cause known, List<String> file, PythonFunction function, int line) {
        Optional<SourceClue> memo = SourceMemo.ofResults(function);
        if (memo.isPresent()) {
            return memo;
        }
        Optional<SourceClue> handled = SourceHandlers.keeping(known, function, line);
        if (handled.isPresent()) {
            return handled;
        }
        if (known.isOfAllocation()) {
            return ofGradients(known, function, line);
        }
        int hook = SourceHooks.registration(function, line);
        if (hook > 0 && known.isGeneral()) {
            String before = function.line(hook).strip();
            return Optional.of(SourceClue.of(
                    Cause.HOOKS_PILE_UP,
                    hook,
                    before,
                    "handle = " + before.replaceFirst("^[\\w.]+\\s*=\\s*", "") + "; ...; handle.remove()"));
        }
        Optional<Sink> sink = SourceUse.of(function, line, known.id().equals(Cause.GRAPH_KEPT.id()));
        if (sink.isPresent() && callsGenerator(file, function.line(line))) {
            String before = sink.get().text().strip();
            String box = sink.get().box();
            String value = sink.get().value();
            return Optional.of(SourceClue.of(
                    Cause.GENERATOR_SUSPENDED,
                    sink.get().line(),
                    before,
                    before + "; ...; " + box + ".remove(" + value + "); " + value + ".close()"));
        }
        boolean isWeak =
                sink.isPresent() && SourceWeakKeys.isWeak(file, sink.get().box());
        Optional<SourceClue> weak = isWeak && known.isGeneral() ? SourceWeakKeys.referringBack(file) : Optional.empty();
        return weak.or(() -> sink.isPresent() ? ofSink(known, function, line, sink.get()) : ofAutocast(function, line));
    }

    /** Whether a line calls a generator or a coroutine of the same file. */
    private static boolean callsGenerator(List<String> file, String text) {
        return PythonDefinition.all(file).stream()
                .filter(found -> Pattern.compile("\\b" + found.name() + "\\(")
                        .matcher(text)
                        .find())
                .anyMatch(found -> isSuspended(found.body(), found.first()));
    }

    /** Where gradients are added to something after the backward pass. */
    private static Optional<SourceClue> ofGradients(Cause known, PythonFunction function, int line) {
        return function.after(line).stream()
                .map(next -> SourceUse.of(function, next, false).filter(sink -> sink.line() == next))
                .flatMap(Optional::stream)
                .filter(sink -> GRADIENT.matcher(sink.value()).find())
                .findFirst()
                .map(sink -> SourceClue.edit(
                        known, sink, GRADIENT.matcher(sink.value()).replaceAll(".grad.detach().cpu()")));
    }

    /** What a line that keeps the value says; of causes that are known by what is allocated, it says nothing. */
    private static Optional<SourceClue> ofSink(Cause known, PythonFunction function, int line, Sink sink) {
        boolean isFreed = sink.value().contains(".detach()")
                || function.isUnder(line, text -> NO_GRAD.matcher(text).matches());
        boolean mayBeGraph = known.id().equals(Cause.GRAPH_KEPT.id());
        if (mayBeGraph && !isFreed) {
            return Optional.of(ofGraph(function, line, sink));
        }
        if (known.equals(Cause.HOOK)) {
            return Optional.of(SourceClue.each(known, sink, ".detach().cpu()"));
        }
        boolean isOpen =
                mayBeGraph || known.isGeneral() || known.equals(Cause.EXCEPTION) || known.equals(Cause.BACKLOG);
        return isOpen ? Optional.of(ofContainer(sink)) : Optional.empty();
    }

    private static SourceClue ofGraph(PythonFunction function, int line, Sink sink) {
        boolean isRetained = function.after(line).stream()
                .anyMatch(next -> function.line(next).contains("retain_graph=True"));
        Cause cause = isRetained ? Cause.GRAPH_RETAINED : Cause.GRAPH_KEPT;
        String text = sink.text().strip();
        return switch (sink.kind()) {
            case ADDED, STORED -> SourceClue.each(cause, sink, ".detach().cpu()");
            case SUMMED -> SourceClue.edit(cause, sink, sink.value() + ".detach()");
            case CARRIED ->
                SourceClue.of(cause, sink.line(), text, text + "; " + sink.box() + " = " + sink.box() + ".detach()");
        };
    }

    private static SourceClue ofContainer(Sink sink) {
        if (sink.value().matches(".*\\[[^\\]]*:[^\\]]*\\]")) {
            return SourceClue.edit(Cause.VIEW, sink, sink.value() + ".clone()");
        }
        if (sink.kind() == Kind.STORED) {
            String box = sink.box();
            String before = sink.text().strip();
            String evict = before + "; " + box + ".pop(next(iter(" + box + "))) if len(" + box + ") > 64 else None";
            return SourceClue.of(Cause.CACHE_GROWS, sink.line(), before, evict);
        }
        return SourceClue.each(Cause.CONTAINER, sink, ".cpu()");
    }

    /** Autocast around the loop in which a line stands. */
    private static Optional<SourceClue> ofAutocast(PythonFunction function, int line) {
        boolean isInLoop = false;
        for (int block : function.blocks(line)) {
            Matcher autocast = AUTOCAST.matcher(function.line(block));
            if (isInLoop && autocast.matches() && !autocast.group("options").contains("cache_enabled")) {
                String before = function.line(block).strip();
                String options = autocast.group("options");
                return Optional.of(SourceClue.of(
                        Cause.AUTOCAST_CACHE,
                        block,
                        before,
                        before.replace(options, options + ", cache_enabled=False")));
            }
            isInLoop |= LOOP.matcher(function.line(block)).matches();
        }
        return Optional.empty();
    }
}
