package dev.leakline.lint.flow;

import dev.leakline.lint.names.CodeNames;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The functions, classes, imports and names of a file, before anything of it is evaluated. */
public final class FileModel {
    private final SourceFile source;
    private final FunctionModel top;
    private final List<FunctionModel> functions = new ArrayList<>();
    private final List<ClassModel> classes = new ArrayList<>();
    private final IdentityHashMap<Node, FunctionModel> functionOf = new IdentityHashMap<>();
    private final IdentityHashMap<Node, ClassModel> classOf = new IdentityHashMap<>();
    private final Map<String, Slot> unknownAttributes = new LinkedHashMap<>();
    /** Dotted names that are used as modules are; whose parameters are frozen; that eval() was called on, and where. */
    private final Set<String> moduleNames = new HashSet<>();

    private final Set<String> frozenNames = new HashSet<>();
    private final Map<String, List<Node>> evalCalls = new HashMap<>();
    private @Nullable String code;

    FileModel(SourceFile source) {
        this.source = source;
        top = new FunctionModel(source.python().body());
        functions.add(top);
        source.python().body().forEach(statement -> scan(statement, top, null));
        classes.forEach(model -> model.role = role(model));
        for (FunctionModel function : functions) {
            markHooks(function);
        }
    }

    private void scan(Node node, FunctionModel function, @Nullable ClassModel owner) {
        FunctionModel inside = function;
        ClassModel around = owner;
        switch (node) {
            case Stmt.FunctionDef it -> {
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
                around = addClass(it, function);
            }
            case Stmt.Global it -> function.globals.addAll(it.names());
            case Stmt.Nonlocal it -> function.nonlocals.addAll(it.names());
            case Expr.Yield _, Expr.YieldFrom _ -> function.isGenerator = true;
            case Expr.Call it -> noteUse(it, function);
            case Stmt.Assign it -> noteFrozen(it);
            default -> {}
        }
        FunctionModel own = inside;
        ClassModel type = around;
        List<Expr> decorators = decorators(node);
        decorators.forEach(decorator -> scan(decorator, function, owner));
        node.forEachChild(child -> {
            if (decorators.isEmpty() || !decorators.contains(child)) {
                scan(child, own, type);
            }
        });
    }

    /** Decorators stand around what they decorate. */
    private static List<Expr> decorators(Node node) {
        return switch (node) {
            case Stmt.FunctionDef it -> it.decoratorList();
            case Stmt.ClassDef it -> it.decoratorList();
            default -> List.of();
        };
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

    private void noteUse(Expr.Call call, FunctionModel function) {
        Expr object = call.receiver();
        if (object == null) {
            return;
        }
        String method = call.method();
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

    /** The role that the first base from elsewhere gives, of the class's own bases or of those of its bases. */
    private ClassModel.Role role(ClassModel model) {
        return lineage(model).stream()
                .flatMap(each -> each.bases.stream()
                        .filter(base -> classNamed(base) == null)
                        .map(base -> each.roleBy(qualified(base))))
                .filter(role -> role != ClassModel.Role.PLAIN)
                .findFirst()
                .orElse(ClassModel.Role.PLAIN);
    }

    /** A class, and those of the file that it inherits from. */
    private Set<ClassModel> lineage(ClassModel model) {
        Set<ClassModel> all = new LinkedHashSet<>();
        addLineage(model, all);
        return all;
    }

    private void addLineage(@Nullable ClassModel model, Set<ClassModel> all) {
        if (model != null && all.add(model)) {
            model.bases.forEach(base -> addLineage(classNamed(base), all));
        }
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
            source.python().comments().forEach(comment -> Arrays.fill(blanked, comment.start(), comment.end(), ' '));
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

    /** The one class of the file that is as asked; null where there is none, or are several. */
    private @Nullable ClassModel only(Predicate<ClassModel> asked) {
        ClassModel found = null;
        for (ClassModel model : classes) {
            if (asked.test(model)) {
                if (found != null) {
                    return null;
                }
                found = model;
            }
        }
        return found;
    }

    /** The method of a name that only one class of the file has, or null. */
    @Nullable
    FunctionModel onlyMethod(String name) {
        ClassModel only = only(model -> model.methods.containsKey(name));
        return only == null ? null : only.methods.get(name);
    }

    /** The method that a class has or inherits within the file. */
    @Nullable
    FunctionModel method(ClassModel model, String name) {
        FunctionModel own = model.methods.get(name);
        return own != null || model.bases.isEmpty()
                ? own
                : lineage(model).stream()
                        .map(each -> each.methods.get(name))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** The attribute of a class, or of the class of this file that it inherits it from. */
    Slot attribute(ClassModel model, String name) {
        return model.attributes.containsKey(name) || model.bases.isEmpty()
                ? model.attribute(name)
                : lineage(model).stream()
                        .filter(each -> each.attributes.containsKey(name))
                        .findFirst()
                        .orElse(model)
                        .attribute(name);
    }

    /** An attribute of something that is not known: of the only class of the file that has it, else of nobody's. */
    Slot attributeOfUnknown(String name) {
        ClassModel only = only(model -> model.attributes.containsKey(name));
        return only != null
                ? only.attribute(name)
                : unknownAttributes.computeIfAbsent(name, key -> new Slot(null, key, true));
    }

    public Map<String, Slot> unknownAttributes() {
        return unknownAttributes;
    }

    public @Nullable String imported(String name) {
        String known = source.imported(name);
        return known == null ? null : CodeNames.canonical(known);
    }

    /** A dotted name with its first word replaced by what was imported under it. */
    public String qualified(String dotted) {
        int dot = dotted.indexOf('.');
        String first = dot < 0 ? dotted : dotted.substring(0, dot);
        String known = source.imported(first);
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
        return source.function(node).map(functionOf::get).orElse(top);
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
            case null -> List.of(source.python().body());
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
