package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.List;

/** Tells of what a program adds whether it is there in the next step, and the more the longer it runs. */
final class Lasting {
    /** How deep collections in collections are followed. */
    private static final int DEPTH = 3;

    private final SeenProgram seen;

    Lasting(SeenProgram seen) {
        this.seen = seen;
    }

    /** Returns whether something is added to a collection that grows by it. */
    static boolean isCollected(Add add) {
        boolean isNumber = add.how() == How.SUM
                && add.to().heap().stream().noneMatch(heap -> heap.kind().isSummed());
        boolean isReplaced = add.how() == How.ITEM
                && (add.to().heap().stream().anyMatch(heap -> heap.kind().isSequence())
                        || add.key() instanceof Expr.Constant);
        boolean isUpdated = add.value() instanceof Expr.Dict it
                && add.key() == null
                && !(add.file().parent(add.at()) instanceof Stmt.Assign)
                && add.to().isOnly(Heap.Kind.DICT)
                && it.keys().stream().allMatch(Expr.Constant.class::isInstance);
        boolean isOther = isUpdated || add.how() == How.CARRIED || add.how() == How.CHAINED;
        return !isOther && !isNumber && !isReplaced && !add.to().isTensor();
    }

    /** Returns whether what is added to was there before the step, or nobody sees it made. */
    boolean outlives(Add add, Region region) {
        if (add.how() == How.CHAINED) {
            return true;
        }
        if (add.how() == How.CARRIED || (add.how() == How.SUM && add.to().heap().isEmpty())) {
            return !(add.target() instanceof Expr.Attribute it)
                    || seen.facts().value(it.value()).heap().isEmpty()
                    || seen.facts().value(it.value()).heap().stream().anyMatch(heap -> outlives(heap, region, DEPTH));
        }
        return add.to().heap().isEmpty()
                || add.to().isOpen()
                || add.to().heap().stream().anyMatch(heap -> outlives(heap, region, DEPTH));
    }

    private boolean outlives(Heap heap, Region region, int depth) {
        return switch (heap.kind()) {
            case MODULE, CLASS -> true;
            case INSTANCE -> {
                List<Expr.Call> made = seen.facts().constructed(heap.node());
                yield made.isEmpty() || made.stream().anyMatch(call -> !region.contains(seen.file(call), call));
            }
            default -> !region.contains(heap.file(), heap.node()) || (depth > 0 && isHeld(heap, region, depth - 1));
        };
    }

    /** Returns whether an object is put into one that was there before the step. */
    private boolean isHeld(Heap heap, Region region, int depth) {
        return seen.facts().adds().stream()
                .filter(add -> add.to().heap().stream().noneMatch(to -> to.node() == heap.node()))
                .filter(add -> add.added().heap().stream().anyMatch(each -> each.node() == heap.node()))
                .anyMatch(add -> add.to().heap().stream().anyMatch(to -> outlives(to, region, depth)));
    }

    /** Returns whether a variable is computed from its own value of the step before, and is no collection. */
    boolean isCarried(Add add, Region region) {
        boolean isCollection = !add.to().heap().isEmpty()
                && !add.to().heap().stream().allMatch(heap -> heap.kind() == Heap.Kind.TUPLE);
        return !isCollection && (add.how() == How.CARRIED || add.how() == How.SUM) && !isMadeAnew(add, region);
    }

    /** Returns whether a variable is given something else each time before it is computed from itself. */
    private boolean isMadeAnew(Add add, Region region) {
        String place = add.file().text(add.target());
        Node loop = Region.loop(add.file(), add.at()).orElse(null);
        boolean isLocal = add.target() instanceof Expr.Name && !isOuter(add);
        if (isLocal && loop == null) {
            return !(add.at() instanceof Stmt.AugAssign) || !isGiven(add);
        }
        return add.file()
                .all(Stmt.Assign.class)
                .filter(node -> node != add.at())
                .filter(node ->
                        isLocal ? (loop != null && add.file().isIn(node, loop)) : region.contains(add.file(), node))
                .filter(node -> !isGuarded(add.file(), node, place))
                .anyMatch(other -> other.targets().stream()
                                .anyMatch(target -> add.file().text(target).equals(place))
                        && !add.file().has(other.value(), place));
    }

    /** Returns whether something is added to a parameter. */
    private static boolean isGiven(Add add) {
        return add.file()
                .definition(add.at())
                .filter(it -> it.args().has(add.file().text(add.target())))
                .isPresent();
    }

    private static boolean isGuarded(SourceFile file, Node node, String place) {
        return file.around(node, each -> each instanceof Stmt.If it && file.has(it.test(), place))
                .isPresent();
    }

    private static List<String> outer(Node node) {
        return switch (node) {
            case Stmt.Global it -> it.names();
            case Stmt.Nonlocal it -> it.names();
            default -> List.of();
        };
    }

    /** Returns whether a name is a variable of something around the function. */
    private static boolean isOuter(Add add) {
        String name = add.file().text(add.target());
        return add.file()
                .function(add.at())
                .filter(function -> function.has(node -> outer(node).contains(name)))
                .isPresent();
    }

    /** Returns whether each object that a step makes keeps the one of the step before, and nothing takes that from it. */
    boolean isChained(Add add, Region region) {
        return add.how() == How.CHAINED
                && !(add.target() instanceof Expr.Attribute next && isUnchained(next.attr()))
                && seen.all(Stmt.Assign.class)
                        .filter(it -> region.contains(seen.file(it), it))
                        .filter(it -> seen.facts().value(it.value()).heap().stream()
                                .anyMatch(heap -> add.added().heap().stream()
                                        .anyMatch(each -> each.node() == heap.node() && each.kind() == heap.kind())))
                        .anyMatch(it -> it.targets().stream().anyMatch(target -> isLasting(it, target, region)));
    }

    /** Returns whether the program takes the one before from an object. */
    private boolean isUnchained(String attribute) {
        return seen.all(Expr.Attribute.class)
                .filter(it -> it.attr().equals(attribute))
                .anyMatch(it -> seen.file(it).parent(it) instanceof Stmt.Delete
                        || (seen.file(it).parent(it) instanceof Stmt.Assign assign
                                && assign.targets().contains(it)
                                && !it.value().isName("self")
                                && seen.facts().value(assign.value()).isNone()));
    }

    /** Returns whether a variable or an attribute that a step gives a value has it in the next step. */
    private boolean isLasting(Stmt.Assign at, Expr target, Region region) {
        SourceFile file = seen.file(at);
        return switch (target) {
            case Expr.Attribute it ->
                seen.facts().value(it.value()).heap().isEmpty()
                        || seen.facts().value(it.value()).heap().stream()
                                .anyMatch(heap -> outlives(heap, region, DEPTH));
            case Expr.Name it ->
                seen.all(Expr.Name.class)
                        .anyMatch(name -> name.id().equals(it.id())
                                && seen.file(name) == file
                                && file.isBeside(name, at)
                                && !region.contains(file, name)
                                && file.isTarget(name));
            default -> false;
        };
    }
}
