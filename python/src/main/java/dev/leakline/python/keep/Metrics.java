package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds metrics of torchmetrics that are given what the calls make and are never reset. */
public final class Metrics {
    private static final String PACKAGE = "torchmetrics.";
    private static final Set<String> GIVING = Set.of("update", "forward");
    private static final Set<String> LOGGING = Set.of("log", "log_dict");

    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Metrics(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    public Optional<Keeper> unreset() {
        List<String> metrics = seen.all(Stmt.class)
                .flatMap(statement -> search.calls().near().anyMatch(file -> file == seen.file(statement))
                        ? assigned(statement)
                        : Stream.empty())
                .distinct()
                .filter(metric -> !isReset(metric))
                .toList();
        return metrics.isEmpty()
                ? Optional.empty()
                : seen.all(Expr.Call.class)
                        .flatMap(call -> metrics.stream()
                                .filter(metric -> isGiven(metric, call))
                                .map(metric -> Keeper.guess(Kind.METRIC, seen.file(call), call, cleared(metric))))
                        .findFirst();
    }

    /** The edits for a metric that a call gives something. */
    List<Cure> at(Predicate<Node> isThere) {
        return seen.all(Expr.Call.class)
                .filter(isThere)
                .map(call -> call.func() instanceof Expr.Attribute method && GIVING.contains(method.attr())
                        ? method.value()
                        : call.func())
                .map(metric -> cleared(place(seen.file(metric), metric)))
                .filter(cures -> !cures.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** The place that a statement gives a metric to. */
    private Stream<String> assigned(Stmt statement) {
        SourceFile file = seen.file(statement);
        Expr value = statement instanceof Stmt.Assign it
                ? it.value()
                : statement instanceof Stmt.AnnAssign it ? it.value() : null;
        Expr target = statement instanceof Stmt.Assign it
                ? it.targets().getFirst()
                : statement instanceof Stmt.AnnAssign it ? it.target() : null;
        return value != null && target != null && isMaking(file, value)
                ? Stream.of(place(file, target))
                : Stream.empty();
    }

    /** Returns whether an expression makes an object of torchmetrics, whose functions begin with a small letter and keep nothing. */
    private static boolean isMaking(SourceFile file, Node value) {
        boolean[] found = {value instanceof Expr.Call call && isClass(file.fullName(call.func()))};
        value.forEachChild(child -> found[0] |= isMaking(file, child));
        return found[0];
    }

    private static boolean isClass(String name) {
        return name.startsWith(PACKAGE) && Character.isUpperCase(name.charAt(name.lastIndexOf('.') + 1));
    }

    /** The text of an expression without the keys by which it is taken from a collection. */
    private static String place(SourceFile file, Expr expression) {
        return expression instanceof Expr.Subscript it ? place(file, it.value()) : file.text(expression);
    }

    private static boolean isOf(SourceFile file, String metric, Expr expression) {
        return place(file, expression).equals(metric);
    }

    private boolean isGiven(String metric, Expr.Call call) {
        SourceFile file = seen.file(call);
        boolean isOfMetric = isOf(file, metric, call.func())
                || (call.func() instanceof Expr.Attribute method
                        && GIVING.contains(method.attr())
                        && isOf(file, metric, method.value()));
        return isOfMetric && call.args().stream().anyMatch(search.calls()::isMade);
    }

    /** Returns whether it is reset under no condition, or logged as a whole: Lightning resets it then. */
    private boolean isReset(String metric) {
        return seen.all(Expr.Call.class)
                .filter(call -> call.func() instanceof Expr.Attribute)
                .anyMatch(call -> {
                    SourceFile file = seen.file(call);
                    Expr.Attribute method = (Expr.Attribute) call.func();
                    boolean isReset = method.attr().equals("reset")
                            && isOf(file, metric, method.value())
                            && !seen.isConditional(call);
                    return isReset
                            || (LOGGING.contains(method.attr())
                                    && call.args().stream().anyMatch(each -> has(file, each, metric)));
                });
    }

    private static boolean has(SourceFile file, Expr value, String metric) {
        return value instanceof Expr.Dict it
                ? it.values().stream().anyMatch(each -> has(file, each, metric))
                : isOf(file, metric, value);
    }

    /** The metric reset where it is computed. */
    private List<Cure> cleared(String metric) {
        return seen
                .all(Expr.Call.class)
                .filter(call -> call.func() instanceof Expr.Attribute method
                        && method.attr().equals("compute")
                        && isOf(seen.file(call), metric, method.value()))
                .findFirst()
                .flatMap(call -> {
                    SourceFile file = seen.file(call);
                    List<Edit> edits = new ArrayList<>();
                    String reset = file.text(((Expr.Attribute) call.func()).value()) + ".reset()";
                    return Exits.follow(file, file.statement(call), reset, edits)
                            ? Optional.of(Cure.review(
                                    Cure.Kind.CLEAR,
                                    edits,
                                    "What is computed next goes over what comes after this line."))
                            : Optional.empty();
                })
                .stream()
                .toList();
    }
}
