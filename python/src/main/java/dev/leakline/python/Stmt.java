package dev.leakline.python;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement. */
public sealed interface Stmt extends Node {
    record FunctionDef(
            int start,
            int end,
            boolean isAsync,
            List<Expr> decoratorList,
            String name,
            List<Node.TypeParam> typeParams,
            Node.Arguments args,
            @Nullable Expr returns,
            List<Stmt> body)
            implements Stmt {
        /** Returns whether a decorator has a name, or is an attribute of that name. */
        public boolean isDecorated(String decorator) {
            return decoratorList.stream()
                    .anyMatch(each -> each.isName(decorator)
                            || (each instanceof Expr.Attribute it && it.attr().equals(decorator)));
        }
    }

    record ClassDef(
            int start,
            int end,
            List<Expr> decoratorList,
            String name,
            List<Node.TypeParam> typeParams,
            List<Expr> bases,
            List<Node.Keyword> keywords,
            List<Stmt> body)
            implements Stmt {}

    record Return(int start, int end, @Nullable Expr value) implements Stmt {}

    record Delete(int start, int end, List<Expr> targets) implements Stmt {}

    record Assign(int start, int end, List<Expr> targets, Expr value) implements Stmt {}

    record TypeAlias(int start, int end, Expr.Name name, List<Node.TypeParam> typeParams, Expr value) implements Stmt {}

    record AugAssign(int start, int end, Expr target, Expr.Operator op, Expr value) implements Stmt {}

    record AnnAssign(
            int start,
            int end,
            Expr target,
            Expr annotation,
            @Nullable Expr value,
            boolean isSimple) implements Stmt {}

    record For(int start, int end, boolean isAsync, Expr target, Expr iter, List<Stmt> body, List<Stmt> orelse)
            implements Stmt {}

    record While(int start, int end, Expr test, List<Stmt> body, List<Stmt> orelse) implements Stmt {}

    /** An {@code elif} is an If that is alone in {@code orelse} and begins with its keyword. */
    record If(int start, int end, Expr test, List<Stmt> body, List<Stmt> orelse) implements Stmt {}

    record With(int start, int end, boolean isAsync, List<Node.WithItem> items, List<Stmt> body) implements Stmt {}

    record Match(int start, int end, Expr subject, List<Node.MatchCase> cases) implements Stmt {}

    record Raise(
            int start,
            int end,
            @Nullable Expr exc,
            @Nullable Expr cause) implements Stmt {}

    record Try(
            int start,
            int end,
            boolean isStar,
            List<Stmt> body,
            List<Node.ExceptHandler> handlers,
            List<Stmt> orelse,
            List<Stmt> finalbody)
            implements Stmt {}

    record Assert(int start, int end, Expr test, @Nullable Expr msg) implements Stmt {}

    /** Lazy since Python 3.15, where it says so. */
    record Import(int start, int end, boolean isLazy, List<Node.Alias> names) implements Stmt {}

    record ImportFrom(
            int start, int end, boolean isLazy, @Nullable String module, List<Node.Alias> names, int level)
            implements Stmt {}

    record Global(int start, int end, List<String> names) implements Stmt {}

    record Nonlocal(int start, int end, List<String> names) implements Stmt {}

    /** An expression that is a statement, in CPython {@code Expr}. */
    record Expression(int start, int end, Expr value) implements Stmt {}

    record Pass(int start, int end) implements Stmt {}

    record Break(int start, int end) implements Stmt {}

    record Continue(int start, int end) implements Stmt {}

    /** A statement that is no Python, with the block below it. */
    record Invalid(int start, int end, List<Stmt> body) implements Stmt {}
}
