package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.ProgramFlow;
import dev.leakline.python.flow.SourceFile;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a program that are at hand, with the values that its flow gives their expressions. */
final class SeenProgram {
    private final Program program;
    private final FlowFacts facts;
    private final IdentityHashMap<Node, SourceFile> files = new IdentityHashMap<>();
    private final boolean isWhole;

    /**
     * Runs the flow of a program.
     *
     * @param isRunAsScript whether a line is known to be run that no function has, as the first of a script is
     */
    SeenProgram(Program program, boolean isRunAsScript) {
        this.program = program;
        this.facts = ProgramFlow.run(program, Set.of());
        program.files().forEach(file -> file.nodes().forEach(node -> files.put(node, file)));
        this.isWhole = isRunAsScript
                || all(Stmt.If.class).anyMatch(it -> file(it).text(it.test()).startsWith("__name__ =="));
    }

    /** The flow without labels. */
    FlowFacts facts() {
        return facts;
    }

    /** The facts of a flow whose labels begin at some expressions. */
    FlowFacts labelled(Collection<? extends Node> seeds) {
        Set<Node> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(seeds);
        return ProgramFlow.run(program, set);
    }

    // ---- What those ask who look for keepers that the flow does not show

    /** The nodes of a class in all files. */
    <N extends Node> Stream<N> all(Class<N> type) {
        return program.files().stream().flatMap(file -> file.all(type));
    }

    /** The file of a node. */
    SourceFile file(Node node) {
        return files.getOrDefault(node, program.files().iterator().next());
    }

    /** Code that is run with some statements or functions. */
    Region region(Collection<? extends Node> bodies) {
        return Region.of(bodies, facts);
    }

    /** Something that is known to keep what it is given, with the edit that ends it, if any. */
    Keeper keeper(Keeper.Kind kind, Node at, Optional<Cure> cure, boolean isGuess) {
        return new Keeper(kind, file(at), at, cure.stream().toList(), isGuess);
    }

    /** Returns whether all of the program is at hand: a line outside of functions is run, or a file is run as a script. */
    boolean isWhole() {
        return isWhole;
    }

    /** Returns whether a line of the program may change a tensor in place. */
    boolean isChanging() {
        return all(Expr.Call.class).anyMatch(call -> isInPlace(call.method()) || call.given("inplace") != null)
                || all(Stmt.AugAssign.class)
                        .anyMatch(it -> facts.value(it.target()).mayBeTensor())
                || all(Stmt.Assign.class)
                        .flatMap(it -> it.targets().stream())
                        .anyMatch(target -> target instanceof Expr.Subscript item
                                && facts.value(item.value()).mayBeTensor());
    }

    /** Returns whether a method changes its tensor, by the name that PyTorch gives those. */
    private static boolean isInPlace(String method) {
        return method.endsWith("_") && !method.endsWith("__");
    }

    /** Returns whether an expression is given a value, itself or as one of a tuple. */
    boolean isTarget(Expr expression) {
        return file(expression).parent(expression) instanceof Expr.Tuple tuple
                ? isTarget(tuple)
                : file(expression).isTarget(expression);
    }

    /** Returns whether a node stands under a condition within its function. */
    boolean isConditional(Node node) {
        return file(node)
                .around(node, each -> each instanceof Stmt.If || each instanceof Stmt.FunctionDef)
                .filter(Stmt.If.class::isInstance)
                .isPresent();
    }

    /** The expressions that come to one of the collections that something is added to; by its name where nobody sees it made. */
    Stream<? extends Node> uses(Kept kept) {
        String name = kept.file().text(kept.target());
        Set<Heap> heaps = heaps(kept);
        if (!heaps.isEmpty()) {
            return facts.uses(heaps).stream();
        }
        return kept.target() instanceof Expr.Attribute target
                ? all(Expr.Attribute.class).filter(it -> it.attr().equals(target.attr()))
                : kept.file()
                        .all(Expr.class)
                        .filter(node -> kept.file().text(node).equals(name));
    }

    /** The collections that something is added to, as the flow without labels has them. */
    Set<Heap> heaps(Kept kept) {
        return facts.value(kept.target()).heap();
    }

    /** The functions that a bound method stands for. */
    List<Stmt.FunctionDef> methods(Heap method) {
        return method.functions().stream()
                .map(Heap::node)
                .filter(Stmt.FunctionDef.class::isInstance)
                .map(Stmt.FunctionDef.class::cast)
                .toList();
    }

    /** The functions that a value may be, or be a method by. */
    Stream<Node> functions(Node value) {
        return facts.value(value).heap().stream()
                .flatMap(heap -> heap.kind() == Heap.Kind.METHOD ? heap.functions().stream() : Stream.of(heap))
                .filter(heap -> heap.kind() == Heap.Kind.FUNCTION)
                .map(Heap::node);
    }

    /** Returns whether an expression calls a function or class of the program. */
    boolean isCalling(Node call, @Nullable Node callee) {
        return facts.callees(call).stream().anyMatch(each -> each == callee);
    }

    /** The functions and classes of the program that something calls. */
    Set<Node> called() {
        Set<Node> called = Collections.newSetFromMap(new IdentityHashMap<>());
        files.keySet().forEach(node -> called.addAll(facts.callees(node)));
        return called;
    }
}
