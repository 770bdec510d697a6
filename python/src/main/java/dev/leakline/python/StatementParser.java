package dev.leakline.python;

import dev.leakline.python.Expr.Operator;
import dev.leakline.python.TokenReader.Mark;
import dev.leakline.python.TokenReader.Unexpected;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads statements, and recovers where one is no Python: the rest of its line is passed over, the block below it is read, and both are
 * {@link Stmt.Invalid}. What follows is read as if nothing had happened. Since tokens are only passed over, never read again, that takes no more
 * time than reading.
 */
final class StatementParser {
    private final TokenReader reader;
    private final NodeStack nodes;
    private final ExpressionParser expressions;
    private final CompoundParser compounds;

    StatementParser(TokenReader reader) {
        this.reader = reader;
        this.nodes = reader.nodes;
        this.expressions = new ExpressionParser(reader);
        this.compounds = new CompoundParser(reader, expressions, this);
    }

    /** Reads a file. */
    List<Stmt> module() {
        int from = nodes.size();
        while (!reader.is(Token.END)) {
            if (!reader.take(Token.DEDENT)) {
                statements();
            }
        }
        return nodes.pop(from);
    }

    /** Reads what a colon is followed by: the statements of the line, or a block. */
    List<Stmt> block() {
        reader.need(Token.COLON);
        int from = nodes.size();
        if (!reader.take(Token.NEWLINE)) {
            simpleStatements();
        } else if (reader.is(Token.INDENT)) {
            indented();
        } else {
            reader.error(new SyntaxError(reader.start(), "expected an indented block"));
        }
        return nodes.pop(from);
    }

    /** Pushes the statements of a block. */
    private void indented() {
        if (reader.isDeep()) {
            skipBlock();
            return;
        }
        reader.enter();
        reader.need(Token.INDENT);
        while (!reader.is(Token.DEDENT) && !reader.is(Token.END)) {
            statements();
        }
        reader.take(Token.DEDENT);
        reader.leave();
    }

    private void skipBlock() {
        reader.error(new SyntaxError(reader.start(), "is nested too deeply"));
        int depth = 0;
        do {
            depth += reader.is(Token.INDENT) ? 1 : reader.is(Token.DEDENT) ? -1 : 0;
            reader.advance();
        } while (depth > 0 && !reader.is(Token.END));
    }

    /** Pushes a statement, or those of a line, or of a block that should not be one. */
    private void statements() {
        Mark mark = reader.mark();
        int start = reader.start();
        try {
            if (reader.is(Token.INDENT)) {
                reader.error(new SyntaxError(start, "unexpected indent"));
                indented();
            } else if (!reader.take(Token.NEWLINE)) {
                Stmt compound = compounds.statement();
                if (compound == null) {
                    simpleStatements();
                } else {
                    nodes.push(compound);
                }
            }
        } catch (Unexpected e) {
            reader.error(e.error());
            reader.restore(mark);
            nodes.push(invalid(start));
        }
    }

    /** Passes over the rest of the line, and reads the block below it. */
    private Stmt invalid(int start) {
        int end = reader.blockEnd();
        while (!reader.is(Token.NEWLINE)
                && !reader.is(Token.END)
                && !reader.is(Token.INDENT)
                && !reader.is(Token.DEDENT)) {
            reader.advance();
            end = reader.end();
        }
        reader.take(Token.NEWLINE);
        int from = nodes.size();
        if (reader.is(Token.INDENT)) {
            indented();
        }
        List<Stmt> body = nodes.pop(from);
        return new Stmt.Invalid(
                start, Math.max(start, body.isEmpty() ? end : body.getLast().end()), body);
    }

    /** Pushes the statements of a line. */
    private void simpleStatements() {
        do {
            nodes.push(simple());
        } while (reader.take(Token.SEMICOLON) && !reader.is(Token.NEWLINE));
        reader.need(Token.NEWLINE);
    }

    private Stmt simple() {
        int start = reader.start();
        return switch (reader.kind()) {
            case RETURN -> {
                reader.advance();
                Expr value = isEnd() ? null : expressions.list();
                yield new Stmt.Return(start, reader.end(), value);
            }
            case PASS -> {
                reader.advance();
                yield new Stmt.Pass(start, reader.end());
            }
            case BREAK -> {
                reader.advance();
                yield new Stmt.Break(start, reader.end());
            }
            case CONTINUE -> {
                reader.advance();
                yield new Stmt.Continue(start, reader.end());
            }
            case RAISE -> raise(start);
            case DEL -> delete(start);
            case ASSERT -> assertion(start);
            case GLOBAL, NONLOCAL -> names(start);
            case IMPORT -> imports(start, false);
            case FROM -> importsFrom(start, false);
            case NAME -> named(start);
            default -> assignment(start);
        };
    }

    private boolean isEnd() {
        return reader.is(Token.NEWLINE) || reader.is(Token.SEMICOLON);
    }

    /** Reads what begins with a name, which is a keyword in some places. */
    private Stmt named(int start) {
        if (reader.kind(1) == Token.NAME && reader.isWord("type")) {
            return typeAlias(start);
        }
        Token next = reader.kind(1);
        if ((next == Token.IMPORT || next == Token.FROM) && reader.isWord("lazy")) {
            reader.advance();
            return next == Token.FROM ? importsFrom(start, true) : imports(start, true);
        }
        return assignment(start);
    }

    private Stmt typeAlias(int start) {
        reader.advance();
        Expr.Name name = expressions.name();
        List<Node.TypeParam> types = expressions.parameters().types();
        reader.need(Token.EQUAL);
        Expr value = expressions.expression();
        return new Stmt.TypeAlias(start, reader.end(), name, types, value);
    }

    private Stmt raise(int start) {
        reader.advance();
        if (isEnd()) {
            return new Stmt.Raise(start, reader.end(), null, null);
        }
        Expr exception = expressions.expression();
        Expr cause = reader.take(Token.FROM) ? expressions.expression() : null;
        return new Stmt.Raise(start, reader.end(), exception, cause);
    }

    private Stmt delete(int start) {
        reader.advance();
        int from = nodes.size();
        do {
            nodes.push(expressions.operands());
        } while (reader.take(Token.COMMA) && !isEnd());
        List<Expr> targets = nodes.pop(from);
        return new Stmt.Delete(start, reader.end(), targets);
    }

    private Stmt assertion(int start) {
        reader.advance();
        Expr test = expressions.expression();
        Expr message = reader.take(Token.COMMA) ? expressions.expression() : null;
        return new Stmt.Assert(start, reader.end(), test, message);
    }

    private Stmt names(int start) {
        boolean isGlobal = reader.is(Token.GLOBAL);
        reader.advance();
        List<String> names = new ArrayList<>();
        do {
            names.add(reader.name());
        } while (reader.take(Token.COMMA));
        return isGlobal
                ? new Stmt.Global(start, reader.end(), List.copyOf(names))
                : new Stmt.Nonlocal(start, reader.end(), List.copyOf(names));
    }

    private Stmt imports(int start, boolean isLazy) {
        reader.need(Token.IMPORT);
        int from = nodes.size();
        do {
            int first = reader.start();
            String name = dottedName();
            nodes.push(alias(first, name));
        } while (reader.take(Token.COMMA));
        List<Node.Alias> names = nodes.pop(from);
        return new Stmt.Import(start, reader.end(), isLazy, names);
    }

    private Node.Alias alias(int start, String name) {
        String other = reader.take(Token.AS) ? reader.name() : null;
        return new Node.Alias(start, reader.end(), name, other);
    }

    private String dottedName() {
        String first = reader.name();
        if (!reader.is(Token.DOT)) {
            return first;
        }
        StringBuilder name = new StringBuilder(first);
        while (reader.take(Token.DOT)) {
            name.append('.').append(reader.name());
        }
        return name.toString();
    }

    private Stmt importsFrom(int start, boolean isLazy) {
        reader.need(Token.FROM);
        int level = 0;
        while (reader.is(Token.DOT) || reader.is(Token.ELLIPSIS)) {
            level += reader.is(Token.DOT) ? 1 : 3;
            reader.advance();
        }
        String module = reader.is(Token.IMPORT) && level > 0 ? null : dottedName();
        reader.need(Token.IMPORT);
        List<Node.Alias> names = importedNames();
        return new Stmt.ImportFrom(start, reader.end(), isLazy, module, names, level);
    }

    private List<Node.Alias> importedNames() {
        int from = nodes.size();
        int first = reader.start();
        if (reader.take(Token.STAR)) {
            return List.of(new Node.Alias(first, reader.end(), "*", null));
        }
        boolean isOpen = reader.take(Token.LEFT_PAREN);
        do {
            int start = reader.start();
            String name = reader.name();
            nodes.push(alias(start, name));
        } while (reader.take(Token.COMMA) && !(isOpen && reader.is(Token.RIGHT_PAREN)));
        if (isOpen) {
            reader.need(Token.RIGHT_PAREN);
        }
        return nodes.pop(from);
    }

    /** Reads an expression, and what is assigned to it. */
    private Stmt assignment(int start) {
        boolean isBare = reader.is(Token.NAME) && reader.kind(1) == Token.COLON;
        Expr left = expressions.list();
        Operator operator = OperatorTable.augmented(reader.kind());
        if (operator != null) {
            reader.advance();
            Expr value = expressions.list();
            return new Stmt.AugAssign(start, reader.end(), left, operator, value);
        }
        if (reader.take(Token.COLON)) {
            Expr annotation = expressions.expression();
            Expr value = reader.take(Token.EQUAL) ? expressions.list() : null;
            return new Stmt.AnnAssign(start, reader.end(), left, annotation, value, isBare);
        }
        if (!reader.is(Token.EQUAL)) {
            return new Stmt.Expression(start, reader.end(), left);
        }
        return assigned(start, left);
    }

    private Stmt assigned(int start, Expr left) {
        int from = nodes.size();
        Expr value = left;
        while (reader.take(Token.EQUAL)) {
            nodes.push(value);
            value = expressions.list();
        }
        List<Expr> targets = nodes.pop(from);
        return new Stmt.Assign(start, reader.end(), targets, value);
    }
}
