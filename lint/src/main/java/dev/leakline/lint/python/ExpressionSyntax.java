package dev.leakline.lint.python;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Parentheses;
import dev.leakline.python.PythonText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Expressions of the parser's tree as {@link Syntax}. */
final class ExpressionSyntax {
    private final PythonText source;
    private final Parentheses parentheses;
    private final SourceGaps gaps;

    ExpressionSyntax(PythonText source, Parentheses parentheses, SourceGaps gaps) {
        this.source = source;
        this.parentheses = parentheses;
        this.gaps = gaps;
    }

    Syntax node(String type, int start, int end, List<Syntax> children) {
        Syntax made = new Syntax(source, type, start, end);
        made.setChildren(children);
        return made;
    }

    Syntax node(String type, int start, int end, Syntax... children) {
        return node(type, start, end, List.of(children));
    }

    /** An expression, in its parentheses. */
    Syntax of(Expr expression) {
        return grouped(expression, bare(expression), "parenthesized_expression");
    }

    private Syntax grouped(Expr expression, Syntax bare, String type) {
        Syntax made = bare;
        Parentheses.Pair pair = parentheses.around(expression);
        while (pair != null) {
            made = node(type, pair.start(), pair.end(), made);
            pair = parentheses.around(expression, pair);
        }
        return made;
    }

    /** A target of an assignment, in its parentheses. */
    Syntax target(Expr expression) {
        Syntax bare = switch (expression) {
            case Expr.Tuple it -> {
                List<Syntax> elements = it.elts().stream().map(this::target).toList();
                yield node(
                        isInBrackets(it, elements) ? "tuple_pattern" : "pattern_list", it.start(), it.end(), elements);
            }
            case Expr.ListDisplay it ->
                node(
                        "list_pattern",
                        it.start(),
                        it.end(),
                        it.elts().stream().map(this::target).toList());
            case Expr.Starred it -> node("list_splat_pattern", it.start(), it.end(), target(it.value()));
            default -> bare(expression);
        };
        return grouped(expression, bare, "tuple_pattern");
    }

    private static boolean isInBrackets(Expr.Tuple tuple, List<Syntax> elements) {
        return elements.isEmpty() || tuple.start() < elements.getFirst().start();
    }

    List<Syntax> all(List<? extends Expr> expressions) {
        return expressions.stream().map(this::of).toList();
    }

    /** The elements of a tuple without brackets, or the one expression. */
    List<Syntax> elements(Expr expression) {
        Syntax made = of(expression);
        return made.is("expression_list") ? made.children() : List.of(made);
    }

    private Syntax bare(Expr expression) {
        int start = expression.start();
        int end = expression.end();
        return switch (expression) {
            case Expr.BoolOp it -> booleans(it);
            case Expr.NamedExpr it ->
                node(
                        "named_expression",
                        start,
                        end,
                        of(it.target()).in("name"),
                        of(it.value()).in("value"));
            case Expr.BinOp it -> {
                Syntax left = of(it.left()).in("left");
                Syntax operator = operator(OperatorWords.of(it.op()), left.end());
                yield node(
                        "binary_operator",
                        start,
                        end,
                        left,
                        operator,
                        of(it.right()).in("right"));
            }
            case Expr.UnaryOp it -> unary(it);
            case Expr.Lambda it -> lambda(it);
            case Expr.IfExp it ->
                node("conditional_expression", start, end, of(it.body()), of(it.test()), of(it.orelse()));
            case Expr.Dict it -> dictionary(it);
            case Expr.SetDisplay it -> node("set", start, end, all(it.elts()));
            case Expr.ListDisplay it -> node("list", start, end, all(it.elts()));
            case Expr.Tuple it -> {
                List<Syntax> elements = all(it.elts());
                yield node(isInBrackets(it, elements) ? "tuple" : "expression_list", start, end, elements);
            }
            case Expr.ListComp it -> comprehension("list_comprehension", it, of(it.elt()), it.generators());
            case Expr.SetComp it -> comprehension("set_comprehension", it, of(it.elt()), it.generators());
            case Expr.GeneratorExp it -> comprehension("generator_expression", it, of(it.elt()), it.generators());
            case Expr.DictComp it -> {
                Expr value = it.value();
                Syntax body = value == null ? unpacked(it.key()) : pair(it.key(), value);
                yield comprehension("dictionary_comprehension", it, body, it.generators());
            }
            case Expr.Await it -> node("await", start, end, of(it.value()));
            case Expr.Yield it -> {
                Expr value = it.value();
                yield value == null ? node("yield", start, end) : node("yield", start, end, of(value));
            }
            case Expr.YieldFrom it -> node("yield", start, end, of(it.value()));
            case Expr.Compare it -> comparison(it);
            case Expr.Call it -> call(it);
            case Expr.FormattedValue it -> interpolation(it, it.value(), it.formatSpec());
            case Expr.Interpolation it -> interpolation(it, it.value(), it.formatSpec());
            case Expr.JoinedStr it -> string(it, it.values());
            case Expr.TemplateStr it -> string(it, it.values());
            case Expr.Constant it -> node(constant(it), start, end);
            case Expr.Attribute it -> attribute(it);
            case Expr.Subscript it -> subscript(it);
            case Expr.Starred it -> node("list_splat", start, end, of(it.value()));
            case Expr.Name _ -> node("identifier", start, end);
            case Expr.Slice it -> slice(it);
        };
    }

    /** The operator that stands behind a place; its type is its text. */
    Syntax operator(String operator, int from) {
        int start = gaps.next(from);
        return node(operator, start, start + operator.length()).in("operator");
    }

    /** Makes nodes of two operands each from CPython's one for all. */
    private Syntax booleans(Expr.BoolOp it) {
        String word = it.op() == Expr.BoolOperator.AND ? "and" : "or";
        Syntax left = of(it.values().getFirst());
        for (Expr operand : it.values().subList(1, it.values().size())) {
            Syntax operator = operator(word, left.end());
            Syntax right = of(operand).in("right");
            left = node("boolean_operator", it.start(), right.end(), left.in("left"), operator, right);
        }
        return left;
    }

    private Syntax unary(Expr.UnaryOp it) {
        Syntax operand = of(it.operand()).in("argument");
        return it.op() == Expr.UnaryOperator.NOT
                ? node("not_operator", it.start(), it.end(), operand)
                : node(
                        "unary_operator",
                        it.start(),
                        it.end(),
                        operator(OperatorWords.of(it.op()), it.start()),
                        operand);
    }

    private Syntax comparison(Expr.Compare it) {
        List<Syntax> children = new ArrayList<>();
        Syntax last = of(it.left());
        children.add(last);
        for (int i = 0; i < it.ops().size(); i++) {
            String word = OperatorWords.of(it.ops().get(i));
            int start = gaps.next(last.end());
            int space = word.indexOf(' ');
            int end = space < 0 ? start + word.length() : gaps.behind(start + space, word.substring(space + 1));
            children.add(node(word, start, end).in("operators"));
            last = of(it.comparators().get(i));
            children.add(last);
        }
        return node("comparison_operator", it.start(), it.end(), children);
    }

    private Syntax lambda(Expr.Lambda it) {
        Syntax body = of(it.body()).in("body");
        List<Syntax> parameters = new ParameterSyntax(this, gaps).of(it.args());
        return parameters.isEmpty()
                ? node("lambda", it.start(), it.end(), body)
                : node(
                        "lambda",
                        it.start(),
                        it.end(),
                        node("lambda_parameters", it.args().start(), it.args().end(), parameters)
                                .in("parameters"),
                        body);
    }

    /** An annotation. */
    Syntax type(Expr annotation) {
        Syntax made = of(annotation);
        return node("type", made.start(), made.end(), made).in("type");
    }

    /** The name that begins at a place. */
    Syntax identifier(int start) {
        return node("identifier", start, gaps.wordEnd(start));
    }

    private Syntax dictionary(Expr.Dict it) {
        List<Syntax> children = new ArrayList<>();
        for (int i = 0; i < it.values().size(); i++) {
            Expr key = it.keys().get(i);
            children.add(
                    key == null
                            ? unpacked(it.values().get(i))
                            : pair(key, it.values().get(i)));
        }
        return node("dictionary", it.start(), it.end(), children);
    }

    private Syntax unpacked(Expr mapping) {
        Syntax made = of(mapping);
        return node("dictionary_splat", gaps.before(made.start(), '*'), made.end(), made);
    }

    private Syntax pair(Expr key, Expr value) {
        Syntax left = of(key).in("key");
        Syntax right = of(value).in("value");
        return node("pair", left.start(), right.end(), left, right);
    }

    private Syntax comprehension(String type, Expr whole, Syntax element, List<Node.Comprehension> generators) {
        List<Syntax> children = new ArrayList<>();
        children.add(element.in("body"));
        for (Node.Comprehension generator : generators) {
            Syntax target = target(generator.target()).in("left");
            Syntax iter = of(generator.iter()).in("right");
            children.add(node("for_in_clause", generator.start(), iter.end(), target, iter));
            int last = iter.end();
            for (Expr condition : generator.ifs()) {
                Syntax made = of(condition);
                children.add(node("if_clause", gaps.next(last), made.end(), made));
                last = made.end();
            }
        }
        return node(type, whole.start(), whole.end(), children);
    }

    private Syntax call(Expr.Call it) {
        Syntax function = of(it.func()).in("function");
        Syntax arguments = arguments(gaps.next(function.end()), it.end(), it.args(), it.keywords());
        return node("call", it.start(), it.end(), function, arguments.in("arguments"));
    }

    /** The arguments of a call or class from bracket to bracket; a generator alone shares its brackets with the call. */
    Syntax arguments(int start, int end, List<Expr> positional, List<Node.Keyword> keywords) {
        if (positional.size() == 1
                && keywords.isEmpty()
                && positional.getFirst().start() == start) {
            return of(positional.getFirst());
        }
        List<Syntax> children = new ArrayList<>(all(positional));
        if (!keywords.isEmpty()) {
            keywords.forEach(keyword -> children.add(keyword(keyword)));
            children.sort(Comparator.comparingInt(Syntax::start));
        }
        return node("argument_list", start, end, children);
    }

    private Syntax keyword(Node.Keyword keyword) {
        Syntax value = of(keyword.value());
        return keyword.arg() == null
                ? node("dictionary_splat", keyword.start(), value.end(), value)
                : node(
                        "keyword_argument",
                        keyword.start(),
                        value.end(),
                        identifier(keyword.start()).in("name"),
                        value.in("value"));
    }

    private Syntax interpolation(Expr whole, Expr value, Expr.@Nullable JoinedStr specification) {
        Syntax expression = of(value).in("expression");
        if (specification == null) {
            return node("interpolation", whole.start(), whole.end(), expression);
        }
        Syntax format =
                node("format_specifier", specification.start(), specification.end(), values(specification.values()));
        return node("interpolation", whole.start(), whole.end(), expression, format.in("format_specifier"));
    }

    private List<Syntax> values(List<Expr> values) {
        return values.stream()
                .filter(value -> !(value instanceof Expr.Constant))
                .map(this::of)
                .toList();
    }

    private Syntax string(Expr whole, List<Expr> values) {
        return node("string", whole.start(), whole.end(), values(values));
    }

    private String constant(Expr.Constant it) {
        return switch (it.kind()) {
            case NONE -> "none";
            case TRUE -> "true";
            case FALSE -> "false";
            case ELLIPSIS -> "ellipsis";
            case INT -> "integer";
            case FLOAT, IMAGINARY -> "float";
            case STR, BYTES -> gaps.isJoined(it.start(), it.end()) ? "concatenated_string" : "string";
        };
    }

    private Syntax attribute(Expr.Attribute it) {
        Syntax object = of(it.value()).in("object");
        int dot = gaps.next(object.end());
        Syntax name = node("identifier", gaps.next(dot + 1), it.end());
        return node("attribute", it.start(), it.end(), object, name.in("attribute"));
    }

    private Syntax subscript(Expr.Subscript it) {
        List<Syntax> children = new ArrayList<>();
        children.add(of(it.value()).in("value"));
        elements(it.slice()).forEach(key -> children.add(key.in("subscript")));
        return node("subscript", it.start(), it.end(), children);
    }

    private Syntax slice(Expr.Slice it) {
        List<Syntax> children = new ArrayList<>();
        it.forEachChild(bound -> {
            if (bound instanceof Expr expression) {
                children.add(of(expression));
            }
        });
        return node("slice", it.start(), it.end(), children);
    }
}
