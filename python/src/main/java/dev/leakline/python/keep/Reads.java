package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads of a collection by a program. */
final class Reads {
    /** Calls that give the items of what they are given, in an order. */
    private static final Set<String> COPYING = Set.of("list", "tuple");

    private static final Set<String> COUNTING = Set.of("qsize", "empty", "full");
    private static final Set<String> REMOVING =
            Set.of("pop", "popleft", "popitem", "clear", "remove", "discard", "get_nowait");

    /** The kinds of reads. */
    enum Kind {
        /** The newest items, or the largest keys, so many. */
        NEWEST,
        LARGEST,
        /** The number of items. */
        COUNT,
        /** A comparison of their number. */
        COMPARED,
        /** Returns whether a key is there, or what it has if it is. */
        LOOKUP,
        /** An item by its key. */
        ITEM,
        /** Items, any of them. */
        ANY,
        /** Something is taken out, or all of it. */
        REMOVAL,
        /** A removal of an object that equals none in it. */
        VAIN
    }

    /**
     * A read.
     *
     * @param at the expression that reads
     * @param count how many items, where that is written
     */
    record Read(
            Kind kind, SourceFile file, Node at, @Nullable Expr count) {
        /** Returns whether it is an item by its key, as a subscript takes it. */
        boolean isItem() {
            return kind == Kind.ITEM && at instanceof Expr.Subscript;
        }

        /** The item taken out in the place of one that is read. */
        Edit popped() {
            Expr.Subscript it = (Expr.Subscript) at;
            return Edit.replace(file, it, file.text(it.value()) + ".pop(" + file.text(it.slice()) + ")");
        }

        /** Returns whether it removes all items, and gives none. */
        boolean isClearing() {
            return kind == Kind.REMOVAL
                    && at instanceof Expr.Attribute it
                    && it.attr().equals("clear");
        }
    }

    private final SeenProgram seen;
    private final Kept kept;
    private final List<Read> reads = new ArrayList<>();

    private Reads(SeenProgram seen, Kept kept) {
        this.seen = seen;
        this.kept = kept;
    }

    static List<Read> of(SeenProgram seen, Kept kept) {
        Reads reads = new Reads(seen, kept);
        seen.uses(kept).forEach(reads::add);
        return reads.reads;
    }

    /** Returns whether each step takes something out of the collection again, whatever else happens. */
    static boolean isEmptied(SeenProgram seen, Kept kept) {
        return of(seen, kept).stream()
                .filter(read -> read.kind() == Kind.REMOVAL)
                .filter(read -> kept.isPut()
                        || kind(seen.facts(), kept) == Heap.Kind.QUEUE
                        || kept.region().contains(read.file(), read.at()))
                .anyMatch(read -> read.file()
                        .around(
                                read.at(),
                                node -> node instanceof Stmt.If it
                                        && !read.file().text(it.test()).contains("len("))
                        .isEmpty());
    }

    private void add(Node use) {
        SourceFile file = seen.file(use);
        if (seen.heaps(kept).stream().anyMatch(heap -> heap.node() == use)) {
            return; // where it is made
        }
        Node parent = file.parent(use);
        boolean isTensor = kept.how() == How.CARRIED;
        switch (parent) {
            case Expr.Subscript it when it.value() == use -> item(file, it);
            case Expr.Compare it when isIdentity(it) -> {}
            case Node _ when isTensor && (isAdding(file, use) || isTarget(use, parent)) -> {}
            case Node _ when isTensor -> note(Kind.ANY, file, use);
            case Expr.Attribute it when it.value() == use -> attribute(file, it);
            case Expr.Call it when it.func() != use -> argument(file, it);
            case Expr.Starred it -> note(Kind.ANY, file, it);
            case Expr.Compare it -> compared(file, it, use);
            case Stmt.For it when it.iter() == use -> note(Kind.ANY, file, use);
            case Node.Comprehension it when it.iter() == use -> note(Kind.ANY, file, use);
            case Stmt.Assign it when it.value() == use -> aliased(file, it, use);
            case Stmt.If it when it.test() == use -> note(Kind.COUNT, file, it.test());
            case Stmt.While it when it.test() == use -> note(Kind.COUNT, file, it.test());
            case Expr.UnaryOp it when it.op() == Expr.UnaryOperator.NOT -> note(Kind.COUNT, file, it);
            case Expr.BinOp it when !isAdding(file, it) -> note(Kind.ANY, file, it);
            case null, default -> {}
        }
    }

    private static boolean isIdentity(Expr.Compare it) {
        return it.ops().stream().allMatch(op -> op == Expr.CmpOp.IS || op == Expr.CmpOp.IS_NOT);
    }

    private static boolean isTarget(Node use, @Nullable Node parent) {
        return parent instanceof Stmt.Assign it && it.targets().contains(use);
    }

    private boolean isAdding(SourceFile file, Node node) {
        return file.isIn(node, kept.statement());
    }

    /** A collection that is given to an attribute that nobody reads by is read by others. */
    private void aliased(SourceFile file, Stmt.Assign it, Node use) {
        boolean isUnpacked = it.targets().stream().anyMatch(target -> target instanceof Expr.Tuple);
        if (isUnpacked && !(use instanceof Expr.Tuple)) {
            note(Kind.ANY, file, use);
        }
    }

    private void note(Kind kind, SourceFile file, Node at) {
        reads.add(new Read(kind, file, at, null));
    }

    private void item(SourceFile file, Expr.Subscript it) {
        Node parent = file.parent(it);
        boolean isWritten = isTarget(it, parent);
        if (parent instanceof Stmt.Delete) {
            note(Kind.REMOVAL, file, it);
        } else if (!isWritten) {
            newest(file, it, Kind.NEWEST, isSequence() ? Kind.ANY : Kind.ITEM);
        }
    }

    private boolean isSequence() {
        return seen.heaps(kept).stream().allMatch(heap -> heap.kind().isSequence());
    }

    /** Reads the last items by a slice, or the last one; else otherwise. */
    private void newest(SourceFile file, Expr.Subscript it, Kind kind, Kind other) {
        Optional<Expr> count = switch (it.slice()) {
            case Expr.Slice slice when slice.upper() == null && slice.step() == null -> negated(slice.lower());
            case Expr.UnaryOp last when file.text(last).equals("-1") -> Optional.of(last.operand());
            default -> Optional.empty();
        };
        reads.add(
                count.map(number -> new Read(kind, file, it, number)).orElseGet(() -> new Read(other, file, it, null)));
    }

    private static Optional<Expr> negated(@Nullable Expr expression) {
        return expression instanceof Expr.UnaryOp it && it.op() == Expr.UnaryOperator.U_SUB
                ? Optional.of(it.operand())
                : Optional.empty();
    }

    private void attribute(SourceFile file, Expr.Attribute it) {
        String name = it.attr();
        if (!file.isCalled(it) || isAdd(file.parent(it))) {
            return;
        }
        if (COUNTING.contains(name)) {
            note(Kind.COUNT, file, it);
        } else if (REMOVING.contains(name)
                || (name.equals("get") && (kept.isPut() || kind(seen.facts(), kept) == Heap.Kind.QUEUE))) {
            boolean isVain = file.parent(it) instanceof Expr.Call removal && Matching.isVain(seen, removal);
            note(isVain ? Kind.VAIN : Kind.REMOVAL, file, it);
        } else {
            note(name.equals("get") ? Kind.LOOKUP : Kind.ANY, file, it);
        }
    }

    /** Returns whether a call adds to a collection. */
    private boolean isAdd(@Nullable Node call) {
        return seen.facts().adds().stream().anyMatch(add -> add.at() == call);
    }

    private void argument(SourceFile file, Expr.Call call) {
        String name = file.text(call.func());
        if (isAdd(call)) {
            return;
        }
        if (name.equals("len")) {
            note(file.parent(call) instanceof Expr.Compare ? Kind.COMPARED : Kind.COUNT, file, call);
        } else if (name.equals("sorted") && file.parent(call) instanceof Expr.Subscript it && it.value() == call) {
            newest(file, it, Kind.LARGEST, Kind.ANY);
        } else if (file.fullName(call.func()).equals("heapq.nlargest")
                && call.args().size() == 2
                && call.keywords().isEmpty()) {
            reads.add(new Read(Kind.LARGEST, file, call, call.args().getFirst()));
        } else if (COPYING.contains(name) && file.parent(call) instanceof Expr.Subscript it && it.value() == call) {
            newest(file, it, Kind.NEWEST, Kind.ANY);
        } else if (seen.facts().callees(call).isEmpty() && !name.equals("id") && !name.equals("isinstance")) {
            note(Kind.ANY, file, call);
        }
    }

    private void compared(SourceFile file, Expr.Compare it, Node use) {
        boolean isLookup =
                it.ops().stream().anyMatch(op -> op == Expr.CmpOp.IN || op == Expr.CmpOp.NOT_IN) && it.left() != use;
        note(isLookup ? Kind.LOOKUP : Kind.COUNT, file, it);
    }

    /** The kind of collection; null where that is not known. */
    static Heap.@Nullable Kind kind(FlowFacts facts, Kept kept) {
        List<Heap.Kind> kinds = facts.value(kept.target()).heap().stream()
                .map(Heap::kind)
                .distinct()
                .toList();
        return kinds.size() == 1 ? kinds.getFirst() : null;
    }
}
