package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds functions whose results functools caches without a limit, and methods whose cache keeps the objects that they belong to. */
public final class Memos {
    private static final String LRU = "lru_cache";

    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Memos(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** The cache without a limit of a function that a call runs. */
    public Optional<Keeper> ofResults() {
        return search.calls().functions().stream()
                .flatMap(function -> Stream.concat(
                                function.decoratorList().stream(),
                                wrapping(function).map(Expr.Call::func))
                        .filter(maker -> isUnlimited(seen.file(maker), maker))
                        .map(maker -> Keeper.sure(
                                Kind.MEMO_GROWS,
                                seen.file(maker),
                                maker,
                                takesTensors(function) ? List.of(uncached(seen.file(maker), maker)) : limited(maker))))
                .findFirst();
    }

    /** The edits for a cache around a function: without it where arguments are tensors, which are never the same, or objects, which it keeps. */
    List<Cure> at(Predicate<Node> isThere) {
        return seen.all(Stmt.FunctionDef.class)
                .flatMap(function -> function.decoratorList().stream()
                        .filter(maker -> isThere.test(maker) && isCache(seen.file(maker), maker))
                        .map(maker -> hasSelf(function) || takesTensors(function)
                                ? List.of(uncached(seen.file(maker), maker))
                                : limited(maker)))
                .findFirst()
                .orElse(List.of());
    }

    private boolean takesTensors(Stmt.FunctionDef function) {
        return function.all(Expr.Name.class)
                .anyMatch(name -> function.args().has(name.id())
                        && seen.facts().value(name).isTensor());
    }

    /** The calls that put something around a function. */
    private Stream<Expr.Call> wrapping(Stmt.FunctionDef function) {
        return seen.all(Expr.Call.class)
                .filter(call -> call.args().size() == 1
                        && seen.functions(call.args().getFirst()).anyMatch(each -> each == function));
    }

    private static boolean isCache(SourceFile file, Expr maker) {
        return NameSets.has("MEMOS", file.fullName(maker instanceof Expr.Call it ? it.func() : maker));
    }

    private static boolean isUnlimited(SourceFile file, Expr maker) {
        boolean isLimited = maker instanceof Expr.Call it
                ? !(it.given("maxsize", 0) instanceof Expr.Constant size && size.kind() == Expr.Constant.Kind.NONE)
                : file.fullName(maker).endsWith(LRU);
        return isCache(file, maker) && !isLimited;
    }

    private List<Cure> limited(Expr maker) {
        SourceFile file = seen.file(maker);
        String name = file.text(maker instanceof Expr.Call it ? it.func() : maker);
        boolean isLru = name.endsWith(LRU);
        List<Edit> edits = new ArrayList<>(
                isLru ? List.of() : Edit.importing(file, "functools").toList());
        edits.add(Edit.replace(file, maker, (isLru ? name : "functools." + LRU) + "(maxsize=" + Cure.CHOICE + ")"));
        return List.of(
                Cure.open(edits, "The result that was asked for least recently is computed anew." + search.held()));
    }

    /** The cache of a method whose objects a loop makes. */
    Optional<Keeper> ofObjects() {
        return seen.all(Stmt.FunctionDef.class)
                .filter(method -> seen.file(method).parent(method) instanceof Stmt.ClassDef type && isMade(type))
                .filter(Memos::hasSelf)
                .filter(this::isFilled)
                .flatMap(method -> method.decoratorList().stream().filter(maker -> isCache(seen.file(method), maker)))
                .findFirst()
                .map(maker -> {
                    SourceFile file = seen.file(maker);
                    return new Keeper(
                            Kind.MEMO_OBJECTS, file, maker, List.of(uncached(file, maker)), !isUnlimited(file, maker));
                });
    }

    private static Cure uncached(SourceFile file, Expr maker) {
        int line = file.line(maker);
        Edit edit = file.parent(maker) instanceof Expr.Call call
                ? Edit.replace(file, call, file.text(call.args().getFirst()))
                : new Edit(file, file.text().lineStart(line), file.text().lineStart(line + 1), "");
        return Cure.review(Cure.Kind.UNCACHE, List.of(edit), "The function computes anew what it took from its cache.");
    }

    private boolean isMade(Stmt.ClassDef type) {
        return seen.facts().constructed(type).stream().anyMatch(search.code()::isLooped);
    }

    private static boolean hasSelf(Stmt.FunctionDef method) {
        return method.args().first().equals("self");
    }

    /** Returns whether the program calls a cached method and never empties the cache. */
    private boolean isFilled(Stmt.FunctionDef method) {
        return seen.all(Expr.Attribute.class).anyMatch(call -> call.attr().equals(method.name()))
                && seen.all(Expr.Attribute.class)
                        .noneMatch(clear -> clear.attr().equals("cache_clear")
                                && clear.value() instanceof Expr.Attribute of
                                && of.attr().equals(method.name()));
    }
}
