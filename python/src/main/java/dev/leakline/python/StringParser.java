package dev.leakline.python;

import dev.leakline.python.Expr.Constant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads strings: plain ones, format strings, template strings, and several of them side by side, which are one. */
final class StringParser {
    private final TokenReader reader;
    private final NodeStack nodes;
    private final ExpressionParser expressions;

    StringParser(TokenReader reader, ExpressionParser expressions) {
        this.reader = reader;
        this.nodes = reader.nodes;
        this.expressions = expressions;
    }

    Expr string() {
        int start = reader.start();
        int from = nodes.size();
        boolean isBytes = reader.is(Token.BYTES);
        boolean isFormat = false;
        boolean isTemplate = false;
        while (true) {
            Token kind = reader.kind();
            if (kind == Token.STRING || kind == Token.BYTES) {
                plain();
            } else if (kind == Token.FSTRING_START || kind == Token.TSTRING_START) {
                isFormat = true;
                isTemplate |= kind == Token.TSTRING_START;
                format(kind == Token.TSTRING_START);
            } else {
                break;
            }
        }
        int end = reader.end();
        if (!isFormat) {
            nodes.truncate(from);
            return new Constant(start, end, isBytes ? Constant.Kind.BYTES : Constant.Kind.STR);
        }
        List<Expr> values = nodes.pop(from);
        return isTemplate ? new Expr.TemplateStr(start, end, values) : new Expr.JoinedStr(start, end, values);
    }

    private void plain() {
        int start = reader.start();
        Constant.Kind kind = reader.is(Token.BYTES) ? Constant.Kind.BYTES : Constant.Kind.STR;
        reader.advance();
        nodes.push(new Constant(start, reader.end(), kind));
    }

    private void format(boolean isTemplate) {
        reader.advance();
        parts(isTemplate);
        reader.need(Token.FSTRING_END);
    }

    /** Pushes stretches of text and replacement fields. */
    private void parts(boolean isTemplate) {
        while (true) {
            if (reader.is(Token.FSTRING_MIDDLE)) {
                int start = reader.start();
                reader.advance();
                nodes.push(new Constant(start, reader.end(), Constant.Kind.STR));
            } else if (reader.is(Token.LEFT_BRACE)) {
                field(isTemplate);
            } else {
                return;
            }
        }
    }

    private void field(boolean isTemplate) {
        int start = reader.start();
        reader.need(Token.LEFT_BRACE);
        int inside = reader.end();
        Expr value = expressions.list();
        boolean isShown = reader.take(Token.EQUAL);
        if (isShown) {
            nodes.push(new Constant(inside, reader.start(), Constant.Kind.STR));
        }
        char conversion = conversion();
        Expr.JoinedStr specification = specification();
        reader.need(Token.RIGHT_BRACE);
        if (isShown && conversion == 0 && specification == null) {
            conversion = 'r';
        }
        nodes.push(
                isTemplate
                        ? new Expr.Interpolation(start, reader.end(), value, conversion, specification)
                        : new Expr.FormattedValue(start, reader.end(), value, conversion, specification));
    }

    private char conversion() {
        if (!reader.take(Token.EXCLAMATION)) {
            return 0;
        }
        String name = reader.name();
        return name.charAt(0);
    }

    private Expr.@Nullable JoinedStr specification() {
        int start = reader.start();
        if (!reader.take(Token.COLON)) {
            return null;
        }
        reader.enter();
        int from = nodes.size();
        parts(false);
        List<Expr> values = nodes.pop(from);
        reader.leave();
        return new Expr.JoinedStr(start, reader.end(), values);
    }
}
