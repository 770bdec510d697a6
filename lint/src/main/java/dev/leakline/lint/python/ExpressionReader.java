package dev.leakline.lint.python;

import dev.leakline.lint.python.StringScan.Field;
import dev.leakline.lint.python.Tokens.Unexpected;
import java.util.ArrayList;
import java.util.List;

/** Reads expressions from tokens, into the nodes that the grammar tree-sitter-python makes of them. */
class ExpressionReader extends DisplayReader {
    ExpressionReader(PythonText source, Tokens tokens) {
        super(source, tokens);
    }

    /** One expression, or several as an expression_list. */
    final Syntax expressions() {
        int start = start();
        Syntax first = starred();
        return is(Token.COMMA) ? node("expression_list", start, rest(first)) : first;
    }

    @Override
    final boolean beginsExpression() {
        return switch (kind()) {
            case NAME,
                    INTEGER,
                    FLOAT,
                    STRING,
                    OPEN,
                    OPEN_LIST,
                    OPEN_BRACE,
                    ELLIPSIS,
                    NOT,
                    PLUS,
                    MINUS,
                    STAR,
                    TILDE,
                    TRUE,
                    FALSE,
                    NONE,
                    AWAIT,
                    LAMBDA -> true;
            default -> false;
        };
    }

    @Override
    final Syntax starred() {
        return is(Token.STAR) ? splat("list_splat") : expression();
    }

    @Override
    final Syntax yielded() {
        int start = start();
        expect(Token.YIELD);
        if (skip(Token.FROM)) {
            Syntax inner = expression();
            return node("yield", start, inner);
        }
        return beginsExpression() ? wrapped("yield", start, expressions()) : node("yield", start);
    }

    @Override
    final Syntax expression() {
        if (++depth > DEEPEST) {
            throw new Unexpected();
        }
        Syntax read =
                is(Token.LAMBDA) ? lambda() : is(Token.NAME) && kind(1) == Token.WALRUS ? walrus() : conditional();
        depth--;
        return read;
    }

    @Override
    final Syntax walrus() {
        int start = start();
        Syntax name = name().in("name");
        at++;
        Syntax value = expression().in("value");
        return node("named_expression", start, name, value);
    }

    private Syntax conditional() {
        int start = start();
        Syntax first = binary(1);
        if (!skip(Token.IF)) {
            return first;
        }
        Syntax condition = binary(1);
        expect(Token.ELSE);
        Syntax other = expression();
        return node("conditional_expression", start, first, condition, other);
    }

    @Override
    final Syntax lambda() {
        int start = start();
        at++;
        Syntax parameters = is(Token.COLON)
                ? null
                : parameters("lambda_parameters", Token.COLON).in("parameters");
        expect(Token.COLON);
        Syntax body = expression().in("body");
        return parameters == null ? node("lambda", start, body) : node("lambda", start, parameters, body);
    }

    /** Operators that bind at least as tightly as this. */
    @Override
    final Syntax binary(int weakest) {
        int start = start();
        Syntax left;
        if (is(Token.NOT)) {
            if (weakest > Token.NEGATION) {
                throw new Unexpected();
            }
            at++;
            Syntax argument = binary(Token.NEGATION).in("argument");
            left = node("not_operator", start, argument);
        } else {
            left = unary();
        }
        while (true) {
            Token operator = kind();
            boolean notIn = operator == Token.NOT && kind(1) == Token.IN;
            int precedence = notIn ? Token.COMPARISON : operator.precedence;
            if (precedence == 0 || precedence < weakest) {
                return left;
            }
            if (precedence == Token.COMPARISON) {
                left = comparison(start, left);
            } else {
                Syntax sign = leaf(operator.text).in("operator");
                Syntax right = binary(precedence + 1).in("right");
                String type = precedence < Token.NEGATION ? "boolean_operator" : "binary_operator";
                left = node(type, start, left.in("left"), sign, right);
            }
        }
    }

    private Syntax comparison(int start, Syntax left) {
        List<Syntax> parts = new ArrayList<>(List.of(left));
        while (kind().precedence == Token.COMPARISON || (is(Token.NOT) && kind(1) == Token.IN)) {
            parts.add(comparator());
            parts.add(binary(Token.COMPARISON + 1));
        }
        return node("comparison_operator", start, end(), parts);
    }

    private Syntax comparator() {
        int start = start();
        boolean two = is(Token.NOT) || (is(Token.IS) && kind(1) == Token.NOT);
        String type = is(Token.NOT) ? "not in" : two ? "is not" : kind().text;
        at += two ? 2 : 1;
        return new Syntax(source, type, start, end()).in("operators");
    }

    @Override
    final Syntax unary() {
        int start = start();
        if (is(Token.AWAIT)) {
            at++;
            return wrapped("await", start, unary());
        }
        if (is(Token.MINUS) || is(Token.PLUS) || is(Token.TILDE)) {
            Syntax sign = leaf(kind().text).in("operator");
            Syntax argument = unary().in("argument");
            return node("unary_operator", start, sign, argument);
        }
        Syntax base = trailed(atom(), start);
        if (!is(Token.POWER)) {
            return base;
        }
        Syntax sign = leaf("**").in("operator");
        Syntax right = unary().in("right");
        return node("binary_operator", start, base.in("left"), sign, right);
    }

    /** Attributes, calls and subscripts behind something. */
    private Syntax trailed(Syntax base, int start) {
        Syntax whole = base;
        while (true) {
            switch (kind()) {
                case DOT -> {
                    at++;
                    Syntax attribute = name().in("attribute");
                    whole = node("attribute", start, whole.in("object"), attribute);
                }
                case OPEN -> {
                    Syntax arguments = arguments().in("arguments");
                    whole = node("call", start, whole.in("function"), arguments);
                }
                case OPEN_LIST -> whole = subscript(whole, start);
                default -> {
                    return whole;
                }
            }
        }
    }

    private Syntax atom() {
        return switch (kind()) {
            case NAME -> leaf("identifier");
            case INTEGER -> leaf("integer");
            case FLOAT -> leaf("float");
            case TRUE -> leaf("true");
            case FALSE -> leaf("false");
            case NONE -> leaf("none");
            case ELLIPSIS -> leaf("ellipsis");
            case STRING -> strings();
            case OPEN -> parenthesized();
            case OPEN_LIST -> list();
            case OPEN_BRACE -> braces();
            default -> throw new Unexpected();
        };
    }

    private Syntax strings() {
        int start = start();
        Syntax first = string();
        if (!is(Token.STRING)) {
            return first;
        }
        List<Syntax> all = new ArrayList<>(List.of(first));
        while (is(Token.STRING)) {
            all.add(string());
        }
        return node("concatenated_string", start, end(), all);
    }

    private Syntax string() {
        int start = start();
        int stop = tokens.end(at++);
        String text = source.text();
        int quote = StringScan.quote(text, start);
        if (!StringScan.isFormatted(text, start, quote)) {
            return new Syntax(source, "string", start, stop);
        }
        int quotes = StringScan.quotes(text, quote, stop);
        return node("string", start, stop, fields("interpolation", quote + quotes, stop - quotes));
    }

    private List<Syntax> fields(String type, int start, int stop) {
        String text = source.text();
        List<Syntax> found = new ArrayList<>();
        for (int i = start; i < stop; i++) {
            char c = text.charAt(i);
            if (c == '{' && text.charAt(i + 1) == '{') {
                i++;
            } else if (c == '\\' && "{}".indexOf(text.charAt(i + 1)) < 0) {
                i++;
            } else if (c == '{') {
                Field field = Field.at(text, i, stop);
                found.add(interpolation(type, field));
                i = field.end() - 1;
            }
        }
        return found;
    }

    private Syntax interpolation(String type, Field field) {
        List<Syntax> parts = new ArrayList<>();
        ExpressionReader inner =
                new ExpressionReader(source, Tokens.inside(source, field.start() + 1, field.expressionEnd()));
        inner.depth = depth;
        parts.add((inner.is(Token.YIELD) ? inner.yielded() : inner.expressions()).in("expression"));
        inner.expect(Token.END);
        int stop = field.end() - 1;
        if (field.conversion() >= 0) {
            int last = field.format() >= 0 ? field.format() : stop;
            parts.add(new Syntax(source, "type_conversion", field.conversion(), last).in("type_conversion"));
        }
        if (field.format() >= 0) {
            parts.add(node(
                            "format_specifier",
                            field.format(),
                            stop,
                            fields("format_expression", field.format() + 1, stop))
                    .in("format_specifier"));
        }
        return node(type, field.start(), field.end(), parts);
    }
}
