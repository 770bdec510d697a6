package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.FlowValue;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds dictionaries with weak keys whose values refer to their keys. */
public final class WeakKeys {
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public WeakKeys(KeptSearch search) {
        this.seen = search.seen();
    }

    /** Returns whether a collection has weak keys. */
    static boolean isWeak(Heap heap) {
        return heap.node() instanceof Expr.Call call
                && heap.file().fullName(call.func()).endsWith("WeakKeyDictionary");
    }

    /** The expression by which a value, or what makes it, refers to its key. */
    public Optional<Keeper> referringBack() {
        return seen.facts().adds().stream()
                .filter(add -> add.to().heap().stream().anyMatch(WeakKeys::isWeak))
                .flatMap(this::references)
                .findFirst()
                .map(reference -> {
                    SourceFile file = seen.file(reference);
                    List<Edit> edits =
                            new ArrayList<>(Edit.importing(file, "weakref").toList());
                    edits.add(Edit.replace(file, reference, "weakref.ref(" + file.text(reference) + ")"));
                    return Keeper.sure(
                            Kind.WEAK_KEYS,
                            file,
                            file.statement(reference),
                            List.of(Cure.review(
                                    Cure.Kind.RELEASE,
                                    edits,
                                    "What reads the reference has to call it, and gets None when the key is gone.")));
                });
    }

    /** The expressions by which the value, or what it has, is given the key. */
    private Stream<Expr> references(Add add) {
        Node key = add.key();
        if (key == null) {
            return Stream.empty();
        }
        SourceFile file = add.file();
        FlowFacts facts = seen.labelled(file.all(Expr.class)
                .filter(each -> file.isBeside(each, key) && file.text(each).equals(file.text(key)))
                .toList());
        Set<Heap> parts = facts.value(add.value()).parts();
        return seen.all(Expr.class)
                .filter(each -> facts.value(each).label() == FlowValue.SAME && isPart(facts, each, parts));
    }

    /** Returns whether an expression is given to one of some objects as what it has. */
    private boolean isPart(FlowFacts facts, Expr expression, Set<Heap> parts) {
        SourceFile file = seen.file(expression);
        Node parent = file.parent(expression);
        Node whole = parent instanceof Node.Keyword ? file.parent(parent) : parent;
        return switch (whole) {
            case Stmt.Assign it ->
                it.value() == expression
                        && it.targets().getFirst() instanceof Expr.Attribute attribute
                        && isOne(facts, attribute.value(), parts);
            case Expr.Call it -> facts.callees(it).isEmpty() && isOne(facts, it, parts);
            case Expr.Tuple it -> isOne(facts, it, parts);
            case Expr.ListDisplay it -> isOne(facts, it, parts);
            case Expr.Dict it -> isOne(facts, it, parts);
            case null, default -> false;
        };
    }

    private static boolean isOne(FlowFacts facts, Expr whole, Set<Heap> parts) {
        return facts.value(whole).heap().stream().anyMatch(parts::contains);
    }
}
