package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.ModuleCall;
import dev.leakline.known.edit.SourceFiles;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceCallees;
import dev.leakline.known.python.SourceModules;
import dev.leakline.known.python.SourceReturn;
import dev.leakline.known.python.SourceStep;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Searches the source of a leak's calls for what keeps its memory: first for objects that keep themselves, then along the calls for the line that
 * keeps the value, then in all that the steps run.
 */
final class SourceSearch {
    /** Calls that a value is followed through; what is further away was not kept by a line that a reader would connect with it. */
    private static final int CALLS = 4;

    private static final String PYTHON = ".py";
    private static final String FUNCTIONAL = "torch/nn/functional.py";

    private final Finding finding;
    private final Cause known;
    private final Function<Frame, List<String>> files;
    private final List<Frame> frames;
    private final List<SourceStep> steps;
    private final SourceModules modules;

    SourceSearch(Finding finding, Cause known, SourceFiles files) {
        this.finding = finding;
        this.known = known;
        this.files = files::of;
        this.frames = calls(finding).map(files::first).toList();
        this.steps = SourceStep.of(frames, this.files);
        this.modules = new SourceModules(this.files);
    }

    /** The calls that allocated, the innermost first; where none was recorded, the program whose dump names who holds it. */
    private static Stream<Frame> calls(Finding finding) {
        if (finding.site().kind() == Site.Kind.FIGURE) {
            return finding.holders().stream().map(SourceSearch::program);
        }
        List<Frame> calls = new ArrayList<>(finding.stack());
        calls.remove(finding.site().frame());
        calls.addFirst(finding.site().frame());
        return calls.stream();
    }

    /** The first line of a program, which is named by its file or by its module. */
    private static Frame program(FindingHolder holder) {
        String name = holder.program();
        return new Frame(name.endsWith(PYTHON) ? name : name.replace('.', '/') + PYTHON, 1, "");
    }

    /** The line that shows the cause. */
    Optional<SourceClue> find() {
        List<SourceClue> objects = known.isWithoutHolder()
                ? ofObjects()
                : known.equals(Cause.CYCLE) ? ofContexts().toList() : List.of();
        return ofHeld().or(
                        () -> objects.stream().filter(clue -> !clue.isGuess()).findFirst())
                .or(() -> known.equals(Cause.CYCLE) ? Optional.empty() : ofCalls())
                .or(() -> objects.stream().findFirst())
                .or(this::ofSteps)
                .or(() -> known.isGeneral() ? ofKeepers() : Optional.empty())
                .or(() -> known.isGeneral() || known.equals(Cause.EXCEPTION) ? ofHandlers() : Optional.empty())
                .or(() -> known.isGeneral() ? ofCollector() : Optional.empty());
    }

    /** The line that adds to the collection that a holder dump names. */
    private Optional<SourceClue> ofHeld() {
        return isOfDump() ? SourceHeld.of(known, finding, frames, modules) : Optional.empty();
    }

    private boolean isOfDump() {
        return finding.explanation() != null && finding.explanation().basis() == Basis.DUMP;
    }

    /** Objects that something keeps as long as they are there. */
    private List<SourceClue> ofObjects() {
        Stream<SourceClue> memos = steps.stream().flatMap(step -> SourceMemo.ofObjects(step).stream());
        Stream<SourceClue> contexts = ofContexts();
        Stream<SourceClue> finalizers =
                atHand().flatMap(frame -> SourceFinalizers.keeping(files.apply(frame), function(frame)).stream());
        Stream<SourceClue> registered =
                atHand().flatMap(frame -> SourceRegistrations.of(known, function(frame), frame.line()).stream());
        Stream<SourceClue> objects =
                steps.stream().flatMap(step -> SourceRegistrations.ofObjects(known, step).stream());
        return Stream.of(memos, contexts, finalizers, registered, objects)
                .flatMap(Function.identity())
                .toList();
    }

    /** Functions of autograd whose contexts keep their outputs. */
    private Stream<SourceClue> ofContexts() {
        return atHand().map(files)
                .distinct()
                .flatMap(file -> SourceContexts.keeping(file, finding.site().frame()).stream());
    }

    /** The frames whose lines are at hand, those that a value is followed through. */
    private Stream<Frame> atHand() {
        return frames.stream()
                .filter(frame ->
                        frame.line() > 0 && frame.line() <= files.apply(frame).size())
                .limit(CALLS);
    }

    private PythonFunction function(Frame frame) {
        return PythonFunction.of(files.apply(frame), frame.line());
    }

    /** The line that keeps the value, in the function that makes it or in one that it is returned to. */
    private Optional<SourceClue> ofCalls() {
        boolean isReturned = true;
        boolean isSuspended = false;
        boolean isFirst = true;
        for (Frame frame : atHand().toList()) {
            PythonFunction function = function(frame);
            Optional<SourceClue> found =
                    new SourceKeeping(known, files.apply(frame), function, frame.line()).clue(isReturned);
            isSuspended |= isFirst && SourceGenerators.isSuspended(function, frame.line());
            isFirst = false;
            boolean isGiven = isReturned;
            isReturned &= !SourceReturn.isLetGo(function);
            if (found.isPresent()) {
                return found;
            }
            Optional<SourceClue> folded = isGiven ? folded(frame, function) : Optional.empty();
            if (folded.isPresent()) {
                return folded;
            }
            if (isSuspended && !known.isOfObjects()) {
                return atHand().map(files)
                        .distinct()
                        .flatMap(file -> SourceGenerators.registered(file, function).stream())
                        .findFirst()
                        .or(() -> Optional.of(SourceClue.of(Cause.GENERATOR_SUSPENDED, frame.line(), "", List.of())));
            }
        }
        return Optional.empty();
    }

    /** The call that gives the value to a function or an object of the program's, which adds it to what it has. */
    private Optional<SourceClue> folded(Frame frame, PythonFunction function) {
        if (!known.isGeneral() && !known.isWithoutHolder()) {
            return Optional.empty();
        }
        SourceCallees callees = SourceCallees.of(files.apply(frame), module -> modules.imported(frame, module));
        return new SourceFolding(known, callees, function, frame.line()).clue();
    }

    /** What a step runs that keeps what others made: gradients with graphs, hooks. */
    private Optional<SourceClue> ofSteps() {
        Optional<SourceClue> graph = steps.stream()
                .limit(known.isWithoutHolder() ? 1 : 0)
                .flatMap(step -> SourceBackward.withGraph(step).stream())
                .findFirst();
        boolean isOfHook = isMadeByModule() && known.isWithoutHolder() && !known.isOfObjects();
        Stream<SourceClue> hooks =
                steps.stream().filter(_ -> isOfHook).flatMap(step -> SourcePiledHooks.of(step).stream());
        return graph.or(hooks::findFirst).or(() -> known.isGeneral() && isMadeByModule() ? ofHook() : Optional.empty());
    }

    /** What is known to keep what it is given: metrics, tasks, dictionaries with weak keys, logs, sessions. */
    private Optional<SourceClue> ofKeepers() {
        return atHand().flatMap(frame -> ofKeepers(files.apply(frame), function(frame), frame.line()).stream())
                .findFirst();
    }

    /** What keeps exceptions in a file of the calls. */
    private Optional<SourceClue> ofHandlers() {
        return atHand().map(files)
                .distinct()
                .flatMap(file -> SourceHandlers.ofFile(file).stream())
                .findFirst();
    }

    /** A collector that is switched off. */
    private Optional<SourceClue> ofCollector() {
        return atHand().map(files)
                .flatMap(file -> SourceCollector.switchedOff(file).stream())
                .findFirst();
    }

    private static Optional<SourceClue> ofKeepers(List<String> file, PythonFunction function, int line) {
        return SourceMetrics.unreset(file, function, line)
                .or(() -> SourceTasks.keeping(file, function.name()))
                .or(() -> SourceWeakKeys.referringBack(file))
                .or(() -> SourceLogging.keeping(file, function, line))
                .or(() -> SourceSessions.growing(file, function, line));
    }

    /** Whether it was a module that allocated: then hooks may have seen it. */
    private boolean isMadeByModule() {
        return finding.evidence().stream().map(Finding.Proof::site).anyMatch(site -> site != null && isOfModule(site));
    }

    private static boolean isOfModule(Site site) {
        return site.frame().function().equals(ModuleCall.FORWARD)
                || site.frame().file().replace('\\', '/').endsWith(FUNCTIONAL);
    }

    /** The hook that stores what it is given, where the file of a call registers one: no frame of what a module made names those who saw it. */
    private Optional<SourceClue> ofHook() {
        return frames.stream()
                .map(files)
                .flatMap(file -> SourceHooks.storing(file).stream())
                .findFirst()
                .map(sink -> SourceClue.each(Cause.HOOK, sink, ".detach().cpu()"));
    }
}
