package dev.leakline.python;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what is in brackets: tuples, lists, sets, dictionaries, comprehensions, the arguments of calls, subscripts. */
final class DisplayParser {
    private final TokenReader reader;
    private final NodeStack nodes;
    private final ExpressionParser expressions;

    DisplayParser(TokenReader reader, ExpressionParser expressions) {
        this.reader = reader;
        this.nodes = reader.nodes;
        this.expressions = expressions;
    }

    Expr parenthesized() {
        int start = reader.start();
        int pair = reader.parentheses.open(start);
        reader.need(Token.LEFT_PAREN);
        if (reader.take(Token.RIGHT_PAREN)) {
            return new Expr.Tuple(start, reader.end(), List.of());
        }
        if (reader.is(Token.YIELD)) {
            return grouped(pair, expressions.yielded());
        }
        int from = nodes.size();
        Expr first = expressions.starred();
        if (isComprehension()) {
            List<Node.Comprehension> generators = generators();
            reader.need(Token.RIGHT_PAREN);
            return new Expr.GeneratorExp(start, reader.end(), first, generators);
        }
        if (!reader.is(Token.COMMA)) {
            return grouped(pair, first);
        }
        nodes.push(first);
        reader.advance();
        elements(Token.RIGHT_PAREN);
        List<Expr> elements = nodes.pop(from);
        return new Expr.Tuple(start, reader.end(), elements);
    }

    private Expr grouped(int pair, Expr inner) {
        reader.need(Token.RIGHT_PAREN);
        reader.parentheses.group(pair, inner, reader.end());
        return inner;
    }

    /** Pushes the elements up to a bracket, and takes that. */
    private void elements(Token close) {
        while (!reader.is(close)) {
            nodes.push(expressions.starred());
            if (!reader.take(Token.COMMA)) {
                break;
            }
        }
        reader.need(close);
    }

    Expr list() {
        int start = reader.start();
        reader.need(Token.LEFT_BRACKET);
        int from = nodes.size();
        if (reader.take(Token.RIGHT_BRACKET)) {
            return new Expr.ListDisplay(start, reader.end(), List.of());
        }
        Expr first = expressions.starred();
        if (isComprehension()) {
            List<Node.Comprehension> generators = generators();
            reader.need(Token.RIGHT_BRACKET);
            return new Expr.ListComp(start, reader.end(), first, generators);
        }
        nodes.push(first);
        if (reader.take(Token.COMMA)) {
            elements(Token.RIGHT_BRACKET);
        } else {
            reader.need(Token.RIGHT_BRACKET);
        }
        List<Expr> elements = nodes.pop(from);
        return new Expr.ListDisplay(start, reader.end(), elements);
    }

    Expr braced() {
        int start = reader.start();
        reader.need(Token.LEFT_BRACE);
        if (reader.is(Token.RIGHT_BRACE) || reader.is(Token.POWER)) {
            return dictionary(start, null);
        }
        int from = nodes.size();
        Expr first = expressions.starred();
        if (reader.is(Token.COLON)) {
            return dictionary(start, first);
        }
        if (isComprehension()) {
            List<Node.Comprehension> generators = generators();
            reader.need(Token.RIGHT_BRACE);
            return new Expr.SetComp(start, reader.end(), first, generators);
        }
        nodes.push(first);
        if (reader.take(Token.COMMA)) {
            elements(Token.RIGHT_BRACE);
        } else {
            reader.need(Token.RIGHT_BRACE);
        }
        List<Expr> elements = nodes.pop(from);
        return new Expr.SetDisplay(start, reader.end(), elements);
    }

    /** Reads a dictionary behind its brace, or behind its first key. */
    private Expr dictionary(int start, @Nullable Expr firstKey) {
        List<@Nullable Expr> keys = new ArrayList<>();
        int from = nodes.size();
        Expr key = firstKey;
        while (!reader.is(Token.RIGHT_BRACE)) {
            boolean isUnpacked = key == null && reader.take(Token.POWER);
            Expr value;
            if (isUnpacked) {
                value = expressions.expression();
            } else {
                key = key == null ? expressions.expression() : key;
                reader.need(Token.COLON);
                value = expressions.expression();
            }
            if (keys.isEmpty() && isComprehension()) {
                return comprehension(start, key == null ? value : key, isUnpacked ? null : value);
            }
            keys.add(key);
            nodes.push(value);
            key = null;
            if (!reader.take(Token.COMMA)) {
                break;
            }
        }
        reader.need(Token.RIGHT_BRACE);
        List<Expr> values = nodes.pop(from);
        return new Expr.Dict(start, reader.end(), Collections.unmodifiableList(keys), values);
    }

    private Expr comprehension(int start, Expr key, @Nullable Expr value) {
        List<Node.Comprehension> generators = generators();
        reader.need(Token.RIGHT_BRACE);
        return new Expr.DictComp(start, reader.end(), key, value, generators);
    }

    private boolean isComprehension() {
        return reader.is(Token.FOR) || (reader.is(Token.ASYNC) && reader.kind(1) == Token.FOR);
    }

    private List<Node.Comprehension> generators() {
        int from = nodes.size();
        while (isComprehension()) {
            int start = reader.start();
            boolean isAsync = reader.take(Token.ASYNC);
            reader.need(Token.FOR);
            Expr target = expressions.targets();
            reader.need(Token.IN);
            Expr iter = expressions.disjunction();
            int conditions = nodes.size();
            while (reader.take(Token.IF)) {
                nodes.push(expressions.disjunction());
            }
            List<Expr> ifs = nodes.pop(conditions);
            nodes.push(new Node.Comprehension(start, reader.end(), target, iter, ifs, isAsync));
        }
        return nodes.pop(from);
    }

    Expr call(int start, Expr function) {
        int from = nodes.size();
        arguments();
        List<Node.Keyword> keywords = nodes.popKeywords(from);
        List<Expr> arguments = nodes.pop(from);
        return new Expr.Call(start, reader.end(), function, arguments, keywords);
    }

    /** Pushes arguments, those by name as {@link Node.Keyword}. */
    void arguments() {
        int open = reader.start();
        reader.need(Token.LEFT_PAREN);
        boolean isFirst = true;
        while (!reader.is(Token.RIGHT_PAREN)) {
            Node argument = argument();
            if (argument instanceof Expr element && isComprehension()) {
                argument = generator(isFirst ? open : element.start(), element);
            }
            nodes.push(argument);
            isFirst = false;
            if (!reader.take(Token.COMMA)) {
                break;
            }
        }
        reader.need(Token.RIGHT_PAREN);
    }

    /** Reads a generator that is an argument: if it is the only one, the parentheses of the call are its own. */
    private Expr generator(int start, Expr element) {
        List<Node.Comprehension> generators = generators();
        int end = reader.is(Token.RIGHT_PAREN) ? reader.start() + 1 : reader.end();
        return new Expr.GeneratorExp(start, end, element, generators);
    }

    private Node argument() {
        int start = reader.start();
        if (reader.take(Token.POWER)) {
            Expr mapping = expressions.expression();
            return new Node.Keyword(start, reader.end(), null, mapping);
        }
        if (reader.is(Token.NAME) && reader.kind(1) == Token.EQUAL) {
            String name = reader.name();
            reader.advance();
            Expr value = expressions.expression();
            return new Node.Keyword(start, reader.end(), name, value);
        }
        return expressions.starred();
    }

    Expr subscript(int start, Expr value) {
        reader.need(Token.LEFT_BRACKET);
        int inside = reader.start();
        Expr slice = slice();
        if (reader.is(Token.COMMA) || slice instanceof Expr.Starred) {
            slice = slices(inside, slice);
        }
        reader.need(Token.RIGHT_BRACKET);
        return new Expr.Subscript(start, reader.end(), value, slice);
    }

    private Expr slices(int start, Expr first) {
        int from = nodes.size();
        nodes.push(first);
        while (reader.take(Token.COMMA) && !reader.is(Token.RIGHT_BRACKET)) {
            nodes.push(slice());
        }
        List<Expr> elements = nodes.pop(from);
        return new Expr.Tuple(start, reader.end(), elements);
    }

    private Expr slice() {
        int start = reader.start();
        Expr lower = reader.is(Token.COLON) ? null : expressions.starred();
        if (lower != null && !reader.is(Token.COLON)) {
            return lower;
        }
        reader.need(Token.COLON);
        Expr upper = bound();
        Expr step = reader.take(Token.COLON) ? bound() : null;
        return new Expr.Slice(start, reader.end(), lower, upper, step);
    }

    private @Nullable Expr bound() {
        return reader.kind().beginsExpression() ? expressions.expression() : null;
    }
}
