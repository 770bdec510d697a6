package dev.leakline.lint.python;

import dev.leakline.lint.python.Tokens.Unexpected;
import java.util.ArrayList;
import java.util.List;

/** Reads statements from tokens, into the nodes that the grammar tree-sitter-python makes of them. */
final class StatementReader extends SimpleStatementReader {
    private int nesting;

    private StatementReader(PythonText source, Tokens tokens) {
        super(source, tokens);
    }

    /** Reads a whole file. Throws {@link Unexpected} where it is no Python, or uses what this reader does not know, such as match. */
    static PythonTree read(PythonText source) {
        Tokens tokens = Tokens.of(source);
        StatementReader reader = new StatementReader(source, tokens);
        List<Syntax> statements = new ArrayList<>();
        while (!reader.is(Token.END)) {
            reader.statement(statements);
        }
        Syntax root = reader.node("module", 0, source.text().length(), statements);
        return new PythonTree(source, root, tokens.comments(), -1);
    }

    private void statement(List<Syntax> statements) {
        switch (kind()) {
            case IF -> statements.add(conditional("if_statement"));
            case FOR -> statements.add(loop(start()));
            case WHILE -> statements.add(repetition());
            case TRY -> statements.add(attempt());
            case WITH -> statements.add(with(start()));
            case DEF -> statements.add(function(start()));
            case CLASS -> statements.add(classDefinition());
            case AT -> statements.add(decorated());
            case ASYNC -> statements.add(asynchronous());
            default -> line(statements);
        }
    }

    private Syntax asynchronous() {
        int start = start();
        at++;
        return switch (kind()) {
            case DEF -> function(start);
            case FOR -> loop(start);
            case WITH -> with(start);
            default -> throw new Unexpected();
        };
    }

    /** Simple statements, up to the end of their line. */
    private void line(List<Syntax> statements) {
        do {
            statements.add(simple());
        } while (skip(Token.SEMICOLON) && !is(Token.NEWLINE));
        expect(Token.NEWLINE);
    }

    /** The body of a compound statement: a block, or what stands on the same line. Comments behind it that are indented alike belong to it. */
    private Syntax suite() {
        expect(Token.COLON);
        List<Syntax> statements = new ArrayList<>();
        if (!is(Token.NEWLINE)) {
            int start = start();
            line(statements);
            return node("block", start, end(), statements);
        }
        at++;
        expect(Token.INDENT);
        if (++nesting > DEEPEST) {
            throw new Unexpected();
        }
        int start = start();
        while (!is(Token.DEDENT)) {
            statement(statements);
        }
        int last = Math.max(statements.getLast().end(), tokens.end(at - 1));
        int stop = Math.max(last, tokens.end(at));
        at++;
        nesting--;
        return node("block", start, stop, statements);
    }

    private Syntax compound(String type, int start, List<Syntax> parts) {
        return node(type, start, parts.getLast().end(), parts);
    }

    private Syntax conditional(String type) {
        int start = start();
        at++;
        List<Syntax> parts = new ArrayList<>();
        parts.add(expression().in("condition"));
        parts.add(suite().in("consequence"));
        while (type.equals("if_statement") && is(Token.ELIF)) {
            parts.add(conditional("elif_clause").in("alternative"));
        }
        if (type.equals("if_statement")) {
            alternative(parts);
        }
        return compound(type, start, parts);
    }

    private void alternative(List<Syntax> parts) {
        if (is(Token.ELSE)) {
            parts.add(alternative().in("alternative"));
        }
    }

    private Syntax alternative() {
        int start = start();
        at++;
        return compound("else_clause", start, List.of(suite().in("body")));
    }

    private Syntax loop(int start) {
        at++;
        List<Syntax> parts = new ArrayList<>();
        parts.add(targets().in("left"));
        expect(Token.IN);
        parts.add(expressions().in("right"));
        parts.add(suite().in("body"));
        alternative(parts);
        return compound("for_statement", start, parts);
    }

    private Syntax repetition() {
        int start = start();
        at++;
        List<Syntax> parts = new ArrayList<>();
        parts.add(expression().in("condition"));
        parts.add(suite().in("body"));
        alternative(parts);
        return compound("while_statement", start, parts);
    }

    private Syntax attempt() {
        int start = start();
        at++;
        List<Syntax> parts = new ArrayList<>();
        parts.add(suite().in("body"));
        while (is(Token.EXCEPT)) {
            parts.add(handler());
        }
        if (is(Token.ELSE)) {
            parts.add(alternative());
        }
        if (is(Token.FINALLY)) {
            int clause = start();
            at++;
            parts.add(compound("finally_clause", clause, List.of(suite())));
        }
        if (parts.size() == 1) {
            throw new Unexpected();
        }
        return compound("try_statement", start, parts);
    }

    private Syntax handler() {
        int start = start();
        at++;
        skip(Token.STAR);
        List<Syntax> parts = new ArrayList<>();
        if (!is(Token.COLON)) {
            int value = start();
            parts.add(aliased(value, expression()).in("value"));
        }
        parts.add(suite());
        return compound("except_clause", start, parts);
    }

    private Syntax aliased(int start, Syntax value) {
        if (!skip(Token.AS)) {
            return value;
        }
        int target = start();
        Syntax alias = wrapped("as_pattern_target", target, expression()).in("alias");
        return node("as_pattern", start, value, alias);
    }

    private Syntax with(int start) {
        at++;
        int first = start();
        boolean parenthesized = isParenthesizedClause();
        at += parenthesized ? 1 : 0;
        List<Syntax> items = new ArrayList<>();
        do {
            int item = start();
            items.add(wrapped("with_item", item, aliased(item, expression()).in("value")));
        } while (skip(Token.COMMA) && !is(Token.CLOSE) && !is(Token.COLON));
        if (parenthesized) {
            expect(Token.CLOSE);
        }
        Syntax clause = node("with_clause", first, end(), items);
        return compound("with_statement", start, List.of(clause, suite().in("body")));
    }

    /** Whether the parentheses behind with are around several contexts. */
    private boolean isParenthesizedClause() {
        if (!is(Token.OPEN)) {
            return false;
        }
        int depth = 0;
        boolean several = false;
        for (int ahead = 0; kind(ahead) != Token.NEWLINE; ahead++) {
            switch (kind(ahead)) {
                case OPEN, OPEN_LIST, OPEN_BRACE -> depth++;
                case CLOSE, CLOSE_LIST, CLOSE_BRACE -> depth--;
                case COMMA -> several |= depth == 1;
                default -> {}
            }
            if (depth == 0) {
                return several && kind(ahead + 1) == Token.COLON;
            }
        }
        return false;
    }

    private Syntax function(int start) {
        at++;
        List<Syntax> parts = new ArrayList<>();
        parts.add(name().in("name"));
        if (!is(Token.OPEN)) {
            throw new Unexpected();
        }
        parts.add(parameters("parameters", Token.CLOSE).in("parameters"));
        if (skip(Token.ARROW)) {
            parts.add(type().in("return_type"));
        }
        parts.add(suite().in("body"));
        return compound("function_definition", start, parts);
    }

    private Syntax classDefinition() {
        int start = start();
        at++;
        List<Syntax> parts = new ArrayList<>();
        parts.add(name().in("name"));
        if (is(Token.OPEN)) {
            parts.add(arguments().in("superclasses"));
        }
        parts.add(suite().in("body"));
        return compound("class_definition", start, parts);
    }

    private Syntax decorated() {
        int start = start();
        List<Syntax> parts = new ArrayList<>();
        while (is(Token.AT)) {
            int decorator = start();
            at++;
            Syntax what = expression();
            expect(Token.NEWLINE);
            parts.add(wrapped("decorator", decorator, what));
        }
        Syntax definition = switch (kind()) {
            case CLASS -> classDefinition();
            case DEF -> function(start());
            default -> asynchronous();
        };
        parts.add(definition.in("definition"));
        return compound("decorated_definition", start, parts);
    }
}
