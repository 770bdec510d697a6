package dev.leakline.python;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node of the syntax tree. Names and parts are those of CPython's module {@code ast}, so its documentation holds here, with these
 * differences:
 *
 * <ul>
 *   <li>There is no context (Load, Store, Del) and no type comment.
 *   <li>{@code async} is a flag of a statement and not a class of its own, as is the star of {@code except*}.
 *   <li>A parameter has its default; constants are known by their kind and their text; the text of a format string is not joined.
 *   <li>What is no Python is {@link Stmt.Invalid}.
 *   <li>Some parts without positions in CPython have some.
 * </ul>
 *
 * <p>Positions are offsets into the text, the end exclusive. As in CPython, parentheses around an expression belong to whatever is around
 * it, and not to the expression; {@link Parentheses} finds them. Nodes have the equality of records; who needs identity asks for it. No tree is
 * deeper than {@link TokenReader} allows, so a visitor may be recursive.
 */
public sealed interface Node
        permits Expr,
                Stmt,
                Pattern,
                Node.Comprehension,
                Node.ExceptHandler,
                Node.Arguments,
                Node.Arg,
                Node.Keyword,
                Node.Alias,
                Node.WithItem,
                Node.MatchCase,
                Node.TypeParam {
    int start();

    int end();

    /** Hands over the children, in the order of the source. */
    default void forEachChild(Consumer<? super Node> visitor) {
        Children.of(this, visitor);
    }

    /** Hands over this node and all within it, each before those in it, in the order of the source. */
    default void walk(Consumer<? super Node> visitor) {
        visitor.accept(this);
        forEachChild(child -> child.walk(visitor));
    }

    /** Returns whether this node, or one within it, is as asked. */
    default boolean has(Predicate<? super Node> asked) {
        boolean[] found = new boolean[1];
        walk(node -> found[0] |= asked.test(node));
        return found[0];
    }

    /** This node and all within it that are of a class, each before those in it, in the order of the source. */
    default <N extends Node> Stream<N> all(Class<N> type) {
        Stream.Builder<N> found = Stream.builder();
        walk(node -> {
            if (type.isInstance(node)) {
                found.add(type.cast(node));
            }
        });
        return found.build();
    }

    /** Returns whether the text of another node of the file is within this one's. */
    default boolean covers(Node other) {
        return start() <= other.start() && other.end() <= end();
    }

    /** A {@code for} within a comprehension, with its conditions. */
    record Comprehension(int start, int end, Expr target, Expr iter, List<Expr> ifs, boolean isAsync) implements Node {}

    /** A handler of a {@code try}. */
    record ExceptHandler(
            int start,
            int end,
            @Nullable Expr type,
            @Nullable String name,
            List<Stmt> body) implements Node {}

    /** The parameters of a function. */
    record Arguments(
            int start,
            int end,
            List<Arg> posonlyargs,
            List<Arg> args,
            @Nullable Arg vararg,
            List<Arg> kwonlyargs,
            @Nullable Arg kwarg)
            implements Node {
        /** The parameters that take arguments by place. */
        public List<Arg> places() {
            return posonlyargs.isEmpty()
                    ? args
                    : Stream.concat(posonlyargs.stream(), args.stream()).toList();
        }

        /** The parameters that take one argument each. */
        public List<Arg> plain() {
            return kwonlyargs.isEmpty()
                    ? places()
                    : Stream.concat(places().stream(), kwonlyargs.stream()).toList();
        }

        /** The name of the first parameter; empty where there is none. */
        public String first() {
            return places().isEmpty() ? "" : places().getFirst().arg();
        }

        /** Returns whether a parameter that takes one argument has a name. */
        public boolean has(String name) {
            return plain().stream().anyMatch(arg -> arg.arg().equals(name));
        }
    }

    /** A parameter, with its default where it has one. */
    record Arg(
            int start,
            int end,
            String arg,
            @Nullable Expr annotation,
            @Nullable Expr defaultValue) implements Node {}

    /** An argument by name; without a name, two stars and a mapping. */
    record Keyword(int start, int end, @Nullable String arg, Expr value) implements Node {}

    /** A name that is imported, {@code *} for all. */
    record Alias(int start, int end, String name, @Nullable String asname) implements Node {}

    /** A context manager of a {@code with}. */
    record WithItem(
            int start, int end, Expr contextExpr, @Nullable Expr optionalVars) implements Node {}

    /** A {@code case} of a {@code match}. */
    record MatchCase(
            int start, int end, Pattern pattern, @Nullable Expr guard, List<Stmt> body) implements Node {}

    /** A type parameter: a variable, or with stars, as its {@code kind} says, a tuple of them or a specification. */
    record TypeParam(
            int start,
            int end,
            Kind kind,
            String name,
            @Nullable Expr bound,
            @Nullable Expr defaultValue) implements Node {
        /** The kinds of type parameters. */
        public enum Kind {
            TYPE_VAR,
            TYPE_VAR_TUPLE,
            PARAM_SPEC
        }
    }
}
