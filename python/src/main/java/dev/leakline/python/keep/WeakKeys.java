package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds dictionaries with weak keys whose values refer to their keys. */
final class WeakKeys {
    private final KeptSearch search;

    WeakKeys(KeptSearch search) {
        this.search = search;
    }

    /** Returns whether a collection has weak keys. */
    static boolean isWeak(Heap heap) {
        return heap.node() instanceof Expr.Call call
                && heap.file().fullName(call.func()).endsWith("WeakKeyDictionary");
    }

    /** The expression by which a value, or what makes it, refers to its key. */
    Optional<Keeper> referringBack() {
        return search.facts().adds().stream()
                .filter(add -> add.to().heap().stream().anyMatch(WeakKeys::isWeak))
                .flatMap(this::references)
                .findFirst()
                .map(reference -> {
                    SourceFile file = search.file(reference);
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

    private Stream<Expr> references(Add add) {
        return add.key() == null
                ? Stream.empty()
                : references(add.file(), add.value(), add.file().text(add.key()), true);
    }

    /** Where a value as it is written has its key. */
    private Stream<Expr> references(SourceFile file, Expr value, String key, boolean isFirst) {
        return switch (value) {
            case Expr.Tuple it -> it.elts().stream().flatMap(each -> element(file, each, key));
            case Expr.ListDisplay it -> it.elts().stream().flatMap(each -> element(file, each, key));
            case Expr.Dict it -> it.values().stream().flatMap(each -> element(file, each, key));
            case Expr.Call it -> ofObject(file, it, key);
            case Expr.Name it when isFirst -> ofName(file, it, key);
            default -> Stream.empty();
        };
    }

    private Stream<Expr> element(SourceFile file, Expr element, String key) {
        return file.text(element).equals(key) ? Stream.of(element) : references(file, element, key, false);
    }

    /** Where the function gave a name a value with the key, or an attribute that is the key. */
    private Stream<Expr> ofName(SourceFile file, Expr.Name name, String key) {
        return file.nodes().stream()
                .filter(node -> node instanceof Stmt.Assign)
                .filter(node -> file.function(node).equals(file.function(name)))
                .map(Stmt.Assign.class::cast)
                .flatMap(it -> it.targets().stream().flatMap(target -> {
                    boolean isIt = file.text(target).equals(name.id());
                    boolean isPart = target instanceof Expr.Attribute part
                            && file.text(part.value()).equals(name.id());
                    return isIt
                            ? references(file, it.value(), key, false)
                            : isPart ? element(file, it.value(), key) : Stream.empty();
                }));
    }

    /** Where an object stores the argument that is the key: in its constructor, or by what a data class does. */
    private Stream<Expr> ofObject(SourceFile file, Expr.Call call, String key) {
        Stream<Expr> places = IntStream.range(0, call.args().size())
                .filter(i -> file.text(call.args().get(i)).equals(key))
                .boxed()
                .flatMap(i -> stored(call, i, "", call.args().get(i)));
        Stream<Expr> names = call.keywords().stream()
                .filter(keyword ->
                        keyword.arg() != null && file.text(keyword.value()).equals(key))
                .flatMap(keyword -> stored(call, -1, keyword.arg(), keyword.value()));
        return Stream.concat(places, names);
    }

    private Stream<Expr> stored(Expr.Call call, int place, String name, Expr given) {
        List<Heap> objects = search.facts().value(call).heap().stream()
                .filter(heap -> heap.kind() == Heap.Kind.INSTANCE)
                .toList();
        List<Stmt.FunctionDef> made = search.facts().callees(call).stream()
                .filter(Stmt.FunctionDef.class::isInstance)
                .map(Stmt.FunctionDef.class::cast)
                .toList();
        return !objects.isEmpty() && made.isEmpty()
                ? Stream.of(given)
                : made.stream().flatMap(init -> {
                    List<Node.Arg> parameters = init.args().args();
                    boolean isThere = place + 1 < parameters.size();
                    String parameter = place < 0
                            ? name
                            : isThere ? parameters.get(place + 1).arg() : "";
                    SourceFile file = search.file(init);
                    return file.nodes().stream()
                            .filter(node -> node instanceof Stmt.Assign && file.isIn(node, init))
                            .map(Stmt.Assign.class::cast)
                            .filter(it -> it.targets().getFirst() instanceof Expr.Attribute)
                            .flatMap(it -> element(file, it.value(), parameter));
                });
    }
}
