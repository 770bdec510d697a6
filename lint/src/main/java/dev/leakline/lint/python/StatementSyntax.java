package dev.leakline.lint.python;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Pattern;
import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements of the parser's tree as {@link Syntax}, whose types and fields the rules know. The parser's tree has the parts of the language, and
 * no places of keywords and brackets: these are looked for between the parts.
 */
final class StatementSyntax {
    private final PythonText source;
    private final SourceGaps gaps;
    private final ExpressionSyntax expressions;
    private final ImportSyntax imports;

    private StatementSyntax(PythonFile file) {
        this.source = file.text();
        this.gaps = new SourceGaps(source.text());
        this.expressions = new ExpressionSyntax(source, file.parentheses(), gaps);
        this.imports = new ImportSyntax(expressions, gaps);
    }

    /** The root of the tree. */
    static Syntax root(PythonFile file) {
        StatementSyntax statements = new StatementSyntax(file);
        return statements.node("module", 0, file.text().text().length(), statements.all(file.body()));
    }

    private Syntax node(String type, int start, int end, List<Syntax> children) {
        return expressions.node(type, start, end, children);
    }

    private Syntax node(String type, int start, int end, Syntax... children) {
        return expressions.node(type, start, end, children);
    }

    private List<Syntax> all(List<Stmt> statements) {
        return statements.stream().map(this::of).toList();
    }

    private Syntax of(Stmt statement) {
        int start = statement.start();
        int end = statement.end();
        return switch (statement) {
            case Stmt.FunctionDef it -> decorated(it.decoratorList(), function(it));
            case Stmt.ClassDef it -> decorated(it.decoratorList(), type(it));
            case Stmt.Return it -> optional("return_statement", it, it.value());
            case Stmt.Delete it -> delete(it);
            case Stmt.Assign it -> node("expression_statement", start, end, assignment(it, 0));
            case Stmt.TypeAlias it -> typeAlias(it);
            case Stmt.AugAssign it -> augmented(it);
            case Stmt.AnnAssign it -> annotated(it);
            case Stmt.For it -> loop(it);
            case Stmt.While it -> {
                List<Syntax> children = new ArrayList<>();
                children.add(expressions.of(it.test()).in("condition"));
                children.add(block(it.body(), "body"));
                addElse(it.body(), it.orelse(), children);
                yield node("while_statement", start, end, children);
            }
            case Stmt.If it -> choice(it);
            case Stmt.With it -> with(it);
            case Stmt.Match it -> match(it);
            case Stmt.Raise it -> raise(it);
            case Stmt.Try it -> attempt(it);
            case Stmt.Assert it -> {
                Expr message = it.msg();
                yield node(
                        "assert_statement",
                        start,
                        end,
                        expressions.all(message == null ? List.of(it.test()) : List.of(it.test(), message)));
            }
            case Stmt.Import it -> node("import_statement", start, end, imports.names(it.names()));
            case Stmt.ImportFrom it -> imports.from(it);
            case Stmt.Global it -> node("global_statement", start, end, imports.words(it, "global", it.names()));
            case Stmt.Nonlocal it -> node("nonlocal_statement", start, end, imports.words(it, "nonlocal", it.names()));
            case Stmt.Expression it -> node("expression_statement", start, end, expressions.elements(it.value()));
            case Stmt.Pass _ -> node("pass_statement", start, end);
            case Stmt.Break _ -> node("break_statement", start, end);
            case Stmt.Continue _ -> node("continue_statement", start, end);
            case Stmt.Invalid it -> node("ERROR", start, end, all(it.body()));
        };
    }

    private Syntax optional(String type, Stmt whole, @Nullable Expr value) {
        return value == null
                ? node(type, whole.start(), whole.end())
                : node(type, whole.start(), whole.end(), expressions.of(value));
    }

    /** The statements of a block; it begins and ends with them. */
    private Syntax block(List<Stmt> statements, @Nullable String field) {
        List<Syntax> made = all(statements);
        int start = made.isEmpty() ? 0 : made.getFirst().start();
        int end = made.isEmpty() ? 0 : made.getLast().end();
        return node("block", start, end, made).in(field);
    }

    private Syntax decorated(List<Expr> decorators, Syntax definition) {
        if (decorators.isEmpty()) {
            return definition;
        }
        List<Syntax> children = new ArrayList<>();
        for (Expr decorator : decorators) {
            Syntax made = expressions.of(decorator);
            children.add(node("decorator", gaps.before(made.start(), '@'), made.end(), made));
        }
        children.add(definition.in("definition"));
        return node("decorated_definition", children.getFirst().start(), definition.end(), children);
    }

    /** The name that follows a keyword. */
    private Syntax nameBehind(int start, String keyword) {
        return expressions
                .identifier(gaps.next(gaps.behind(gaps.behind(start, "async"), keyword)))
                .in("name");
    }

    private int behindTypes(int from, List<Node.TypeParam> types) {
        return types.isEmpty() ? from : gaps.behind(types.getLast().end(), "]");
    }

    private Syntax function(Stmt.FunctionDef it) {
        Syntax name = nameBehind(it.start(), "def");
        int open = gaps.next(behindTypes(name.end(), it.typeParams()));
        int close = gaps.behind(Math.max(open + 1, it.args().end()), ")");
        List<Syntax> children = new ArrayList<>();
        children.add(name);
        children.add(node("parameters", open, close, new ParameterSyntax(expressions, gaps).of(it.args()))
                .in("parameters"));
        Expr result = it.returns();
        if (result != null) {
            children.add(expressions.type(result).in("return_type"));
        }
        children.add(block(it.body(), "body"));
        return node("function_definition", it.start(), it.end(), children);
    }

    private Syntax type(Stmt.ClassDef it) {
        Syntax name = nameBehind(it.start(), "class");
        int open = gaps.next(behindTypes(name.end(), it.typeParams()));
        List<Syntax> children = new ArrayList<>();
        children.add(name);
        if (gaps.startsWith("(", open)) {
            Syntax bases = expressions.arguments(open, open + 1, it.bases(), it.keywords());
            int last = bases.children().isEmpty()
                    ? open + 1
                    : bases.children().getLast().end();
            int close = gaps.behind(gaps.behind(last, ","), ")");
            children.add(node("argument_list", open, close, bases.children()).in("superclasses"));
        }
        children.add(block(it.body(), "body"));
        return node("class_definition", it.start(), it.end(), children);
    }

    private Syntax delete(Stmt.Delete it) {
        List<Syntax> targets = expressions.all(it.targets());
        if (targets.size() > 1) {
            targets = List.of(node("expression_list", targets.getFirst().start(), it.end(), targets));
        }
        return node("delete_statement", it.start(), it.end(), targets);
    }

    /** An assignment to several targets is one whose value is another. */
    private Syntax assignment(Stmt.Assign it, int which) {
        Syntax left = expressions.target(it.targets().get(which)).in("left");
        Syntax right = which + 1 < it.targets().size() ? assignment(it, which + 1) : expressions.of(it.value());
        return node("assignment", left.start(), it.end(), left, right.in("right"));
    }

    private Syntax typeAlias(Stmt.TypeAlias it) {
        Syntax left = expressions.type(it.name()).in("left");
        return node(
                "type_alias_statement",
                it.start(),
                it.end(),
                left,
                expressions.type(it.value()).in("right"));
    }

    private Syntax augmented(Stmt.AugAssign it) {
        Syntax left = expressions.target(it.target()).in("left");
        Syntax operator = expressions.operator(OperatorWords.assigned(it.op()), left.end());
        Syntax right = expressions.of(it.value()).in("right");
        return node(
                "expression_statement",
                it.start(),
                it.end(),
                node("augmented_assignment", it.start(), it.end(), left, operator, right));
    }

    private Syntax annotated(Stmt.AnnAssign it) {
        List<Syntax> children = new ArrayList<>();
        children.add(expressions.target(it.target()).in("left"));
        children.add(expressions.type(it.annotation()));
        Expr value = it.value();
        if (value != null) {
            children.add(expressions.of(value).in("right"));
        }
        return node("expression_statement", it.start(), it.end(), node("assignment", it.start(), it.end(), children));
    }

    private Syntax loop(Stmt.For it) {
        List<Syntax> children = new ArrayList<>();
        children.add(expressions.target(it.target()).in("left"));
        children.add(expressions.of(it.iter()).in("right"));
        children.add(block(it.body(), "body"));
        addElse(it.body(), it.orelse(), children);
        return node("for_statement", it.start(), it.end(), children);
    }

    private void addElse(List<Stmt> body, List<Stmt> orelse, List<Syntax> children) {
        if (!orelse.isEmpty()) {
            Syntax block = block(orelse, "body");
            int start =
                    gaps.keyword(body.isEmpty() ? block.start() : body.getLast().end());
            children.add(node("else_clause", start, block.end(), block).in("alternative"));
        }
    }

    private Syntax choice(Stmt.If whole) {
        List<Syntax> children = new ArrayList<>();
        Stmt.If it = whole;
        condition(it, children);
        while (it.orelse().size() == 1
                && it.orelse().getFirst() instanceof Stmt.If next
                && gaps.startsWith("elif", next.start())) {
            List<Syntax> parts = new ArrayList<>();
            condition(next, parts);
            children.add(node("elif_clause", next.start(), parts.getLast().end(), parts)
                    .in("alternative"));
            it = next;
        }
        addElse(it.body(), it.orelse(), children);
        return node("if_statement", whole.start(), whole.end(), children);
    }

    private void condition(Stmt.If it, List<Syntax> parts) {
        parts.add(expressions.of(it.test()).in("condition"));
        parts.add(block(it.body(), "consequence"));
    }

    private Syntax with(Stmt.With it) {
        List<Syntax> items = new ArrayList<>();
        for (Node.WithItem item : it.items()) {
            Syntax value = as(expressions.of(item.contextExpr()), item.optionalVars(), item.end());
            items.add(node("with_item", value.start(), value.end(), value.in("value")));
        }
        int start = items.getFirst().start();
        int end = items.getLast().end();
        Syntax clause = node("with_clause", start, end, items);
        return node("with_statement", it.start(), it.end(), clause, block(it.body(), "body"));
    }

    private Syntax as(Syntax value, @Nullable Expr target, int end) {
        if (target == null) {
            return value;
        }
        Syntax made = expressions.of(target);
        Syntax alias = node("as_pattern_target", made.start(), made.end(), made).in("alias");
        return node("as_pattern", value.start(), end, value, alias);
    }

    private Syntax raise(Stmt.Raise it) {
        List<Syntax> children = new ArrayList<>();
        Expr exception = it.exc();
        Expr cause = it.cause();
        if (exception != null) {
            children.add(expressions.of(exception));
        }
        if (cause != null) {
            children.add(expressions.of(cause).in("cause"));
        }
        return node("raise_statement", it.start(), it.end(), children);
    }

    private Syntax attempt(Stmt.Try it) {
        List<Syntax> children = new ArrayList<>();
        children.add(block(it.body(), "body"));
        it.handlers().forEach(handler -> children.add(handler(handler)));
        List<Stmt> last =
                it.handlers().isEmpty() ? it.body() : it.handlers().getLast().body();
        addElse(last, it.orelse(), children);
        children.getLast().in(it.orelse().isEmpty() ? children.getLast().field() : null);
        if (!it.finalbody().isEmpty()) {
            Syntax block = block(it.finalbody(), null);
            int start = gaps.keyword(children.getLast().end());
            children.add(node("finally_clause", start, block.end(), block));
        }
        return node("try_statement", it.start(), it.end(), children);
    }

    private Syntax handler(Node.ExceptHandler it) {
        List<Syntax> children = new ArrayList<>();
        Expr type = it.type();
        if (type != null) {
            Syntax caught = expressions.of(type);
            if (it.name() != null) {
                Syntax name = expressions.identifier(gaps.next(gaps.behind(caught.end(), "as")));
                Syntax alias = node("as_pattern_target", name.start(), name.end(), name)
                        .in("alias");
                caught = node("as_pattern", caught.start(), name.end(), caught, alias);
            }
            children.add(caught.in("value"));
        }
        children.add(block(it.body(), null));
        return node("except_clause", it.start(), it.end(), children);
    }

    private Syntax match(Stmt.Match it) {
        List<Syntax> children = new ArrayList<>();
        expressions.elements(it.subject()).forEach(subject -> children.add(subject.in("subject")));
        List<Syntax> cases = it.cases().stream().map(this::matchCase).toList();
        Syntax body = node("block", it.cases().getFirst().start(), it.end(), cases);
        children.add(body.in("body"));
        return node("match_statement", it.start(), it.end(), children);
    }

    private Syntax matchCase(Node.MatchCase it) {
        List<Syntax> names = new ArrayList<>();
        addNames(it.pattern(), names);
        List<Syntax> children = new ArrayList<>();
        children.add(node("case_pattern", it.pattern().start(), it.pattern().end(), names));
        Expr guard = it.guard();
        if (guard != null) {
            Syntax made = expressions.of(guard);
            children.add(node("if_clause", made.start(), made.end(), made).in("guard"));
        }
        children.add(block(it.body(), "consequence"));
        return node("case_clause", it.start(), it.end(), children).in("alternative");
    }

    /** Adds the names of a pattern; the rules ask for nothing else of it. */
    private void addNames(Node pattern, List<Syntax> names) {
        if (pattern instanceof Pattern.MatchAs as && as.pattern() == null && as.name() != null) {
            names.add(node("dotted_name", as.start(), as.end()));
        } else if (pattern instanceof Pattern) {
            pattern.forEachChild(child -> addNames(child, names));
        }
    }
}
