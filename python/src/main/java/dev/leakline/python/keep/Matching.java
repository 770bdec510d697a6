package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Reads.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Removals of objects that are made for the removal, of a class without equality, so that they equal none that is there. */
final class Matching {
    private final SeenProgram seen;
    private final Kept kept;
    private final List<Read> reads;

    Matching(SeenProgram seen, Kept kept, List<Read> reads) {
        this.seen = seen;
        this.kept = kept;
        this.reads = reads;
    }

    /** Returns whether a call removes an object that it makes, which equals nothing else. */
    static boolean isVain(SeenProgram seen, Expr.Call removal) {
        return made(removal).flatMap(made -> type(seen, made)).isPresent();
    }

    private static Optional<Expr.Call> made(Expr.Call removal) {
        return removal.args().size() == 1 && removal.args().getFirst() instanceof Expr.Call made
                ? Optional.of(made)
                : Optional.empty();
    }

    /** The class without equality that a call makes an object of. */
    private static Optional<Stmt.ClassDef> type(SeenProgram seen, Expr.Call made) {
        return seen.facts().value(made.func()).heap().stream()
                .filter(heap -> heap.kind() == Heap.Kind.CLASS)
                .map(heap -> (Stmt.ClassDef) heap.node())
                .filter(type -> type.bases().isEmpty()
                        && type.decoratorList().isEmpty()
                        && type.body().stream()
                                .noneMatch(each -> each instanceof Stmt.FunctionDef it
                                        && it.name().equals("__eq__")))
                .findFirst();
    }

    /** The class with equality by what the removal gives its constructor. */
    Optional<Cure> cure() {
        return reads.stream()
                .filter(read -> read.kind() == Reads.Kind.VAIN)
                .flatMap(read ->
                        Optional.ofNullable((Expr.Call) read.file().parent(read.at())).flatMap(Matching::made).stream())
                .findFirst()
                .flatMap(made -> type(seen, made).flatMap(type -> matched(type, attributes(type, made))));
    }

    private Optional<Cure> matched(Stmt.ClassDef type, List<String> attributes) {
        SourceFile file = seen.file(type);
        List<String> lines = new ArrayList<>(List.of("", "def __eq__(self, other):"));
        lines.add("    return isinstance(other, " + type.name() + ") and "
                + joined(attributes, "self.%1$s == other.%1$s", " and "));
        lines.addAll(List.of("", "def __hash__(self):"));
        lines.add("    return hash((" + joined(attributes, "self.%s", ", ") + ",))");
        return attributes.isEmpty()
                ? Optional.empty()
                : Edit.after(file, type.body().getLast(), lines)
                        .map(edit -> Cure.review(
                                Cure.Kind.MATCH,
                                List.of(edit),
                                "What is to be removed from "
                                        + kept.file().text(kept.target())
                                        + " equals nothing in it, as " + type.name()
                                        + " has no __eq__; with it, objects with the same "
                                        + String.join(", ", attributes) + " are equal everywhere."));
    }

    private static String joined(List<String> attributes, String form, String between) {
        return attributes.stream()
                .map(each -> form.replace("%1$s", each).replace("%s", each))
                .collect(Collectors.joining(between));
    }

    /** The attributes that the constructor gives the arguments of a call. */
    private List<String> attributes(Stmt.ClassDef type, Expr.Call made) {
        List<String> given = seen.facts().callees(made).stream()
                .filter(Stmt.FunctionDef.class::isInstance)
                .flatMap(init ->
                        ((Stmt.FunctionDef) init).args().places().stream().skip(1))
                .map(Node.Arg::arg)
                .limit(made.args().size())
                .toList();
        return type.all(Stmt.Assign.class)
                .filter(it -> it.value() instanceof Expr.Name name && given.contains(name.id()))
                .flatMap(it ->
                        it.targets().getFirst() instanceof Expr.Attribute to ? Stream.of(to.attr()) : Stream.empty())
                .toList();
    }
}
