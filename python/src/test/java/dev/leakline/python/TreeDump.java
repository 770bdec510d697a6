package dev.leakline.python;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Our tree as a line of text, equal to the one that {@code dump_ast.py} makes of CPython's. */
final class TreeDump {
    private static final Map<Class<?>, RecordComponent[]> COMPONENTS = new ConcurrentHashMap<>();
    private static final Map<String, String> CLASSES =
            Map.of("ListDisplay", "List", "SetDisplay", "Set", "Expression", "Expr", "MatchCase", "match_case");
    private static final Map<Expr.Constant.Kind, String> KINDS = Map.of(
            Expr.Constant.Kind.NONE, "None",
            Expr.Constant.Kind.FALSE, "False",
            Expr.Constant.Kind.TRUE, "True",
            Expr.Constant.Kind.ELLIPSIS, "Ellipsis",
            Expr.Constant.Kind.INT, "int",
            Expr.Constant.Kind.FLOAT, "float",
            Expr.Constant.Kind.IMAGINARY, "complex",
            Expr.Constant.Kind.STR, "str",
            Expr.Constant.Kind.BYTES, "bytes");

    private final PythonText text;
    private final boolean isPlaced;
    private final StringBuilder line = new StringBuilder();

    private TreeDump(PythonText text, boolean isPlaced) {
        this.text = text;
        this.isPlaced = isPlaced;
    }

    static String of(PythonFile file) {
        TreeDump dump = new TreeDump(file.text(), true);
        dump.value(file.body(), true);
        return dump.line.toString();
    }

    /** The tree without the places of its nodes. */
    static String unplaced(PythonFile file) {
        TreeDump dump = new TreeDump(file.text(), false);
        dump.value(file.body(), false);
        return dump.line.toString();
    }

    private void value(Object value, boolean placed) {
        switch (value) {
            case Node node -> node(node, placed);
            case List<?> list -> {
                line.append('[');
                String between = "";
                for (Object item : list) {
                    line.append(between);
                    between = " ";
                    if (item == null) {
                        line.append("None");
                    } else {
                        value(item, placed);
                    }
                }
                line.append(']');
            }
            case Enum<?> constant -> line.append(camel(constant.name())).append("()");
            case Boolean flag -> line.append(flag ? 1 : 0);
            case Character conversion -> line.append(conversion == 0 ? -1 : (int) conversion);
            default -> line.append(value);
        }
    }

    private static String camel(String name) {
        StringBuilder camel = new StringBuilder();
        for (String word : name.split("_", -1)) {
            camel.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return camel.toString();
    }

    private void node(Node node, boolean placed) {
        if (node instanceof Expr.Constant constant) {
            line.append("Constant.").append(KINDS.get(constant.kind()));
            place(node, placed);
            line.append("()");
            return;
        }
        line.append(className(node));
        place(node, placed && hasPlace(node));
        line.append('(');
        boolean inside = placed && !(node instanceof Expr.JoinedStr) && !(node instanceof Expr.TemplateStr);
        fields(node).forEach((name, value) -> {
            if (value != null && !value.equals(List.of())) {
                line.append(' ').append(name).append('=');
                value(value, inside);
            }
        });
        line.append(')');
    }

    private static boolean hasPlace(Node node) {
        return !(node instanceof Node.Arguments
                || node instanceof Node.Comprehension
                || node instanceof Node.WithItem
                || node instanceof Node.MatchCase);
    }

    private void place(Node node, boolean placed) {
        if (placed && isPlaced) {
            line.append('@');
            place(node.start());
            line.append('-');
            place(node.end());
        }
    }

    private void place(int offset) {
        line.append(text.line(offset)).append(':').append(text.column(offset));
    }

    private static String className(Node node) {
        String name = node.getClass().getSimpleName();
        return switch (node) {
            case Stmt.FunctionDef it -> (it.isAsync() ? "Async" : "") + name;
            case Stmt.For it -> (it.isAsync() ? "Async" : "") + name;
            case Stmt.With it -> (it.isAsync() ? "Async" : "") + name;
            case Stmt.Try it -> name + (it.isStar() ? "Star" : "");
            case Node.TypeParam it -> camel(it.kind().name());
            case Node.Arguments _, Node.Arg _, Node.Comprehension _, Node.Keyword _, Node.Alias _, Node.WithItem _ ->
                name.toLowerCase(Locale.ROOT);
            default -> CLASSES.getOrDefault(name, name);
        };
    }

    /** The fields as CPython has them, by name. */
    private SortedMap<String, Object> fields(Node node) {
        SortedMap<String, Object> fields = new TreeMap<>(Comparator.naturalOrder());
        for (RecordComponent component : COMPONENTS.computeIfAbsent(node.getClass(), Class::getRecordComponents)) {
            try {
                component.getAccessor().setAccessible(true);
                fields.put(snake(component.getName()), component.getAccessor().invoke(node));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(component.toString(), e);
            }
        }
        fields.keySet().removeAll(List.of("start", "end", "is_star", "is_lazy"));
        switch (node) {
            case Node.Comprehension _ -> {}
            case Node.Arguments it -> defaults(it, fields);
            case Node.Arg _ -> fields.remove("default_value");
            case Pattern.MatchSingleton it ->
                fields.put("value", singleton(it.value().kind()));
            case Node.TypeParam _ -> fields.remove("kind");
            case Stmt.AnnAssign it -> {
                fields.remove("is_simple");
                fields.put("simple", it.isSimple());
            }
            case Expr.JoinedStr it -> fields.put("values", joined(it.values()));
            case Expr.TemplateStr it -> fields.put("values", joined(it.values()));
            default -> fields.remove("is_async");
        }
        return fields;
    }

    private static String singleton(Expr.Constant.Kind kind) {
        return kind == Expr.Constant.Kind.NONE ? null : KINDS.get(kind);
    }

    private static void defaults(Node.Arguments arguments, Map<String, Object> fields) {
        List<Expr> defaults = new ArrayList<>();
        arguments.posonlyargs().forEach(arg -> addIfAny(defaults, arg.defaultValue()));
        arguments.args().forEach(arg -> addIfAny(defaults, arg.defaultValue()));
        fields.put("defaults", defaults);
        List<Expr> keywordDefaults = new ArrayList<>();
        arguments.kwonlyargs().forEach(arg -> keywordDefaults.add(arg.defaultValue()));
        fields.put("kw_defaults", keywordDefaults);
    }

    private static void addIfAny(List<Expr> list, Expr expression) {
        if (expression != null) {
            list.add(expression);
        }
    }

    /** The parts of a format string: CPython joins the text between two values. */
    private List<Expr> joined(List<Expr> values) {
        List<Expr> joined = new ArrayList<>();
        for (Expr value : values) {
            boolean isText = value instanceof Expr.Constant;
            if (!isText || (!isEmpty(value) && (joined.isEmpty() || !(joined.getLast() instanceof Expr.Constant)))) {
                joined.add(value);
            }
        }
        return joined;
    }

    /** Tells whether a plain string beside a format string says nothing. */
    private boolean isEmpty(Expr constant) {
        String written = text.text().substring(constant.start(), constant.end());
        return written.matches("[rRuUbB]*(''|\"\"|'{6}|\"{6})") || written.matches("(\\\\\\R)+");
    }

    private static String snake(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** The place where two dumps part, for people. */
    static Map<String, String> difference(String ours, String theirs) {
        int at = 0;
        while (at < Math.min(ours.length(), theirs.length()) && ours.charAt(at) == theirs.charAt(at)) {
            at++;
        }
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("ours", ours.substring(Math.max(0, at - 200), Math.min(ours.length(), at + 120)));
        parts.put("theirs", theirs.substring(Math.max(0, at - 200), Math.min(theirs.length(), at + 120)));
        return parts;
    }
}
