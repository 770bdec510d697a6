package dev.leakline.lint.python;

import dev.leakline.lint.python.Tokens.Unexpected;
import java.util.ArrayList;
import java.util.List;

/** Reads what stands in brackets: tuples, lists, dicts, comprehensions, arguments, parameters; and what is assigned to. */
abstract class DisplayReader extends TokenReader {
    DisplayReader(PythonText source, Tokens tokens) {
        super(source, tokens);
    }

    abstract Syntax expression();

    /** Operators that bind at least as tightly as this. */
    abstract Syntax binary(int weakest);

    abstract Syntax unary();

    abstract Syntax yielded();

    abstract Syntax starred();

    abstract Syntax walrus();

    abstract Syntax lambda();

    abstract boolean beginsExpression();

    final Syntax[] rest(Syntax first) {
        List<Syntax> all = new ArrayList<>(List.of(first));
        while (skip(Token.COMMA) && beginsExpression()) {
            all.add(starred());
        }
        return all.toArray(Syntax[]::new);
    }

    final Syntax splat(String type) {
        int start = start();
        at++;
        Syntax inner = expression();
        return node(type, start, inner);
    }

    /** The arguments of a call or class: a list, or the one generator. */
    final Syntax arguments() {
        int start = start();
        expect(Token.OPEN);
        List<Syntax> all = new ArrayList<>();
        while (!is(Token.CLOSE)) {
            all.add(argument());
            if (isComprehension() && all.size() == 1) {
                return comprehended("generator_expression", start, all.getFirst(), Token.CLOSE);
            }
            if (!is(Token.CLOSE)) {
                expect(Token.COMMA);
            }
        }
        at++;
        return node("argument_list", start, end(), all);
    }

    private Syntax argument() {
        int start = start();
        if (is(Token.STAR)) {
            return splat("list_splat");
        }
        if (is(Token.POWER)) {
            return splat("dictionary_splat");
        }
        if (is(Token.NAME) && kind(1) == Token.ASSIGN) {
            Syntax name = name().in("name");
            at++;
            Syntax value = expression().in("value");
            return node("keyword_argument", start, name, value);
        }
        return expression();
    }

    private boolean isComprehension() {
        return is(Token.FOR) || (is(Token.ASYNC) && kind(1) == Token.FOR);
    }

    private Syntax comprehended(String type, int start, Syntax body, Token close) {
        List<Syntax> parts = new ArrayList<>(List.of(body.in("body")));
        while (!is(close)) {
            parts.add(is(Token.IF) ? condition() : clause());
        }
        at++;
        return node(type, start, end(), parts);
    }

    private Syntax condition() {
        int start = start();
        at++;
        Syntax test = is(Token.NAME) && kind(1) == Token.WALRUS ? walrus() : binary(1);
        return node("if_clause", start, test);
    }

    private Syntax clause() {
        int start = start();
        skip(Token.ASYNC);
        expect(Token.FOR);
        List<Syntax> parts = new ArrayList<>(List.of(targets().in("left")));
        expect(Token.IN);
        do {
            parts.add((is(Token.LAMBDA) ? lambda() : binary(1)).in("right"));
        } while (skip(Token.COMMA));
        return node("for_in_clause", start, end(), parts);
    }

    /** What a loop assigns to: up to the word in. */
    final Syntax targets() {
        int start = start();
        List<Syntax> all = new ArrayList<>();
        boolean several = false;
        do {
            all.add(target());
            several |= is(Token.COMMA);
        } while (skip(Token.COMMA) && !is(Token.IN));
        return several ? node("pattern_list", start, end(), all) : all.getFirst();
    }

    private Syntax target() {
        int start = start();
        if (skip(Token.STAR)) {
            return wrapped("list_splat_pattern", start, pattern(unary()));
        }
        return pattern(unary());
    }

    /** What is assigned to, of what was read as an expression. */
    final Syntax pattern(Syntax read) {
        String type = switch (read.type()) {
            case "tuple", "parenthesized_expression" -> "tuple_pattern";
            case "list" -> "list_pattern";
            case "expression_list" -> "pattern_list";
            case "list_splat" -> "list_splat_pattern";
            case "identifier", "attribute", "subscript" -> "";
            default -> throw new Unexpected();
        };
        return type.isEmpty()
                ? read
                : node(
                        type,
                        read.start(),
                        read.end(),
                        read.children().stream().map(this::pattern).toList());
    }

    /** The parameters of a function, or of a lambda, which have no types; up to the token behind them. */
    final Syntax parameters(String type, Token close) {
        int start = start();
        skip(Token.OPEN);
        List<Syntax> all = new ArrayList<>();
        while (!is(close)) {
            all.add(parameter(close));
            if (!is(close)) {
                expect(Token.COMMA);
            }
        }
        if (close == Token.CLOSE) {
            at++;
        }
        return node(type, start, end(), all);
    }

    private Syntax parameter(Token close) {
        int start = start();
        if (is(Token.SLASH)) {
            return leaf("positional_separator");
        }
        if (is(Token.STAR) && kind(1) != Token.NAME) {
            return leaf("keyword_separator");
        }
        Syntax name = is(Token.STAR) || is(Token.POWER) ? collecting() : name();
        Syntax type = close == Token.CLOSE && skip(Token.COLON) ? type() : null;
        if (!skip(Token.ASSIGN)) {
            return type == null ? name : node("typed_parameter", start, name, type.in("type"));
        }
        Syntax value = expression().in("value");
        return type == null
                ? node("default_parameter", start, name.in("name"), value)
                : node("typed_default_parameter", start, name.in("name"), type.in("type"), value);
    }

    private Syntax collecting() {
        int start = start();
        String type = skip(Token.STAR) ? "list_splat_pattern" : "dictionary_splat_pattern";
        skip(Token.POWER);
        return wrapped(type, start, name());
    }

    final Syntax type() {
        int start = start();
        return wrapped("type", start, starred());
    }

    final Syntax parenthesized() {
        int start = start();
        at++;
        if (skip(Token.CLOSE)) {
            return node("tuple", start);
        }
        if (is(Token.YIELD)) {
            Syntax inner = yielded();
            expect(Token.CLOSE);
            return node("parenthesized_expression", start, inner);
        }
        Syntax first = starred();
        if (isComprehension()) {
            return comprehended("generator_expression", start, first, Token.CLOSE);
        }
        if (is(Token.COMMA)) {
            Syntax[] all = rest(first);
            expect(Token.CLOSE);
            return node("tuple", start, all);
        }
        expect(Token.CLOSE);
        if (first.is("list_splat")) {
            throw new Unexpected();
        }
        return node("parenthesized_expression", start, first);
    }

    final Syntax list() {
        int start = start();
        at++;
        if (skip(Token.CLOSE_LIST)) {
            return node("list", start);
        }
        Syntax first = starred();
        if (isComprehension()) {
            return comprehended("list_comprehension", start, first, Token.CLOSE_LIST);
        }
        Syntax[] all = rest(first);
        expect(Token.CLOSE_LIST);
        return node("list", start, all);
    }

    final Syntax braces() {
        int start = start();
        at++;
        if (skip(Token.CLOSE_BRACE)) {
            return node("dictionary", start);
        }
        Syntax first = entry();
        boolean pairs = first.is("pair") || first.is("dictionary_splat");
        if (isComprehension()) {
            String type = pairs ? "dictionary_comprehension" : "set_comprehension";
            return comprehended(type, start, first, Token.CLOSE_BRACE);
        }
        List<Syntax> all = new ArrayList<>(List.of(first));
        while (skip(Token.COMMA) && !is(Token.CLOSE_BRACE)) {
            all.add(entry());
        }
        expect(Token.CLOSE_BRACE);
        return node(pairs ? "dictionary" : "set", start, end(), all);
    }

    private Syntax entry() {
        int start = start();
        if (is(Token.POWER)) {
            return splat("dictionary_splat");
        }
        Syntax key = starred();
        if (!skip(Token.COLON)) {
            return key;
        }
        Syntax value = expression().in("value");
        return node("pair", start, key.in("key"), value);
    }

    final Syntax subscript(Syntax value, int start) {
        List<Syntax> parts = new ArrayList<>(List.of(value.in("value")));
        at++;
        do {
            parts.add(slice().in("subscript"));
        } while (skip(Token.COMMA) && !is(Token.CLOSE_LIST));
        expect(Token.CLOSE_LIST);
        return node("subscript", start, end(), parts);
    }

    private Syntax slice() {
        int start = start();
        Syntax first = is(Token.COLON) ? null : starred();
        if (first != null && !is(Token.COLON)) {
            return first;
        }
        List<Syntax> parts = new ArrayList<>();
        if (first != null) {
            parts.add(first);
        }
        for (int colons = 0; colons < 2 && skip(Token.COLON); colons++) {
            if (beginsExpression()) {
                parts.add(expression());
            }
        }
        return node("slice", start, end(), parts);
    }
}
