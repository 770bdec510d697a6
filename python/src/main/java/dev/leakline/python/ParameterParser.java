package dev.leakline.python;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of functions, and those that are types. */
final class ParameterParser {
    private final TokenReader reader;
    private final NodeStack nodes;
    private final ExpressionParser expressions;

    ParameterParser(TokenReader reader, ExpressionParser expressions) {
        this.reader = reader;
        this.nodes = reader.nodes;
        this.expressions = expressions;
    }

    /** Reads parameters up to a token: a parenthesis, or the colon of a lambda, whose parameters have no types. */
    Node.Arguments arguments(Token close) {
        int start = reader.start();
        boolean isTyped = close == Token.RIGHT_PAREN;
        int from = nodes.size();
        List<Node.Arg> positionalOnly = List.of();
        List<Node.Arg> positional = List.of();
        Node.Arg rest = null;
        Node.Arg mapping = null;
        boolean isStarred = false;
        while (!reader.is(close)) {
            if (reader.take(Token.SLASH)) {
                positionalOnly = nodes.pop(from);
            } else if (reader.take(Token.STAR)) {
                positional = nodes.pop(from);
                isStarred = true;
                rest = reader.is(Token.COMMA) ? null : parameter(isTyped);
            } else if (reader.take(Token.POWER)) {
                mapping = parameter(isTyped);
            } else {
                nodes.push(parameter(isTyped));
            }
            if (!reader.take(Token.COMMA)) {
                break;
            }
        }
        List<Node.Arg> last = nodes.pop(from);
        int end = Math.max(start, reader.end());
        return isStarred
                ? new Node.Arguments(start, end, positionalOnly, positional, rest, last, mapping)
                : new Node.Arguments(start, end, positionalOnly, last, null, List.of(), mapping);
    }

    private Node.Arg parameter(boolean isTyped) {
        int start = reader.start();
        String name = reader.name();
        Expr annotation = isTyped && reader.take(Token.COLON) ? expressions.starred() : null;
        int end = reader.end();
        Expr value = reader.take(Token.EQUAL) ? expressions.expression() : null;
        return new Node.Arg(start, end, name, annotation, value);
    }

    /** Reads the type parameters of a function, class or alias, if it has any. */
    List<Node.TypeParam> types() {
        if (!reader.take(Token.LEFT_BRACKET)) {
            return List.of();
        }
        int from = nodes.size();
        while (!reader.is(Token.RIGHT_BRACKET)) {
            nodes.push(type());
            if (!reader.take(Token.COMMA)) {
                break;
            }
        }
        reader.need(Token.RIGHT_BRACKET);
        return nodes.pop(from);
    }

    private Node.TypeParam type() {
        int start = reader.start();
        Node.TypeParam.Kind kind = reader.take(Token.STAR)
                ? Node.TypeParam.Kind.TYPE_VAR_TUPLE
                : reader.take(Token.POWER) ? Node.TypeParam.Kind.PARAM_SPEC : Node.TypeParam.Kind.TYPE_VAR;
        String name = reader.name();
        Expr bound = typeAfter(Token.COLON);
        Expr value = typeAfter(Token.EQUAL);
        return new Node.TypeParam(start, reader.end(), kind, name, bound, value);
    }

    private @Nullable Expr typeAfter(Token token) {
        return reader.take(token) ? expressions.starred() : null;
    }
}
