package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds handlers that keep the exceptions that they handle, whose tracebacks keep the frames they came through. */
public final class Errors {
    private static final String GIVEN = "set_exception";

    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Errors(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** The handler of what a call raises; of any, where it is known that exceptions are kept. */
    public Optional<Keeper> handled(boolean isKnown) {
        return keepers(at -> isHandling(at, isKnown)).findFirst();
    }

    /** Any handler, or function that a framework calls with the exceptions of requests. */
    public Optional<Keeper> any() {
        return keepers(_ -> true)
                .findFirst()
                .map(keeper -> handler(keeper.at()).isEmpty()
                        ? keeper
                        : Keeper.guess(keeper.kind(), keeper.file(), keeper.at(), keeper.cures()));
    }

    /** A value, other than an exception, that the handler of a call's error keeps. */
    public Optional<Kept> besides(boolean isKnown) {
        return seen.facts().adds().stream()
                .filter(add -> add.how() == How.CALL && isHandling(add.at(), isKnown))
                .filter(add -> add.added().mayHaveTensor())
                .flatMap(add -> search.kept(add, seen.facts()).stream())
                .findFirst();
    }

    private Stream<Keeper> keepers(Predicate<Node> wanted) {
        Stream<Keeper> added = seen.facts().adds().stream()
                .filter(add -> wanted.test(add.at()) && add.how() != How.CARRIED)
                .filter(add -> isKeeping(add.file(), add.value()))
                .flatMap(add -> search.kept(add, seen.facts()).stream())
                .map(kept -> Keeper.sure(
                        Kind.EXCEPTION,
                        kept.file(),
                        kept.statement(),
                        Cures.of(search, kept, null, false, false).stream()
                                .filter(cure -> cure.kind() == Cure.Kind.FRAMES)
                                .toList()));
        Stream<Keeper> given = seen.all(Expr.Call.class)
                .filter(call -> call.method().equals(GIVEN)
                        && call.args().size() == 1
                        && wanted.test(call)
                        && seen.facts().value(call.args().getFirst()).isError())
                .map(call -> seen.keeper(Kind.EXCEPTION, call, Optional.of(calm(call.args())), false));
        return Stream.concat(added, given);
    }

    /** The edits for an exception that an assignment in a handler keeps. */
    List<Cure> at(Predicate<Node> isThere) {
        return seen.all(Stmt.Assign.class)
                .filter(isThere)
                .filter(it -> handler(it).isPresent())
                .map(it -> Moving.of(seen.facts(), seen.file(it), it.value(), Moving.CALM, null, false))
                .filter(edits -> !edits.isEmpty())
                .map(Cure::calm)
                .limit(1)
                .toList();
    }

    private Cure calm(List<Expr> given) {
        SourceFile file = seen.file(given.getFirst());
        return Cure.calm(List.of(Edit.call(file, given.getFirst(), Moving.CALM)));
    }

    /** Returns whether an expression has an exception itself: as an element, as one of what a condition chooses from, in an object that is made of it. */
    private boolean isKeeping(SourceFile file, Expr value) {
        return switch (value) {
            case Expr.Name it -> seen.facts().value(it).isError();
            case Expr.Tuple it -> it.elts().stream().anyMatch(each -> isKeeping(file, each));
            case Expr.ListDisplay it -> it.elts().stream().anyMatch(each -> isKeeping(file, each));
            case Expr.Dict it -> it.values().stream().anyMatch(each -> isKeeping(file, each));
            case Expr.IfExp it -> isKeeping(file, it.body()) || isKeeping(file, it.orelse());
            case Expr.Call it when isConstructor(file, it) -> it.given().anyMatch(each -> isKeeping(file, each));
            default -> false;
        };
    }

    private static boolean isConstructor(SourceFile file, Expr.Call call) {
        String name = file.fullName(call.func());
        return !name.isEmpty() && Character.isUpperCase(name.charAt(name.lastIndexOf('.') + 1));
    }

    private Optional<Node> handler(Node at) {
        return seen.file(at).around(at, Node.ExceptHandler.class::isInstance);
    }

    /** Returns whether a node is in a handler of what a call raises. */
    private boolean isHandling(Node at, boolean isKnown) {
        SourceFile file = seen.file(at);
        return handler(at)
                .filter(handler -> search.calls().statements().stream()
                        .filter(call -> seen.file(call) == file)
                        .anyMatch(call -> isTried(file, call, handler)
                                || (isKnown && handler.start() > call.start() && file.isBeside(handler, call))))
                .isPresent();
    }

    private static boolean isTried(SourceFile file, Stmt call, Node handler) {
        return file.parent(handler) instanceof Stmt.Try it
                && it.body().stream().anyMatch(statement -> file.isIn(call, statement));
    }
}
