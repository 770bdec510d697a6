package dev.leakline.python;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An expression. The classes are CPython's; only {@code List} and {@code Set} have longer names, as Java has types of these.
 */
public sealed interface Expr extends Node {
    /** Returns whether it is a variable of a name. */
    default boolean isName(String name) {
        return this instanceof Name it && it.id().equals(name);
    }

    record BoolOp(int start, int end, BoolOperator op, List<Expr> values) implements Expr {}

    record NamedExpr(int start, int end, Expr target, Expr value) implements Expr {}

    record BinOp(int start, int end, Expr left, Operator op, Expr right) implements Expr {}

    record UnaryOp(int start, int end, UnaryOperator op, Expr operand) implements Expr {}

    record Lambda(int start, int end, Node.Arguments args, Expr body) implements Expr {}

    record IfExp(int start, int end, Expr test, Expr body, Expr orelse) implements Expr {}

    /** A key is null where its value is a mapping that is unpacked. */
    record Dict(int start, int end, List<@Nullable Expr> keys, List<Expr> values) implements Expr {}

    record SetDisplay(int start, int end, List<Expr> elts) implements Expr {}

    record ListComp(int start, int end, Expr elt, List<Node.Comprehension> generators) implements Expr {}

    record SetComp(int start, int end, Expr elt, List<Node.Comprehension> generators) implements Expr {}

    /** The value is null where, since Python 3.15, the key is a mapping that is unpacked. */
    record DictComp(int start, int end, Expr key, @Nullable Expr value, List<Node.Comprehension> generators)
            implements Expr {}

    record GeneratorExp(int start, int end, Expr elt, List<Node.Comprehension> generators) implements Expr {}

    record Await(int start, int end, Expr value) implements Expr {}

    record Yield(int start, int end, @Nullable Expr value) implements Expr {}

    record YieldFrom(int start, int end, Expr value) implements Expr {}

    record Compare(int start, int end, Expr left, List<CmpOp> ops, List<Expr> comparators) implements Expr {}

    record Call(int start, int end, Expr func, List<Expr> args, List<Node.Keyword> keywords) implements Expr {
        /** The name of the method that is called; empty where it is none. */
        public String method() {
            return func instanceof Attribute it ? it.attr() : "";
        }

        /** The last name of what is called; empty where that has none. */
        public String name() {
            return func instanceof Name it ? it.id() : method();
        }

        /** The object whose method is called, or null. */
        public @Nullable Expr receiver() {
            return func instanceof Attribute it ? it.value() : null;
        }

        /** All arguments, by place and by name. */
        public Stream<Expr> given() {
            return Stream.concat(args.stream(), keywords.stream().map(Node.Keyword::value));
        }

        /** The argument of a name, or null. */
        public @Nullable Expr given(String name) {
            for (Node.Keyword keyword : keywords) {
                if (name.equals(keyword.arg())) {
                    return keyword.value();
                }
            }
            return null;
        }

        /** The argument of a name, else that of a place, or null. */
        public @Nullable Expr given(String name, int place) {
            Expr named = given(name);
            return named == null && place < args.size() ? args.get(place) : named;
        }
    }

    /** An expression in a format string; the conversion is {@code s}, {@code r}, {@code a}, or 0 for none. */
    record FormattedValue(
            int start,
            int end,
            Expr value,
            char conversion,
            @Nullable JoinedStr formatSpec) implements Expr {}

    /** An expression in a template string. */
    record Interpolation(
            int start,
            int end,
            Expr value,
            char conversion,
            @Nullable JoinedStr formatSpec) implements Expr {}

    /** A format string: its stretches of text, constants, and its values; with the parts of plain strings beside it. */
    record JoinedStr(int start, int end, List<Expr> values) implements Expr {}

    /** A template string. */
    record TemplateStr(int start, int end, List<Expr> values) implements Expr {}

    record Constant(int start, int end, Kind kind) implements Expr {
        /** The kinds of constants. */
        public enum Kind {
            NONE,
            FALSE,
            TRUE,
            ELLIPSIS,
            INT,
            FLOAT,
            IMAGINARY,
            STR,
            BYTES
        }
    }

    record Attribute(int start, int end, Expr value, String attr) implements Expr {}

    record Subscript(int start, int end, Expr value, Expr slice) implements Expr {}

    record Starred(int start, int end, Expr value) implements Expr {}

    record Name(int start, int end, String id) implements Expr {}

    record ListDisplay(int start, int end, List<Expr> elts) implements Expr {}

    record Tuple(int start, int end, List<Expr> elts) implements Expr {}

    record Slice(
            int start,
            int end,
            @Nullable Expr lower,
            @Nullable Expr upper,
            @Nullable Expr step) implements Expr {}

    /** The operators of {@link BoolOp}. */
    enum BoolOperator {
        AND,
        OR
    }

    /** The operators of {@link BinOp} and of assignments. */
    enum Operator {
        ADD,
        SUB,
        MULT,
        MAT_MULT,
        DIV,
        MOD,
        POW,
        L_SHIFT,
        R_SHIFT,
        BIT_OR,
        BIT_XOR,
        BIT_AND,
        FLOOR_DIV
    }

    /** The operators of {@link UnaryOp}. */
    enum UnaryOperator {
        INVERT,
        NOT,
        U_ADD,
        U_SUB
    }

    /** The operators of {@link Compare}. */
    enum CmpOp {
        EQ,
        NOT_EQ,
        LT,
        LT_E,
        GT,
        GT_E,
        IS,
        IS_NOT,
        IN,
        NOT_IN
    }
}
