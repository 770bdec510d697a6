package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowValue;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parts that a program takes of the tensors that it reads from a collection. Wherever the flow brings one, each expression that has it
 * is looked at: one that is not known to take only a shape or numbers takes all.
 */
final class Taken {
    /** Parts of a tensor that have an effect, each with those before it. */
    enum Part {
        /** Its shape and type, which a tensor without memory has too. */
        SHAPE,
        /** Numbers that are computed from it and from others of the collection, wherever they lie. */
        NUMBERS,
        /** Anything, its device or its graph. */
        ALL
    }

    /** Objects within objects that are followed. */
    private static final int DEPTH = 3;

    private final SeenProgram seen;
    private final FlowFacts facts;
    private boolean isAnythingRead;
    private final Set<Node> called = Collections.newSetFromMap(new IdentityHashMap<>());

    private Taken(SeenProgram seen, FlowFacts facts) {
        this.seen = seen;
        this.facts = facts;
        seen.all(Expr.Call.class).forEach(call -> called.addAll(facts.callees(call)));
    }

    /**
     * The most that is taken; all where nothing is, since what is only kept may be for a reader that nobody sees.
     *
     * @param collections the expressions that come to the collection
     */
    static Part of(SeenProgram seen, List<? extends Node> collections) {
        List<Node> seeds = new ArrayList<>(collections);
        FlowFacts facts = seen.labelled(seeds);
        List<Expr.Attribute> more = attributes(seen, facts, seeds);
        for (int depth = 0; depth < DEPTH && !more.isEmpty(); depth++) {
            seeds.addAll(more);
            facts = seen.labelled(seeds);
            more = attributes(seen, facts, seeds);
        }
        if (collections.isEmpty() || !more.isEmpty() || facts.isMixed() || facts.isBackward()) {
            return Part.ALL;
        }
        Taken taken = new Taken(seen, facts);
        Part most = seen.all(Expr.class).filter(taken::mayHave).map(taken::part).reduce(Part.SHAPE, Taken::most);
        return taken.isAnythingRead ? most : Part.ALL;
    }

    /** Returns whether the objects that have a collection as an attribute stay with code that is at hand. */
    static boolean isInside(SeenProgram seen, Set<Heap> collections) {
        Set<Heap> owners = seen.all(Expr.Attribute.class)
                .filter(it -> seen.facts().value(it).heap().stream().anyMatch(collections::contains))
                .flatMap(it -> seen.facts().value(it.value()).heap().stream())
                .filter(heap -> heap.kind() == Heap.Kind.INSTANCE)
                .collect(Collectors.toSet());
        return seen.facts().uses(owners).stream().allMatch(use -> {
            SourceFile file = seen.file(use);
            return switch (file.parent(use)) {
                case Expr.Attribute it -> it.value() == use;
                case Expr.Call it -> !seen.facts().callees(it).isEmpty();
                case Node.Keyword it ->
                    file.parent(it) instanceof Expr.Call call
                            && !seen.facts().callees(call).isEmpty();
                case Expr.Tuple it -> file.parent(it) instanceof Stmt.Assign;
                case Stmt.Assign _, Stmt.Return _, Stmt.Expression _, Expr.Compare _ -> true;
                case null, default -> false;
            };
        });
    }

    /** The attributes of objects that are read from the collection, which have no label from those. */
    private static List<Expr.Attribute> attributes(SeenProgram seen, FlowFacts facts, List<Node> known) {
        Set<Heap> objects = seen.all(Expr.class)
                .map(facts::value)
                .filter(value -> value.label() > 0)
                .flatMap(value -> value.heap().stream())
                .filter(heap -> heap.kind() == Heap.Kind.INSTANCE)
                .collect(Collectors.toSet());
        Set<Node> types = Collections.newSetFromMap(new IdentityHashMap<>());
        objects.forEach(heap -> types.add(heap.node()));
        return types.isEmpty()
                ? List.of()
                : seen.all(Expr.Attribute.class)
                        .filter(it -> facts.value(it.value()).heap().stream()
                                .anyMatch(heap -> heap.kind() == Heap.Kind.INSTANCE && types.contains(heap.node())))
                        .filter(it -> known.stream().noneMatch(each -> each == it))
                        .toList();
    }

    private static Part most(Part one, Part other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private FlowValue value(Node node) {
        return facts.value(node);
    }

    /** Returns whether an expression may come to such a tensor, or to something that has one. */
    private boolean mayHave(Node node) {
        return value(node).reached() > 0 && value(node).mayHaveTensor();
    }

    /** Returns whether an expression may be a tensor itself. */
    private boolean mayBe(Node node) {
        return value(node).mayBeTensor();
    }

    private Part ifTensor(Node node, Part part) {
        return mayBe(node) ? part : Part.SHAPE;
    }

    private Part part(Expr node) {
        SourceFile file = seen.file(node);
        Node parent = file.parent(node);
        return switch (parent) {
            case Expr.Attribute it -> attribute(file, it, node);
            case Expr.Subscript it ->
                it.value() == node && !(isWritten(file, it) && mayBe(node)) ? Part.SHAPE : Part.ALL;
            case Expr.Call it
            when it.func() == node -> value(node).isOpen() && value(node).label() > 0 ? Part.ALL : Part.SHAPE;
            case Expr.Call it -> argument(file, it, node);
            case Node.Keyword it when file.parent(it) instanceof Expr.Call call -> handed(call);
            case Expr.BinOp it -> it.op() == Expr.Operator.MOD ? Part.ALL : ifTensor(node, Part.NUMBERS);
            case Expr.UnaryOp _, Expr.BoolOp _ -> ifTensor(node, Part.NUMBERS);
            case Stmt.AugAssign it -> it.target() == node ? ifTensor(node, Part.ALL) : ifTensor(node, Part.NUMBERS);
            case Expr.Compare it -> compared(it, node);
            case Expr.IfExp it when it.test() == node -> ifTensor(node, Part.NUMBERS);
            case Stmt.If _, Stmt.While _ -> ifTensor(node, Part.NUMBERS);
            case Stmt.Assert it -> it.test() == node ? ifTensor(node, Part.NUMBERS) : Part.ALL;
            case Stmt.Assign it ->
                it.targets().stream().allMatch(target -> target == node || isSeen(target)) ? Part.SHAPE : Part.ALL;
            case Stmt.AnnAssign it -> it.target() == node || isSeen(it.target()) ? Part.SHAPE : Part.ALL;
            case Stmt.Return _, Expr.Yield _, Expr.YieldFrom _ ->
                called.contains(file.function(node).orElse(null)) ? Part.SHAPE : Part.ALL;
            case Expr.Lambda it -> called.contains(it) ? Part.SHAPE : Part.ALL;
            case Expr.IfExp _,
                    Expr.NamedExpr _,
                    Expr.Tuple _,
                    Expr.ListDisplay _,
                    Expr.Dict _,
                    Expr.Starred _,
                    Expr.Await _,
                    Node.Comprehension _,
                    Expr.ListComp _,
                    Expr.GeneratorExp _,
                    Expr.DictComp _,
                    Stmt.For _,
                    Stmt.Delete _,
                    Stmt.Expression _ -> Part.SHAPE;
            case null, default -> Part.ALL;
        };
    }

    /** Returns whether the flow follows what a target is given. */
    private boolean isSeen(Expr target) {
        return switch (target) {
            case Expr.Name _ -> true;
            case Expr.Attribute it -> isOfObject(it.value());
            case Expr.Subscript it -> isOfObject(it.value());
            case Expr.Tuple it -> it.elts().stream().allMatch(this::isSeen);
            case Expr.Starred it -> isSeen(it.value());
            default -> false;
        };
    }

    /** Returns whether an expression comes to objects that the flow knows, and that nobody reaches by a name. */
    private boolean isOfObject(Expr expression) {
        Set<Heap> heaps = value(expression).heap();
        return !heaps.isEmpty()
                && !value(expression).isOpen()
                && heaps.stream().noneMatch(heap -> heap.kind() == Heap.Kind.CLASS || heap.kind() == Heap.Kind.MODULE);
    }

    private static boolean isWritten(SourceFile file, Expr.Subscript it) {
        return (file.parent(it) instanceof Stmt.Assign assign && assign.value() != it)
                || (file.parent(it) instanceof Stmt.AugAssign augmented && augmented.target() == it);
    }

    private Part attribute(SourceFile file, Expr.Attribute it, Expr of) {
        if (mayBe(of)) {
            isAnythingRead = true;
            boolean isNumbers = NameSets.has("TAKEN_NUMBERS", it.attr())
                    && file.parent(it) instanceof Expr.Call call
                    && call.func() == it
                    && call.given("out") == null;
            return NameSets.has("TAKEN_SHAPES", it.attr()) ? Part.SHAPE : isNumbers ? Part.NUMBERS : Part.ALL;
        }
        boolean isOfObjects = value(of).heap().stream()
                .allMatch(heap -> heap.kind() == Heap.Kind.INSTANCE
                        || heap.kind() == Heap.Kind.MODULE
                        || heap.kind() == Heap.Kind.CLASS);
        return isOfObjects
                ? (value(it).isOpen() ? Part.ALL : Part.SHAPE)
                : file.isCalled(it) && NameSets.has("TAKEN_MOVES", it.attr()) ? Part.SHAPE : Part.ALL;
    }

    private Part argument(SourceFile file, Expr.Call call, Expr given) {
        String name = file.fullName(call.func());
        boolean isBare = call.keywords().stream().allMatch(keyword -> "dim".equals(keyword.arg()));
        if (!facts.callees(call).isEmpty()) {
            return handed(call);
        }
        if (name.equals("getattr")
                && call.args().size() > 1
                && mayBe(call.args().getFirst())) {
            isAnythingRead = true;
            String attribute = file.text(call.args().get(1));
            boolean isShape = attribute.length() > 2
                    && NameSets.has("TAKEN_SHAPES", attribute.substring(1, attribute.length() - 1));
            return isShape ? Part.SHAPE : Part.ALL;
        }
        if (NameSets.has("TAKEN_HANDING", name)) {
            return Part.SHAPE;
        }
        if (NameSets.has("TAKEN_COUNTING", name)) {
            isAnythingRead |= mayBe(given);
            return Part.NUMBERS;
        }
        if (name.equals("sorted")) {
            return value(given).isOnly(Heap.Kind.DICT) && isBare ? Part.SHAPE : Part.ALL;
        }
        if (isBare && NameSets.has("TAKEN_COMPUTING", name)) {
            return Part.NUMBERS;
        }
        boolean isAdding =
                call.receiver() instanceof Expr of && !mayBe(of) && NameSets.has("TAKEN_MOVES", call.method());
        return isAdding ? Part.SHAPE : handed(call);
    }

    /** The part that a call takes: the shape in the program's own code, where the flow goes on; else all. */
    private Part handed(Expr.Call call) {
        boolean isOwn = !facts.callees(call).isEmpty()
                || value(call.func()).heap().stream()
                        .anyMatch(heap -> heap.node() instanceof Stmt.ClassDef type
                                && type.bases().isEmpty());
        return isOwn && !value(call.func()).isOpen() ? Part.SHAPE : Part.ALL;
    }

    private Part compared(Expr.Compare it, Expr node) {
        boolean isIdentity = it.ops().stream().allMatch(op -> op == Expr.CmpOp.IS || op == Expr.CmpOp.IS_NOT);
        boolean isKey = it.ops().stream().allMatch(op -> op == Expr.CmpOp.IN || op == Expr.CmpOp.NOT_IN)
                && it.left() != node
                && value(node).isOnly(Heap.Kind.DICT);
        boolean isOrder = it.ops().stream().noneMatch(op -> op == Expr.CmpOp.IN || op == Expr.CmpOp.NOT_IN);
        return isIdentity || isKey ? Part.SHAPE : isOrder ? ifTensor(node, Part.NUMBERS) : Part.ALL;
    }
}
