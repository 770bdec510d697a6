package dev.leakline.lint.flow;

import dev.leakline.lint.names.CodeNames;
import dev.leakline.lint.python.PythonTree;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions, classes, imports and names of a file, before anything of it is evaluated. */
public final class FileModel {
    private final PythonTree tree;
    private final FunctionModel top;
    private final List<FunctionModel> functions = new ArrayList<>();
    private final List<ClassModel> classes = new ArrayList<>();
    private final Map<Syntax, FunctionModel> functionOf = new HashMap<>();
    private final Map<Syntax, ClassModel> classOf = new HashMap<>();
    private final Map<String, String> imports = new HashMap<>();
    private final Map<String, Slot> unknownAttributes = new LinkedHashMap<>();
    /** Dotted names that are used as modules are; whose parameters are frozen; that eval() was called on, and where. */
    private final Set<String> moduleNames = new HashSet<>();

    private final Set<String> frozenNames = new HashSet<>();
    private final Map<String, List<Syntax>> evalCalls = new HashMap<>();

    public FileModel(PythonTree tree) {
        this.tree = tree;
        top = new FunctionModel(tree.root(), "<module>", null, null, List.of());
        functions.add(top);
        functionOf.put(tree.root(), top);
        scan(tree.root(), top, null);
        classes.forEach(model -> model.role = role(model, new HashSet<>()));
        for (FunctionModel function : functions) {
            markHooks(function);
        }
    }

    private void scan(Syntax node, FunctionModel function, @Nullable ClassModel owner) {
        for (Syntax child : node.children()) {
            switch (child.type()) {
                case "function_definition", "lambda" -> scan(child, addFunction(child, function, owner), null);
                case "class_definition" -> scan(child, function, addClass(child, function));
                case "import_statement", "import_from_statement" -> addImports(child);
                case "global_statement" -> child.children().forEach(name -> function.globals.add(name.text()));
                case "nonlocal_statement" -> child.children().forEach(name -> function.nonlocals.add(name.text()));
                case "yield" -> {
                    function.isGenerator = true;
                    scan(child, function, owner);
                }
                case "call" -> {
                    noteUse(child, function);
                    scan(child, function, owner);
                }
                case "assignment" -> {
                    noteFrozen(child);
                    scan(child, function, owner);
                }
                default -> scan(child, function, owner);
            }
        }
    }

    private FunctionModel addFunction(Syntax node, FunctionModel outer, @Nullable ClassModel owner) {
        Syntax around = node.parent();
        List<Syntax> decorators = around != null && around.is("decorated_definition")
                ? around.children().stream().filter(c -> c.is("decorator")).toList()
                : List.of();
        String name = node.is("lambda") ? "<lambda>" : node.text("name");
        FunctionModel function = new FunctionModel(node, name, node.is("lambda") ? null : owner, outer, decorators);
        Syntax parameters = node.child("parameters");
        if (parameters != null) {
            parameters.children().forEach(function::addParameter);
        }
        if (owner != null && !node.is("lambda")) {
            owner.methods.put(name, function);
        }
        functions.add(function);
        functionOf.put(node, function);
        return function;
    }

    private ClassModel addClass(Syntax node, FunctionModel outer) {
        List<String> bases = new ArrayList<>();
        Syntax superclasses = node.child("superclasses");
        if (superclasses != null) {
            for (Syntax base : superclasses.children()) {
                if (!base.is("keyword_argument")) {
                    bases.add(base.is("subscript") ? base.text("value") : base.text());
                }
            }
        }
        ClassModel model = new ClassModel(node, node.text("name"), bases, outer);
        classes.add(model);
        classOf.put(node, model);
        return model;
    }

    private void addImports(Syntax node) {
        String module = node.is("import_from_statement") ? node.text("module_name") : "";
        for (Syntax name : node.all("name")) {
            boolean aliased = name.is("aliased_import");
            String path = aliased ? name.text("name") : name.text();
            String alias = aliased ? name.text("alias") : module.isEmpty() ? path.replaceFirst("\\..*", "") : path;
            String whole = module.isEmpty() ? (aliased ? path : alias) : module + "." + path;
            imports.put(alias, CodeNames.canonical(whole));
        }
    }

    private void noteUse(Syntax call, FunctionModel function) {
        Syntax callee = call.child("function");
        if (callee == null || !callee.is("attribute")) {
            return;
        }
        String method = callee.text("attribute");
        Syntax object = callee.child("object");
        if (object == null) {
            return;
        }
        String name = object.text();
        boolean plain = object.is("identifier") || object.is("attribute");
        if (plain && CodeNames.isOfModules(method)) {
            moduleNames.add(name);
        }
        if (method.equals("eval")) {
            evalCalls.computeIfAbsent(name, _ -> new ArrayList<>()).add(call);
            noteEvaluated(call);
        }
        if (method.equals("requires_grad_") && call.text("arguments").equals("(False)")) {
            frozenNames.add(name);
            noteFrozenLoop(object);
        }
        function.noteUse(call, method, object);
    }

    /** model = make().eval() evaluates model as model.eval() does. */
    private void noteEvaluated(Syntax call) {
        Syntax statement = call.statement();
        Syntax assignment = statement.is("expression_statement") ? statement.first("assignment") : null;
        if (assignment != null && assignment.child("right") == call) {
            evalCalls
                    .computeIfAbsent(assignment.text("left"), _ -> new ArrayList<>())
                    .add(call);
            moduleNames.add(assignment.text("left"));
        }
    }

    /** p.requires_grad = False over model.parameters(). */
    private void noteFrozen(Syntax assignment) {
        Syntax left = assignment.child("left");
        if (left != null
                && left.is("attribute")
                && left.text("attribute").equals("requires_grad")
                && assignment.text("right").equals("False")) {
            Syntax object = left.child("object");
            if (object != null) {
                noteFrozenLoop(object);
            }
        }
    }

    private void noteFrozenLoop(Syntax parameter) {
        Syntax loop = parameter.enclosing("for_statement");
        if (loop != null && loop.text("left").contains(parameter.text())) {
            frozenNames.add(loop.text("right").replaceFirst("\\.(named_)?parameters\\(.*", ""));
        }
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

    private static void markHooks(FunctionModel function) {
        boolean hook = function.owner != null && CodeNames.isStepHook(function.name);
        boolean route = function.decorators.stream().anyMatch(d -> CodeNames.isRoute(d.text()));
        function.isStepHook = (hook && function.owner != null && function.owner.role != ClassModel.Role.PLAIN) || route;
    }

    public PythonTree tree() {
        return tree;
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

    public @Nullable FunctionModel function(Syntax node) {
        return functionOf.get(node);
    }

    public @Nullable ClassModel classAt(Syntax node) {
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

    public boolean imports(String prefix) {
        return imports.values().stream().anyMatch(name -> name.equals(prefix) || name.startsWith(prefix + "."));
    }

    /** A dotted name with its first word replaced by what was imported under it. */
    public String qualified(String dotted) {
        int dot = dotted.indexOf('.');
        String first = dot < 0 ? dotted : dotted.substring(0, dot);
        String known = imports.get(first);
        return CodeNames.canonical(known == null ? dotted : dot < 0 ? known : known + dotted.substring(dot));
    }

    public boolean isUsedAsModule(String dotted) {
        return moduleNames.contains(dotted);
    }

    public boolean isFrozen(String dotted) {
        return frozenNames.contains(dotted);
    }

    public List<Syntax> evalCalls(String dotted) {
        return evalCalls.getOrDefault(dotted, List.of());
    }

    /** The function that a node is in. */
    public FunctionModel functionAround(Syntax node) {
        for (Syntax up = node.parent(); up != null; up = up.parent()) {
            FunctionModel function = functionOf.get(up);
            if (function != null && isInBody(function, node)) {
                return function;
            }
        }
        return top;
    }

    /** Defaults, annotations and decorators are evaluated outside. */
    private static boolean isInBody(FunctionModel function, Syntax node) {
        Syntax body = function.node.child("body");
        return function.isModuleLevel() || (body != null && body.contains(node));
    }
}
