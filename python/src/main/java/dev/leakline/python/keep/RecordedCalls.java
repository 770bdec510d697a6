package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.KeptSearch.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The calls of a recorded stack, and what of the program is made by them. */
final class RecordedCalls {
    /** The number of calls that are tried; what is further away nobody would connect with what is kept. */
    private static final int MOST = KeptSearch.CALLS;

    private final SeenProgram seen;
    private final List<Call> calls;
    private final Map<Integer, FlowFacts> made = new HashMap<>();

    /** The calls, the innermost first. */
    RecordedCalls(SeenProgram seen, List<Call> calls) {
        this.seen = seen;
        this.calls = calls;
    }

    /** The number of calls that are tried as the one that makes what is kept. */
    int tried() {
        return Math.min(calls.size(), MOST);
    }

    /** The calls, the innermost first. */
    List<Call> all() {
        return calls;
    }

    /** The flow whose labels begin at what a call makes. */
    FlowFacts made(int call) {
        return made.computeIfAbsent(call, i -> seen.labelled(seeds(calls.get(i))));
    }

    private List<Expr> seeds(Call call) {
        List<Expr> there = call.file()
                .all(Expr.class)
                .filter(node -> call.file().line(node) <= call.line()
                        && call.file().text().line(node.end()) >= call.line())
                .filter(node -> node instanceof Expr.Call || node instanceof Expr.BinOp || node instanceof Expr.UnaryOp)
                .filter(node -> seen.facts().adds().stream().noneMatch(add -> add.at() == node))
                .toList();
        List<Expr> here = there.stream()
                .filter(node -> call.file().line(node) == call.line())
                .toList();
        List<Expr> all = here.isEmpty() ? there : here;
        List<Expr> torch = all.stream()
                .filter(node -> seen.facts().callees(node).isEmpty())
                .toList();
        return torch.isEmpty() ? all : torch;
    }

    /** Returns whether a function inside of a call returns something, and that numbers, texts or copies in CPU memory only. */
    boolean isLetGo(int call) {
        if (call == 0) {
            return false;
        }
        Call inner = calls.get(call - 1);
        Optional<Node> function = inner.function();
        List<Expr> returned = function.stream()
                .flatMap(it -> it.all(Stmt.Return.class))
                .filter(it -> inner.file().function(it).equals(function))
                .flatMap(it -> Stream.ofNullable(it.value()))
                .filter(value -> !seen.facts().value(value).isNone())
                .toList();
        return !returned.isEmpty()
                && returned.stream()
                        .allMatch(value -> made(call - 1).value(value).reached() == 0 && isCopied(value));
    }

    /** Returns whether an expression ends with a call that makes a number or a copy, or comes to nothing else. */
    private boolean isCopied(Expr value) {
        return seen.facts().value(value).isPlain()
                || (value instanceof Expr.Call call
                        && Set.of("cpu", "numpy", "item", "tolist").contains(call.method()));
    }

    /** Returns whether an expression comes to what the innermost call makes, has it, or is computed from it. */
    boolean isMade(Node expression) {
        for (int i = 0; i < tried() && !isLetGo(i); i++) {
            if (made(i).value(expression).reached() > 0) {
                return true;
            }
        }
        return false;
    }

    /** The files of the calls, each once. */
    Stream<SourceFile> near() {
        return calls.stream().limit(MOST).map(Call::file).distinct();
    }

    /** The statements of the calls, the innermost first. */
    List<Stmt> statements() {
        return calls.stream()
                .limit(MOST)
                .flatMap(call -> call.file().statementAt(call.line()).stream())
                .toList();
    }

    /** The functions of the calls, the innermost first. */
    List<Stmt.FunctionDef> functions() {
        return statements().stream()
                .flatMap(statement -> seen.file(statement).definition(statement).stream())
                .toList();
    }

    /** Returns whether a node stands in the function of a call. */
    boolean isCalled(Node node) {
        SourceFile file = seen.file(node);
        return statements().stream().anyMatch(call -> seen.file(call) == file && file.isBeside(call, node));
    }

    /** How many calls lie between the line and a statement; those that no call of the recording runs come last. */
    int distance(Add add) {
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Optional<Stmt> at = call.file().statementAt(call.line());
            if (call.file() == add.file() && at.isPresent() && call.file().isBeside(at.get(), add.at())) {
                return i;
            }
        }
        return calls.size();
    }

    /** Returns whether no gradients are wanted where a call stands. */
    boolean isWithoutGradients() {
        return calls.stream()
                .anyMatch(call -> call.file().statementAt(call.line()).stream()
                        .anyMatch(statement -> isWithoutGradients(call.file(), statement)));
    }

    /** Returns whether no gradients are wanted where a node stands. */
    static boolean isWithoutGradients(SourceFile file, Node node) {
        return file.around(node, each -> switch (each) {
                    case Stmt.With it ->
                        it.items().stream().anyMatch(item -> isWithoutGradients(file.text(item.contextExpr())));
                    case Stmt.FunctionDef it ->
                        it.decoratorList().stream().anyMatch(decorator -> isWithoutGradients(file.text(decorator)));
                    default -> false;
                })
                .isPresent();
    }

    private static boolean isWithoutGradients(String text) {
        return text.contains("no_grad") || text.contains("inference_mode");
    }
}
