package dev.leakline.lint.python;

import dev.leakline.lint.python.Tokens.Unexpected;
import java.util.ArrayList;
import java.util.List;

/** Reads statements of one line. */
class SimpleStatementReader extends ExpressionReader {
    SimpleStatementReader(PythonText source, Tokens tokens) {
        super(source, tokens);
    }

    final Syntax simple() {
        return switch (kind()) {
            case PASS -> leaf("pass_statement");
            case BREAK -> leaf("break_statement");
            case CONTINUE -> leaf("continue_statement");
            case RETURN -> returned();
            case DEL -> deletion();
            case RAISE -> raised();
            case ASSERT -> listed("assert_statement", false);
            case GLOBAL -> listed("global_statement", true);
            case NONLOCAL -> listed("nonlocal_statement", true);
            case IMPORT -> imported();
            case FROM -> importedFrom();
            default -> expressionStatement();
        };
    }

    private Syntax returned() {
        int start = start();
        at++;
        return beginsExpression() ? wrapped("return_statement", start, expressions()) : node("return_statement", start);
    }

    private Syntax deletion() {
        int start = start();
        at++;
        return wrapped("delete_statement", start, expressions());
    }

    private Syntax raised() {
        int start = start();
        at++;
        if (!beginsExpression()) {
            return node("raise_statement", start);
        }
        Syntax what = expressions();
        if (!skip(Token.FROM)) {
            return wrapped("raise_statement", start, what);
        }
        Syntax cause = expression().in("cause");
        return node("raise_statement", start, what, cause);
    }

    private Syntax listed(String type, boolean names) {
        int start = start();
        at++;
        List<Syntax> all = new ArrayList<>();
        do {
            all.add(names ? name() : expression());
        } while (skip(Token.COMMA));
        return node(type, start, end(), all);
    }

    private Syntax imported() {
        int start = start();
        at++;
        List<Syntax> names = importedNames(new ArrayList<>());
        return node("import_statement", start, end(), names);
    }

    private List<Syntax> importedNames(List<Syntax> parts) {
        do {
            int start = start();
            Syntax name = dottedName();
            if (skip(Token.AS)) {
                Syntax alias = name().in("alias");
                name = node("aliased_import", start, name.in("name"), alias);
            }
            parts.add(name.in("name"));
        } while (skip(Token.COMMA) && is(Token.NAME));
        return parts;
    }

    private Syntax dottedName() {
        int start = start();
        List<Syntax> words = new ArrayList<>();
        do {
            words.add(name());
        } while (skip(Token.DOT));
        return node("dotted_name", start, end(), words);
    }

    private Syntax importedFrom() {
        int start = start();
        at++;
        boolean future = source.text().startsWith("__future__", start());
        List<Syntax> parts = new ArrayList<>();
        Syntax module = is(Token.NAME) ? dottedName() : relative();
        if (!future) {
            parts.add(module.in("module_name"));
        }
        expect(Token.IMPORT);
        if (is(Token.STAR)) {
            parts.add(leaf("wildcard_import"));
        } else {
            boolean parenthesized = skip(Token.OPEN);
            importedNames(parts);
            if (parenthesized) {
                expect(Token.CLOSE);
            }
        }
        return node(future ? "future_import_statement" : "import_from_statement", start, end(), parts);
    }

    private Syntax relative() {
        int start = start();
        while (is(Token.DOT) || is(Token.ELLIPSIS)) {
            at++;
        }
        Syntax prefix = node("import_prefix", start);
        return is(Token.NAME)
                ? node("relative_import", start, prefix, dottedName())
                : node("relative_import", start, prefix);
    }

    /** An expression, several, or an assignment. Python 2 printed by statements. */
    private Syntax expressionStatement() {
        int start = start();
        if (is(Token.YIELD)) {
            return wrapped("expression_statement", start, yielded());
        }
        boolean old = is(Token.NAME) && source.text().startsWith("print", start) && kind(1) == Token.SHIFT_RIGHT;
        if (old) {
            throw new Unexpected();
        }
        Syntax first = expressions();
        Syntax inner = assigned(start, first);
        if (inner == first && first.is("expression_list")) {
            return node("expression_statement", start, first.end(), first.children());
        }
        return wrapped("expression_statement", start, inner);
    }

    /** What was read, or the assignment whose left side it is. */
    private Syntax assigned(int start, Syntax left) {
        return switch (kind()) {
            case ASSIGN -> {
                at++;
                Syntax right = rightSide().in("right");
                yield node("assignment", start, pattern(left).in("left"), right);
            }
            case AUGMENT -> {
                Syntax operator = augmentation();
                Syntax right = rightSide().in("right");
                yield node("augmented_assignment", start, pattern(left).in("left"), operator, right);
            }
            case COLON -> {
                at++;
                Syntax type = type().in("type");
                if (!skip(Token.ASSIGN)) {
                    yield node("assignment", start, pattern(left).in("left"), type);
                }
                Syntax right = rightSide().in("right");
                yield node("assignment", start, pattern(left).in("left"), type, right);
            }
            default -> left;
        };
    }

    private Syntax augmentation() {
        int start = start();
        String sign = source.text().substring(start, tokens.end(at));
        return leaf(sign).in("operator");
    }

    private Syntax rightSide() {
        int start = start();
        return is(Token.YIELD) ? yielded() : assigned(start, expressions());
    }
}
