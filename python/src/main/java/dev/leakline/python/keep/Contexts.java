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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds functions of autograd that keep their own outputs as attributes of the context: the output keeps the context, which keeps the output. */
public final class Contexts {
    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Contexts(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** An attribute of a context that is given what the pass returns; a guess where the calls are in another function. */
    public Optional<Keeper> keeping() {
        return search.calls()
                .near()
                .flatMap(file -> file.nodes().stream()
                        .filter(node -> node instanceof Stmt.ClassDef type && isFunction(file, type))
                        .flatMap(
                                type -> method(file, type, "forward")
                                        .flatMap(forward ->
                                                stored(file, type, forward).findFirst())
                                        .stream()))
                .findFirst();
    }

    private static boolean isFunction(SourceFile file, Stmt.ClassDef type) {
        return type.bases().stream()
                .map(file::fullName)
                .anyMatch(name -> name.equals("Function") || name.endsWith(".Function"));
    }

    private static Optional<Stmt.FunctionDef> method(SourceFile file, Node type, String name) {
        return type.all(Stmt.FunctionDef.class)
                .filter(it -> file.parent(it) == type
                        && it.name().equals(name)
                        && !it.args().first().isEmpty())
                .findFirst();
    }

    /** The assignments that keep on the context of a pass what that gives back, and was not given. */
    public static Stream<Stmt.Assign> outputs(SourceFile file, Stmt.FunctionDef forward) {
        Set<String> returned = returned(forward);
        return forward.all(Stmt.Assign.class)
                .filter(it -> file.text(it.targets().getFirst())
                        .startsWith(forward.args().first() + "."))
                .filter(it -> names(it.value()).anyMatch(returned::contains));
    }

    private static Set<String> returned(Stmt.FunctionDef forward) {
        return forward.all(Stmt.Return.class)
                .flatMap(it -> names(it.value()))
                .filter(name -> !forward.args().has(name))
                .collect(Collectors.toSet());
    }

    private static Stream<String> names(@Nullable Expr value) {
        return switch (value) {
            case Expr.Name it -> Stream.of(it.id());
            case Expr.Tuple it -> it.elts().stream().flatMap(Contexts::names);
            case Expr.ListDisplay it -> it.elts().stream().flatMap(Contexts::names);
            case null, default -> Stream.empty();
        };
    }

    private Stream<Keeper> stored(SourceFile file, Node type, Stmt.FunctionDef forward) {
        String context = forward.args().first();
        Set<String> returned = returned(forward);
        boolean isThere = search.calls().statements().stream()
                .limit(1)
                .anyMatch(statement -> seen.file(statement) == file && file.isIn(statement, forward));
        return outputs(file, forward).filter(it -> it.targets().size() == 1).flatMap(it -> {
            List<Expr> names = parts(it.targets().getFirst());
            List<Expr> values = parts(it.value());
            return IntStream.range(0, names.size() == values.size() ? names.size() : 0)
                    .filter(i -> names.get(i) instanceof Expr.Attribute attribute
                            && file.text(attribute.value()).equals(context)
                            && returned.contains(file.text(values.get(i))))
                    .mapToObj(i -> seen.keeper(Kind.CONTEXT_CYCLE, it, saved(file, type, forward, it, i), !isThere));
        });
    }

    private static List<Expr> parts(@Nullable Expr expression) {
        return expression instanceof Expr.Tuple it ? it.elts() : expression == null ? List.of() : List.of(expression);
    }

    /** Both passes with the output saved by {@code save_for_backward}. */
    private Optional<Cure> saved(SourceFile file, Node type, Stmt.FunctionDef forward, Stmt.Assign it, int index) {
        List<Expr> names = parts(it.targets().getFirst());
        List<Expr> values = parts(it.value());
        String value = file.text(values.get(index));
        String context = forward.args().first();
        List<Expr.Call> calls = forward.all(Expr.Call.class)
                .filter(call -> file.text(call.func()).equals(context + ".save_for_backward"))
                .toList();
        Optional<Stmt.FunctionDef> backward = method(file, type, "backward");
        boolean isMadeBefore = calls.stream()
                .allMatch(call -> forward.all(Stmt.Assign.class)
                        .anyMatch(made -> made.end() < call.start()
                                && made.targets().stream()
                                        .anyMatch(target -> file.text(target).equals(value))));
        if (calls.size() > 1 || !isMadeBefore) {
            return Optional.empty();
        }
        String left = others(file, names, index);
        List<String> lines = new ArrayList<>();
        if (!left.isEmpty()) {
            lines.add(left + " = " + others(file, values, index));
        }
        List<Edit> edits = new ArrayList<>();
        int count = calls.isEmpty() ? 0 : calls.getFirst().args().size();
        if (calls.isEmpty()) {
            lines.add(context + ".save_for_backward(" + value + ")");
        } else {
            Expr last = calls.getFirst().args().getLast();
            edits.add(new Edit(file, last.end(), last.end(), ", " + value));
        }
        edits.add(replaced(file, it, lines));
        backward.ifPresent(pass -> read(file, pass, ((Expr.Attribute) names.get(index)).attr(), count, edits));
        String attribute = ((Expr.Attribute) names.get(index)).attr();
        boolean isReadThere = seen.isWhole()
                && seen.all(Expr.Attribute.class)
                        .filter(read -> read.attr().equals(attribute) && read != names.get(index))
                        .allMatch(read -> backward.filter(pass -> seen.file(read) == file && file.isIn(read, pass))
                                .isPresent());
        return Optional.of(
                isReadThere && !seen.isChanging()
                        ? Cure.safe(
                                Cure.Kind.SAVE,
                                edits,
                                "The backward pass reads the same tensor, and nothing else reads the attribute.")
                        : Cure.review(
                                Cure.Kind.SAVE, edits, "Whatever else reads the attribute does not find it any more."));
    }

    /** A statement's lines in its place; without any, its line goes. */
    private static Edit replaced(SourceFile file, Stmt statement, List<String> lines) {
        int line = file.line(statement);
        int first = file.text().lineStart(line);
        String indent = file.text().text().substring(first, statement.start());
        boolean isAlone = indent.isBlank() && file.text().lineEnd(file.text().line(statement.end())) == statement.end();
        return lines.isEmpty() && isAlone
                ? new Edit(file, first, file.text().lineStart(file.text().line(statement.end()) + 1), "")
                : Edit.replace(
                        file, statement, lines.isEmpty() ? "pass" : String.join(isAlone ? "\n" + indent : "; ", lines));
    }

    private static String others(SourceFile file, List<Expr> all, int index) {
        return IntStream.range(0, all.size())
                .filter(i -> i != index)
                .mapToObj(i -> file.text(all.get(i)))
                .collect(Collectors.joining(", "));
    }

    /** The backward pass with what it read of the context taken from what was saved. */
    private static void read(
            SourceFile file, Stmt.FunctionDef backward, String attribute, int count, List<Edit> edits) {
        String context = backward.args().first();
        backward.all(Expr.Attribute.class)
                .filter(it -> file.text(it.value()).equals(context))
                .forEach(it -> {
                    if (it.attr().equals(attribute)) {
                        edits.add(Edit.replace(file, it, context + ".saved_tensors[" + count + "]"));
                    } else if (it.attr().equals("saved_tensors")
                            && count > 0
                            && !(file.parent(it) instanceof Expr.Subscript)) {
                        edits.add(Edit.replace(file, it, context + ".saved_tensors[:" + count + "]"));
                    }
                });
    }
}
