package dev.leakline.python;

import dev.leakline.python.Expr.BoolOperator;
import dev.leakline.python.Expr.CmpOp;
import dev.leakline.python.Expr.Constant;
import dev.leakline.python.Expr.Operator;
import dev.leakline.python.Expr.UnaryOperator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads expressions, by recursive descent; binary operators by their strength. Displays, calls and strings have readers of their own. */
final class ExpressionParser {
    private final TokenReader reader;
    private final NodeStack nodes;
    private final StringParser strings;
    private final DisplayParser displays;
    private final ParameterParser parameters;

    ExpressionParser(TokenReader reader) {
        this.reader = reader;
        this.nodes = reader.nodes;
        this.strings = new StringParser(reader, this);
        this.displays = new DisplayParser(reader, this);
        this.parameters = new ParameterParser(reader, this);
    }

    ParameterParser parameters() {
        return parameters;
    }

    /** Reads what stands alone or to the right of an assignment: expressions between commas, which are a tuple, or a yield. */
    Expr list() {
        if (reader.is(Token.YIELD)) {
            return yielded();
        }
        int start = reader.start();
        Expr first = starred();
        return reader.is(Token.COMMA) ? tuple(start, first) : first;
    }

    private Expr tuple(int start, Expr first) {
        int from = nodes.size();
        nodes.push(first);
        while (reader.take(Token.COMMA) && reader.kind().beginsExpression()) {
            nodes.push(starred());
        }
        List<Expr> elements = nodes.pop(from);
        return new Expr.Tuple(start, reader.end(), elements);
    }

    /** Reads targets up to {@code in}: these contain no comparisons. */
    Expr targets() {
        int start = reader.start();
        Expr first = target();
        if (!reader.is(Token.COMMA)) {
            return first;
        }
        int from = nodes.size();
        nodes.push(first);
        while (reader.take(Token.COMMA) && reader.kind().beginsExpression()) {
            nodes.push(target());
        }
        List<Expr> elements = nodes.pop(from);
        return new Expr.Tuple(start, reader.end(), elements);
    }

    Expr target() {
        int start = reader.start();
        if (reader.take(Token.STAR)) {
            Expr value = operands();
            return new Expr.Starred(start, reader.end(), value);
        }
        return operands();
    }

    /** Reads an expression, with a star before it or with a name that it is given. */
    Expr starred() {
        int start = reader.start();
        if (reader.take(Token.STAR)) {
            Expr value = expression();
            return new Expr.Starred(start, reader.end(), value);
        }
        return named();
    }

    /** Reads an expression that may be given a name by {@code :=}. */
    Expr named() {
        int start = reader.start();
        Expr left = expression();
        if (!reader.take(Token.WALRUS)) {
            return left;
        }
        Expr value = expression();
        return new Expr.NamedExpr(start, reader.end(), left, value);
    }

    Expr yielded() {
        int start = reader.start();
        reader.need(Token.YIELD);
        if (reader.take(Token.FROM)) {
            Expr value = expression();
            return new Expr.YieldFrom(start, reader.end(), value);
        }
        if (!reader.kind().beginsExpression()) {
            return new Expr.Yield(start, reader.end(), null);
        }
        reader.enter();
        Expr value = list();
        reader.leave();
        return new Expr.Yield(start, reader.end(), value);
    }

    Expr expression() {
        reader.enter();
        Expr whole = reader.is(Token.LAMBDA) ? lambda() : conditional();
        reader.leave();
        return whole;
    }

    private Expr lambda() {
        int start = reader.start();
        reader.need(Token.LAMBDA);
        Node.Arguments arguments = parameters.arguments(Token.COLON);
        reader.need(Token.COLON);
        Expr body = expression();
        return new Expr.Lambda(start, reader.end(), arguments, body);
    }

    private Expr conditional() {
        int start = reader.start();
        Expr body = disjunction();
        if (!reader.take(Token.IF)) {
            return body;
        }
        Expr test = disjunction();
        reader.need(Token.ELSE);
        Expr orelse = expression();
        return new Expr.IfExp(start, reader.end(), test, body, orelse);
    }

    /** Reads an expression without a condition and no lambda. */
    Expr disjunction() {
        int start = reader.start();
        Expr first = conjunction();
        if (!reader.is(Token.OR)) {
            return first;
        }
        int from = nodes.size();
        nodes.push(first);
        while (reader.take(Token.OR)) {
            nodes.push(conjunction());
        }
        List<Expr> values = nodes.pop(from);
        return new Expr.BoolOp(start, reader.end(), BoolOperator.OR, values);
    }

    private Expr conjunction() {
        int start = reader.start();
        Expr first = inversion();
        if (!reader.is(Token.AND)) {
            return first;
        }
        int from = nodes.size();
        nodes.push(first);
        while (reader.take(Token.AND)) {
            nodes.push(inversion());
        }
        List<Expr> values = nodes.pop(from);
        return new Expr.BoolOp(start, reader.end(), BoolOperator.AND, values);
    }

    private Expr inversion() {
        if (!reader.is(Token.NOT)) {
            return comparison();
        }
        int start = reader.start();
        reader.advance();
        reader.enter();
        Expr operand = inversion();
        reader.leave();
        return new Expr.UnaryOp(start, reader.end(), UnaryOperator.NOT, operand);
    }

    private Expr comparison() {
        int start = reader.start();
        Expr left = operands();
        CmpOp operator = takeComparison();
        if (operator == null) {
            return left;
        }
        List<CmpOp> operators = new ArrayList<>(1);
        int from = nodes.size();
        for (; operator != null; operator = takeComparison()) {
            operators.add(operator);
            nodes.push(operands());
        }
        List<Expr> comparators = nodes.pop(from);
        return new Expr.Compare(start, reader.end(), left, List.copyOf(operators), comparators);
    }

    private @Nullable CmpOp takeComparison() {
        CmpOp operator = OperatorTable.comparison(reader.kind());
        if (operator == null || (operator == CmpOp.NOT_IN && reader.kind(1) != Token.IN)) {
            return null;
        }
        reader.advance();
        if (operator == CmpOp.NOT_IN) {
            reader.advance();
        } else if (operator == CmpOp.IS && reader.take(Token.NOT)) {
            return CmpOp.IS_NOT;
        }
        return operator;
    }

    /** Reads what stands between comparisons. */
    Expr operands() {
        return binary(OperatorTable.WEAKEST);
    }

    /** Reads a sum, such as a complex number. */
    Expr sum() {
        return binary(OperatorTable.SUM);
    }

    private Expr binary(int weakest) {
        int start = reader.start();
        int chain = reader.beginChain();
        Expr left = unary();
        Operator operator = OperatorTable.binary(reader.kind());
        while (operator != null && OperatorTable.strength(operator) >= weakest) {
            reader.advance();
            int strength = OperatorTable.strength(operator);
            Expr right = strength == OperatorTable.STRONGEST ? unary() : binary(strength + 1);
            left = new Expr.BinOp(start, reader.end(), left, operator, right);
            reader.link();
            operator = OperatorTable.binary(reader.kind());
        }
        reader.endChain(chain);
        return left;
    }

    private Expr unary() {
        UnaryOperator operator = switch (reader.kind()) {
            case PLUS -> UnaryOperator.U_ADD;
            case MINUS -> UnaryOperator.U_SUB;
            case TILDE -> UnaryOperator.INVERT;
            default -> null;
        };
        if (operator == null) {
            return power();
        }
        int start = reader.start();
        reader.advance();
        reader.enter();
        Expr operand = unary();
        reader.leave();
        return new Expr.UnaryOp(start, reader.end(), operator, operand);
    }

    private Expr power() {
        int start = reader.start();
        Expr base = reader.is(Token.AWAIT) ? awaited() : primary();
        if (!reader.take(Token.POWER)) {
            return base;
        }
        reader.enter();
        Expr exponent = unary();
        reader.leave();
        return new Expr.BinOp(start, reader.end(), base, Operator.POW, exponent);
    }

    private Expr awaited() {
        int start = reader.start();
        reader.need(Token.AWAIT);
        Expr value = primary();
        return new Expr.Await(start, reader.end(), value);
    }

    private Expr primary() {
        int start = reader.start();
        int chain = reader.beginChain();
        Expr whole = atom();
        while (true) {
            switch (reader.kind()) {
                case DOT -> {
                    reader.advance();
                    String name = reader.name();
                    whole = new Expr.Attribute(start, reader.end(), whole, name);
                }
                case LEFT_PAREN -> whole = displays.call(start, whole);
                case LEFT_BRACKET -> whole = displays.subscript(start, whole);
                default -> {
                    reader.endChain(chain);
                    return whole;
                }
            }
            reader.link();
        }
    }

    private Expr atom() {
        int start = reader.start();
        return switch (reader.kind()) {
            case NAME -> name();
            case INT -> constant(start, Constant.Kind.INT);
            case FLOAT -> constant(start, Constant.Kind.FLOAT);
            case IMAGINARY -> constant(start, Constant.Kind.IMAGINARY);
            case NONE -> constant(start, Constant.Kind.NONE);
            case TRUE -> constant(start, Constant.Kind.TRUE);
            case FALSE -> constant(start, Constant.Kind.FALSE);
            case ELLIPSIS -> constant(start, Constant.Kind.ELLIPSIS);
            case STRING, BYTES, FSTRING_START, TSTRING_START -> strings.string();
            case LEFT_PAREN -> displays.parenthesized();
            case LEFT_BRACKET -> displays.list();
            case LEFT_BRACE -> displays.braced();
            default -> throw reader.unexpected();
        };
    }

    Expr.Name name() {
        int start = reader.start();
        String id = reader.name();
        return new Expr.Name(start, reader.end(), id);
    }

    private Constant constant(int start, Constant.Kind kind) {
        reader.advance();
        return new Constant(start, reader.end(), kind);
    }

    /** Pushes the arguments of a class. */
    void arguments() {
        displays.arguments();
    }
}
