package dev.leakline.python;

import dev.leakline.python.TokenReader.Mark;
import dev.leakline.python.TokenReader.Unexpected;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the statements that contain others. */
final class CompoundParser {
    private final TokenReader reader;
    private final NodeStack nodes;
    private final ExpressionParser expressions;
    private final StatementParser statements;
    private final PatternParser patterns;

    CompoundParser(TokenReader reader, ExpressionParser expressions, StatementParser statements) {
        this.reader = reader;
        this.nodes = reader.nodes;
        this.expressions = expressions;
        this.statements = statements;
        this.patterns = new PatternParser(reader, expressions);
    }

    /** Reads a statement, or answers null if it is a simple one. */
    @Nullable
    Stmt statement() {
        int start = reader.start();
        return switch (reader.kind()) {
            case IF -> choice();
            case FOR -> loop(start, false);
            case WHILE -> whileLoop(start);
            case TRY -> attempt(start);
            case WITH -> with(start, false);
            case DEF -> function(start, false, List.of());
            case CLASS -> type(start, List.of());
            case AT -> decorated();
            case ASYNC -> asynchronous(List.of());
            case NAME -> reader.isWord("match") ? match(start) : null;
            default -> null;
        };
    }

    private Stmt asynchronous(List<Expr> decorators) {
        int start = reader.start();
        reader.need(Token.ASYNC);
        return switch (reader.kind()) {
            case DEF -> function(start, true, decorators);
            case FOR -> loop(start, true);
            case WITH -> with(start, true);
            default -> throw reader.unexpected();
        };
    }

    private Stmt decorated() {
        int from = nodes.size();
        while (reader.take(Token.AT)) {
            nodes.push(expressions.named());
            reader.need(Token.NEWLINE);
        }
        List<Expr> decorators = nodes.pop(from);
        int start = reader.start();
        return switch (reader.kind()) {
            case DEF -> function(start, false, decorators);
            case CLASS -> type(start, decorators);
            case ASYNC -> asynchronous(decorators);
            default -> throw reader.unexpected();
        };
    }

    private Stmt function(int start, boolean isAsync, List<Expr> decorators) {
        reader.need(Token.DEF);
        String name = reader.name();
        List<Node.TypeParam> types = expressions.parameters().types();
        reader.need(Token.LEFT_PAREN);
        Node.Arguments arguments = expressions.parameters().arguments(Token.RIGHT_PAREN);
        reader.need(Token.RIGHT_PAREN);
        Expr result = reader.take(Token.ARROW) ? expressions.expression() : null;
        List<Stmt> body = statements.block();
        return new Stmt.FunctionDef(
                start, reader.blockEnd(), isAsync, decorators, name, types, arguments, result, body);
    }

    private Stmt type(int start, List<Expr> decorators) {
        reader.need(Token.CLASS);
        String name = reader.name();
        List<Node.TypeParam> types = expressions.parameters().types();
        int from = nodes.size();
        if (reader.is(Token.LEFT_PAREN)) {
            expressions.arguments();
        }
        List<Node.Keyword> keywords = nodes.popKeywords(from);
        List<Expr> bases = nodes.pop(from);
        List<Stmt> body = statements.block();
        return new Stmt.ClassDef(start, reader.blockEnd(), decorators, name, types, bases, keywords, body);
    }

    /** Reads an {@code if} and all its {@code elif}, of which each is the {@code else} of the one before. */
    private Stmt choice() {
        int from = nodes.size();
        int chain = reader.beginChain();
        List<Integer> starts = new ArrayList<>(1);
        List<List<Stmt>> bodies = new ArrayList<>(1);
        while (bodies.isEmpty() || reader.is(Token.ELIF)) {
            starts.add(reader.start());
            reader.advance();
            nodes.push(expressions.named());
            bodies.add(statements.block());
            reader.link();
        }
        List<Stmt> orelse = reader.take(Token.ELSE) ? statements.block() : List.of();
        List<Expr> tests = nodes.pop(from);
        int end = reader.blockEnd();
        for (int i = tests.size() - 1; i >= 0; i--) {
            orelse = List.of(new Stmt.If(starts.get(i), end, tests.get(i), bodies.get(i), orelse));
        }
        reader.endChain(chain);
        return orelse.getFirst();
    }

    private List<Stmt> orelse() {
        return reader.take(Token.ELSE) ? statements.block() : List.of();
    }

    private Stmt loop(int start, boolean isAsync) {
        reader.need(Token.FOR);
        Expr target = expressions.targets();
        reader.need(Token.IN);
        Expr iter = expressions.list();
        List<Stmt> body = statements.block();
        List<Stmt> orelse = orelse();
        return new Stmt.For(start, reader.blockEnd(), isAsync, target, iter, body, orelse);
    }

    private Stmt whileLoop(int start) {
        reader.need(Token.WHILE);
        Expr test = expressions.named();
        List<Stmt> body = statements.block();
        List<Stmt> orelse = orelse();
        return new Stmt.While(start, reader.blockEnd(), test, body, orelse);
    }

    private Stmt attempt(int start) {
        reader.need(Token.TRY);
        List<Stmt> body = statements.block();
        int from = nodes.size();
        boolean isStar = false;
        while (reader.is(Token.EXCEPT)) {
            isStar |= reader.kind(1) == Token.STAR;
            nodes.push(handler());
        }
        List<Node.ExceptHandler> handlers = nodes.pop(from);
        List<Stmt> orelse = orelse();
        List<Stmt> last = reader.take(Token.FINALLY) ? statements.block() : List.of();
        if (handlers.isEmpty() && last.isEmpty()) {
            reader.error(new SyntaxError(start, "expected 'except' or 'finally' block"));
        }
        return new Stmt.Try(start, reader.blockEnd(), isStar, body, handlers, orelse, last);
    }

    /** Reads a handler; since Python 3.14 it may name several exceptions without parentheses. */
    private Node.ExceptHandler handler() {
        int start = reader.start();
        reader.need(Token.EXCEPT);
        reader.take(Token.STAR);
        Expr type = reader.is(Token.COLON) ? null : expressions.list();
        String name = reader.take(Token.AS) ? reader.name() : null;
        List<Stmt> body = statements.block();
        return new Node.ExceptHandler(start, reader.blockEnd(), type, name, body);
    }

    private Stmt with(int start, boolean isAsync) {
        reader.need(Token.WITH);
        List<Node.WithItem> items = parenthesizedItems();
        if (items == null) {
            int from = nodes.size();
            do {
                nodes.push(item());
            } while (reader.take(Token.COMMA));
            items = nodes.pop(from);
        }
        List<Stmt> body = statements.block();
        return new Stmt.With(start, reader.blockEnd(), isAsync, items, body);
    }

    /** Reads the items in parentheses, or answers null if what is in parentheses is a part of an expression. */
    private @Nullable List<Node.WithItem> parenthesizedItems() {
        if (!reader.is(Token.LEFT_PAREN)) {
            return null;
        }
        Mark mark = reader.mark();
        try {
            reader.advance();
            do {
                nodes.push(item());
            } while (reader.take(Token.COMMA) && !reader.is(Token.RIGHT_PAREN));
            reader.need(Token.RIGHT_PAREN);
            if (reader.is(Token.COLON)) {
                return nodes.pop(mark.nodes());
            }
        } catch (Unexpected e) {
            // It is an expression, or no Python, which reading it as an expression will show.
        }
        reader.goBackTo(mark);
        return null;
    }

    private Node.WithItem item() {
        int start = reader.start();
        Expr manager = expressions.expression();
        Expr target = reader.take(Token.AS) ? expressions.target() : null;
        return new Node.WithItem(start, reader.end(), manager, target);
    }

    /** Reads a {@code match}, or answers null if that is a name like others: then no block of cases follows. */
    private @Nullable Stmt match(int start) {
        if (!reader.kind(1).beginsExpression()) {
            return null;
        }
        Expr subject = subject();
        if (subject == null) {
            return null;
        }
        int from = nodes.size();
        reader.enter();
        while (reader.isWord("case")) {
            nodes.push(matchCase());
        }
        if (!reader.is(Token.END)) {
            reader.need(Token.DEDENT);
        }
        reader.leave();
        List<Node.MatchCase> cases = nodes.pop(from);
        return new Stmt.Match(start, reader.blockEnd(), subject, cases);
    }

    /** Reads up to the first case. */
    private @Nullable Expr subject() {
        Mark mark = reader.mark();
        try {
            reader.advance();
            Expr subject = expressions.list();
            if (reader.take(Token.COLON)
                    && reader.take(Token.NEWLINE)
                    && reader.take(Token.INDENT)
                    && reader.isWord("case")) {
                return subject;
            }
        } catch (Unexpected e) {
            // It is a name.
        }
        reader.goBackTo(mark);
        return null;
    }

    private Node.MatchCase matchCase() {
        int start = reader.start();
        reader.advance();
        Pattern pattern = patterns.patterns();
        Expr guard = reader.take(Token.IF) ? expressions.named() : null;
        List<Stmt> body = statements.block();
        return new Node.MatchCase(start, reader.blockEnd(), pattern, guard, body);
    }
}
