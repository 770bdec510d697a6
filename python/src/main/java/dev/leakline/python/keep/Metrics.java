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
                .map(Metrics::given)
                .map(metric -> cleared(place(seen.file(metric), metric)))
                .filter(cures -> !cures.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** The metric of a call that gives one something. */
    private static Expr given(Expr.Call call) {
        return call.receiver() instanceof Expr metric && GIVING.contains(call.method()) ? metric : call.func();
    }

    /** The place that a statement gives a metric to. */
    private Stream<String> assigned(Stmt statement) {
        SourceFile file = seen.file(statement);
        return switch (statement) {
            case Stmt.Assign it
            when isMaking(file, it.value()) ->
                Stream.of(place(file, it.targets().getFirst()));
            case Stmt.AnnAssign it
            when it.value() != null && isMaking(file, it.value()) -> Stream.of(place(file, it.target()));
            default -> Stream.empty();
        };
    }

    /** Returns whether an expression makes an object of torchmetrics, whose functions begin with a small letter and keep nothing. */
    private static boolean isMaking(SourceFile file, Node value) {
        return value.has(node -> node instanceof Expr.Call call && isClass(file.fullName(call.func())));
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
        return isOf(seen.file(call), metric, given(call))
                && call.args().stream().anyMatch(search.calls()::isMade);
    }

    /** Returns whether it is reset under no condition, or logged as a whole: Lightning resets it then. */
    private boolean isReset(String metric) {
        return seen.all(Expr.Call.class).anyMatch(call -> {
            SourceFile file = seen.file(call);
            boolean isReset = call.method().equals("reset")
                    && call.receiver() instanceof Expr of
                    && isOf(file, metric, of)
                    && !seen.isConditional(call);
            return isReset
                    || (LOGGING.contains(call.method())
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
                .filter(call -> call.method().equals("compute")
                        && call.receiver() instanceof Expr of
                        && isOf(seen.file(call), metric, of))
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
