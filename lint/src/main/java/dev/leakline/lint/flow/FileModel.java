package dev.leakline.lint.flow;

import dev.leakline.lint.names.CodeNames;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.PythonFile;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The functions, classes, imports and names of a file, before anything of it is evaluated. */
public final class FileModel {
    private final SourceFile source;
    private final PythonFile python;
    private final FunctionModel top;
    private final List<FunctionModel> functions = new ArrayList<>();
    private final List<ClassModel> classes = new ArrayList<>();
    private final IdentityHashMap<Node, FunctionModel> functionOf = new IdentityHashMap<>();
    private final IdentityHashMap<Node, ClassModel> classOf = new IdentityHashMap<>();
    private final Map<String, String> imports = new HashMap<>();
    private final Map<String, Slot> unknownAttributes = new LinkedHashMap<>();
    /** Dotted names that are used as modules are; whose parameters are frozen; that eval() was called on, and where. */
    private final Set<String> moduleNames = new HashSet<>();

    private final Set<String> frozenNames = new HashSet<>();
    private final Map<String, List<Node>> evalCalls = new HashMap<>();
    private @Nullable String code;

    public FileModel(SourceFile source, PythonFile python) {
        this.source = source;
        this.python = python;
        top = new FunctionModel(python.body());
        functions.add(top);
        python.body().forEach(statement -> scan(statement, top, null));
        classes.forEach(model -> model.role = role(model, new HashSet<>()));
        for (FunctionModel function : functions) {
            markHooks(function);
        }
    }

    private void scan(Node node, FunctionModel function, @Nullable ClassModel owner) {
        FunctionModel inside = function;
        ClassModel around = owner;
        switch (node) {
            case Stmt.FunctionDef it -> {
                it.decoratorList().forEach(decorator -> scan(decorator, function, owner));
                inside = addFunction(it, new FunctionModel(it, owner, function));
                around = null;
                if (owner != null) {
                    owner.methods.put(it.name(), inside);
                }
            }
            case Expr.Lambda it -> {
                inside = addFunction(it, new FunctionModel(it, function));
                around = null;
            }
            case Stmt.ClassDef it -> {
                it.decoratorList().forEach(decorator -> scan(decorator, function, owner));
                around = addClass(it, function);
            }
            case Stmt.Import it -> it.names().forEach(this::addImport);
            case Stmt.ImportFrom it -> addImports(it);
            case Stmt.Global it -> function.globals.addAll(it.names());
            case Stmt.Nonlocal it -> function.nonlocals.addAll(it.names());
            case Expr.Yield _, Expr.YieldFrom _ -> function.isGenerator = true;
            case Expr.Call it -> noteUse(it, function);
            case Stmt.Assign it -> noteFrozen(it);
            default -> {}
        }
        scanParts(node, inside, around);
    }

    /** Decorators stand around what they decorate. */
    private void scanParts(Node node, FunctionModel function, @Nullable ClassModel owner) {
        List<Expr> decorators = switch (node) {
            case Stmt.FunctionDef it -> it.decoratorList();
            case Stmt.ClassDef it -> it.decoratorList();
            default -> List.of();
        };
        node.forEachChild(child -> {
            if (decorators.stream().noneMatch(decorator -> decorator == child)) {
                scan(child, function, owner);
            }
        });
    }

    private FunctionModel addFunction(Node node, FunctionModel function) {
        for (FunctionModel.Parameter parameter : function.parameters) {
            Expr hint = parameter.arg().annotation();
            if (hint != null && CodeNames.isOtherType(text(hint))) {
                function.otherNames.add(parameter.name());
            }
        }
        functions.add(function);
        functionOf.put(node, function);
        return function;
    }

    private ClassModel addClass(Stmt.ClassDef node, FunctionModel outer) {
        List<String> bases = node.bases().stream()
                .map(base -> text(base instanceof Expr.Subscript it ? it.value() : base))
                .toList();
        ClassModel model = new ClassModel(node, bases, outer);
        classes.add(model);
        classOf.put(node, model);
        return model;
    }

    private void addImport(Node.Alias name) {
        String first = name.name().replaceFirst("\\..*", "");
        String alias = name.asname();
        imports.put(alias == null ? first : alias, CodeNames.canonical(alias == null ? first : name.name()));
    }

    private void addImports(Stmt.ImportFrom node) {
        String module = ".".repeat(node.level()) + (node.module() == null ? "" : node.module());
        if (!module.equals("__future__")) {
            for (Node.Alias name : node.names()) {
                String alias = name.asname() == null ? name.name() : name.asname();
                imports.put(alias, CodeNames.canonical(module + "." + name.name()));
            }
        }
    }

    private void noteUse(Expr.Call call, FunctionModel function) {
        Expr object = Nodes.receiver(call);
        if (object == null) {
            return;
        }
        String method = Nodes.method(call);
        String name = text(object);
        if (Nodes.isPlace(object) && NameSets.has("MODULE_METHODS", method)) {
            moduleNames.add(name);
        }
        if (method.equals("eval")) {
            evalCalls.computeIfAbsent(name, _ -> new ArrayList<>()).add(call);
            noteEvaluated(call);
        }
        if (method.equals("requires_grad_") && arguments(call).equals("(False)")) {
            frozenNames.add(name);
            noteFrozenLoop(object);
        }
        function.noteUse(call, method, object);
    }

    /** model = make().eval() evaluates model as model.eval() does. */
    private void noteEvaluated(Expr.Call call) {
        Node statement = source.parent(call);
        if (statement != null
                && Nodes.isAssignment(statement)
                && Nodes.value(statement) == call
                && Nodes.target(statement) instanceof Expr target) {
            evalCalls.computeIfAbsent(text(target), _ -> new ArrayList<>()).add(call);
            moduleNames.add(text(target));
        }
    }

    /** p.requires_grad = False over model.parameters(). */
    private void noteFrozen(Stmt.Assign assignment) {
        if (assignment.targets().getFirst() instanceof Expr.Attribute left
                && left.attr().equals("requires_grad")
                && Nodes.isConstant(assignment.value(), Expr.Constant.Kind.FALSE)) {
            noteFrozenLoop(left.value());
        }
    }

    private void noteFrozenLoop(Expr parameter) {
        source.around(parameter, Stmt.For.class::isInstance)
                .map(Stmt.For.class::cast)
                .filter(loop -> text(loop.target()).contains(text(parameter)))
                .ifPresent(loop -> frozenNames.add(text(loop.iter()).replaceFirst("\\.(named_)?parameters\\(.*", "")));
    }

    private ClassModel.Role role(ClassModel model, Set<ClassModel> seen) {
        if (!seen.add(model)) {
            return ClassModel.Role.PLAIN;
        }
        for (String base : model.bases) {
            ClassModel known = classNamed(base);
            ClassModel.Role role = known != null ? role(known, seen) : model.roleBy(qualified(base));
            if (role != ClassModel.Role.PLAIN) {
                return role;
            }
        }
        return ClassModel.Role.PLAIN;
    }

    private void markHooks(FunctionModel function) {
        boolean hook = function.owner != null && NameSets.has("STEP_HOOKS", function.name);
        boolean route = function.decorators.stream().anyMatch(d -> CodeNames.isRoute(text(d)));
        function.isStepHook = (hook && function.owner != null && function.owner.role != ClassModel.Role.PLAIN) || route;
    }

    /** The file's tree, with what is around each node. */
    public SourceFile source() {
        return source;
    }

    public PythonFile python() {
        return python;
    }

    /** The text of a node. */
    public String text(Node node) {
        return node instanceof Expr.Name it ? it.id() : source.text(node);
    }

    /** The text of a call's arguments, brackets included. */
    public String arguments(Expr.Call call) {
        return source.text().text().substring(call.func().end(), call.end()).strip();
    }

    /** The file's text with blanks in place of the comments, which do nothing. */
    public String code() {
        String known = code;
        if (known == null) {
            char[] blanked = source.text().text().toCharArray();
            python.comments().forEach(comment -> Arrays.fill(blanked, comment.start(), comment.end(), ' '));
            known = new String(blanked);
            code = known;
        }
        return known;
    }

    public FunctionModel top() {
        return top;
    }

    public List<FunctionModel> functions() {
        return functions;
    }

    public List<ClassModel> classes() {
        return classes;
    }

    public @Nullable FunctionModel function(Node node) {
        return functionOf.get(node);
    }

    public @Nullable ClassModel classAt(Node node) {
        return classOf.get(node);
    }

    public @Nullable ClassModel classNamed(String name) {
        for (ClassModel model : classes) {
            if (model.name.equals(name)) {
                return model;
            }
        }
        return null;
    }

    /** The method of a name that only one class of the file has, or null. */
    @Nullable
    FunctionModel onlyMethod(String name) {
        FunctionModel found = null;
        for (ClassModel model : classes) {
            FunctionModel method = model.methods.get(name);
            if (method != null && found != null) {
                return null;
            }
            found = method == null ? found : method;
        }
        return found;
    }

    /** The method that a class has or inherits within the file. */
    @Nullable
    FunctionModel method(ClassModel model, String name, int depth) {
        FunctionModel own = model.methods.get(name);
        if (own != null || depth > 8) {
            return own;
        }
        for (String base : model.bases) {
            ClassModel known = classNamed(base);
            FunctionModel inherited = known == null || known == model ? null : method(known, name, depth + 1);
            if (inherited != null) {
                return inherited;
            }
        }
        return null;
    }

    /** The attribute of a class, or of the class of this file that it inherits it from. */
    Slot attribute(ClassModel model, String name, int depth) {
        if (!model.attributes.containsKey(name) && depth < 8) {
            for (String base : model.bases) {
                ClassModel known = classNamed(base);
                if (known != null && known != model && known.attributes.containsKey(name)) {
                    return attribute(known, name, depth + 1);
                }
            }
        }
        return model.attribute(name);
    }

    /** An attribute of something that is not known: of the only class of the file that has it, else of nobody's. */
    Slot attributeOfUnknown(String name) {
        ClassModel found = null;
        for (ClassModel model : classes) {
            if (model.attributes.containsKey(name)) {
                if (found != null) {
                    return unknownAttributes.computeIfAbsent(name, key -> new Slot(null, key, true));
                }
                found = model;
            }
        }
        return found != null
                ? found.attribute(name)
                : unknownAttributes.computeIfAbsent(name, key -> new Slot(null, key, true));
    }

    public Map<String, Slot> unknownAttributes() {
        return unknownAttributes;
    }

    public @Nullable String imported(String name) {
        return imports.get(name);
    }

    /** A dotted name with its first word replaced by what was imported under it. */
    public String qualified(String dotted) {
        int dot = dotted.indexOf('.');
        String first = dot < 0 ? dotted : dotted.substring(0, dot);
        String known = imports.get(first);
        return CodeNames.canonical(known == null ? dotted : dot < 0 ? known : known + dotted.substring(dot));
    }

    /** The dotted name of what is called, with its first word replaced by what was imported under it. */
    public String callee(Expr.Call call) {
        return qualified(text(call.func()));
    }

    public boolean isUsedAsModule(String dotted) {
        return moduleNames.contains(dotted);
    }

    public boolean isFrozen(String dotted) {
        return frozenNames.contains(dotted);
    }

    public List<Node> evalCalls(String dotted) {
        return evalCalls.getOrDefault(dotted, List.of());
    }

    /** The function that a node is in. */
    public FunctionModel functionAround(Node node) {
        for (Node up = source.parent(node); up != null; up = source.parent(up)) {
            FunctionModel function = functionOf.get(up);
            if (function != null && isInBody(function, node)) {
                return function;
            }
        }
        return top;
    }

    /** Defaults, annotations and decorators are evaluated outside. */
    private static boolean isInBody(FunctionModel function, Node node) {
        return node.start() >= function.body().getFirst().start()
                && node.end() <= function.body().getLast().end();
    }

    /** The statements among which one stands. */
    public List<Stmt> block(Node statement) {
        return blocks(source.parent(statement)).stream()
                .filter(block -> block.stream().anyMatch(each -> each == statement))
                .findFirst()
                .orElse(List.of());
    }

    private List<List<Stmt>> blocks(@Nullable Node around) {
        return switch (around) {
            case null -> List.of(python.body());
            case Stmt.FunctionDef it -> List.of(it.body());
            case Stmt.ClassDef it -> List.of(it.body());
            case Stmt.For it -> List.of(it.body(), it.orelse());
            case Stmt.While it -> List.of(it.body(), it.orelse());
            case Stmt.If it -> List.of(it.body(), it.orelse());
            case Stmt.With it -> List.of(it.body());
            case Stmt.Try it -> List.of(it.body(), it.orelse(), it.finalbody());
            case Node.ExceptHandler it -> List.of(it.body());
            case Node.MatchCase it -> List.of(it.body());
            case Stmt.Invalid it -> List.of(it.body());
            default -> List.of();
        };
    }

    /** The innermost node around one that is as asked, or null. */
    public @Nullable Node enclosing(Node node, Predicate<Node> asked) {
        Node parent = source.parent(node);
        return parent == null ? null : source.around(parent, asked).orElse(null);
    }
}
