package dev.leakline.python.keep;

import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.keep.KeptSearch.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The code that a program runs again and again around some calls: the loops that they are in, else what has them. */
final class RepeatedCode {
    private final SeenProgram seen;
    private final List<Call> calls;
    private @Nullable List<Region> regions;
    private boolean isLooping;

    /** The code around calls, the innermost of which comes first. */
    RepeatedCode(SeenProgram seen, List<Call> calls) {
        this.seen = seen;
        this.calls = calls;
    }

    /** The code of each loop around the calls, that of the outermost function's first loop first; what they run where none is seen. */
    // ---- What runs again and again, and where the labels begin

    List<Region> regions() {
        if (regions == null) {
            regions = repeated();
        }
        return regions;
    }

    private List<Region> repeated() {
        List<Region> regions = loops();
        List<Node> functions =
                calls.stream().map(Call::function).flatMap(Optional::stream).toList();
        if (regions.isEmpty()) { // another thread runs them
            seen.all(Stmt.class)
                    .filter(Region::isLoop)
                    .map(loop -> seen.region(inside(loop)))
                    .filter(region -> functions.stream().anyMatch(region::isCalled))
                    .forEach(regions::add);
        }
        isLooping = !regions.isEmpty();
        if (!isLooping) {
            List<Node> called = functions.size() > 1 ? functions.subList(0, functions.size() - 1) : functions;
            regions.add(seen.region(called));
        }
        return regions;
    }

    /** The code that the loops around the calls repeat. */
    private List<Region> loops() {
        List<Region> regions = new ArrayList<>();
        for (Call call : calls.reversed()) {
            List<Node> loops = new ArrayList<>();
            Optional<Node> next = call.file()
                    .statementAt(call.line())
                    .flatMap(statement ->
                            isGenerating(statement) ? Optional.of(statement) : Region.loop(call.file(), statement));
            while (next.isPresent()) {
                loops.addFirst(next.get());
                next = Region.loop(call.file(), next.get());
            }
            List<Node> run = calls.subList(0, calls.indexOf(call)).stream()
                    .map(Call::function)
                    .flatMap(Optional::stream)
                    .toList();
            loops.forEach(loop -> regions.add(seen.region(
                    Stream.concat(inside(loop).stream(), run.stream()).toList())));
        }
        return regions;
    }

    /** Methods that nothing of the program calls: a framework may, at each step. */
    Region uncalled() {
        Set<Node> called = seen.called();
        return seen.region(seen.all(Stmt.FunctionDef.class)
                .filter(function -> seen.file(function).parent(function) instanceof Stmt.ClassDef)
                .filter(function -> !called.contains(function))
                .toList());
    }

    /** The body of a loop, and the head that is gone through with it. */
    private static List<Node> inside(Node loop) {
        List<Node> inside = new ArrayList<>(Region.body(loop));
        if (loop instanceof Stmt.For it) {
            inside.add(it.iter());
        } else if (loop instanceof Stmt.While it) {
            inside.add(it.test());
        }
        return inside;
    }

    private boolean isGenerating(Stmt statement) {
        return statement instanceof Stmt.For it && seen.facts().value(it.iter()).isOnly(Heap.Kind.GENERATOR);
    }

    /** Returns whether a node runs again and again. */
    boolean isRepeated(Node node) {
        return regions().stream().anyMatch(region -> region.contains(seen.file(node), node));
    }

    /** Returns whether a node runs again and again, or stands in the function of a call. */
    boolean isRun(Node node) {
        Stmt function = seen.file(node).definition(node).orElse(null);
        return isRepeated(node)
                || (function != null
                        && calls.stream()
                                .limit(KeptSearch.CALLS)
                                .anyMatch(call -> call.function().orElse(null) == function));
    }

    /** Returns whether a loop around the calls runs a node. */
    boolean isLooped(Node node) {
        return isRepeated(node) && isLooping;
    }
}
