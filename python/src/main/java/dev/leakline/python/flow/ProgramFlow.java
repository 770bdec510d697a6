package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program on abstract values. Each expression that makes objects makes one, functions are run once for all their calls, and attributes
 * hold all that they are ever given; only the variables of a function have, at each statement, what was assigned last. So an object may be
 * said to hold more than it does, and a call that nobody sees gives anything.
 *
 * <p>The values of some expressions are labelled, and the label goes where the values go. Everything is gone through until nothing is news, at
 * most {@link #ROUNDS} times and {@link #MOST_STEPS} expressions; beyond that, what is found is less than there is.
 */
public final class ProgramFlow {
    /** Calls pass a value on by one function a round, and a value is followed through few. */
    private static final int ROUNDS = 8;

    /** Expressions that are gone through: four rounds of 50,000 lines. */
    private static final int MOST_STEPS = 2_000_000;

    private static final Pattern ERROR_HANDLER = Pattern.compile(
            "\\b(exception_handler|errorhandler|error_handler)\\b|\\b(add_exception|register_error)_handler\\b");

    private static final Pattern METHOD = Pattern.compile("[\"'][A-Za-z_]\\w{0,60}[\"']");

    final Program program;
    final FlowFacts facts = new FlowFacts();
    final IdentityHashMap<SourceFile, Heap> modules = new IdentityHashMap<>();
    final IdentityHashMap<Node, Heap> heaps = new IdentityHashMap<>();
    private final IdentityHashMap<Node, FlowScope> scopes = new IdentityHashMap<>();
    private final List<FlowScope> functions = new ArrayList<>();
    final IdentityHashMap<Node, Heap> classes = new IdentityHashMap<>();
    private final Map<String, FlowValue> replaced = new HashMap<>();
    final Set<Node> seeds;
    private @Nullable Set<String> texts;
    private final FlowExpressions expressions = new FlowExpressions(this);
    private boolean isNews = true;
    /** True while a value that nothing has set yet counts as none, since a later call may set it. */
    private boolean isSettling = true;

    private int steps;

    private ProgramFlow(Program program, Set<Node> seeds) {
        this.program = program;
        this.seeds = seeds;
    }

    /**
     * Runs a program.
     *
     * @param seeds the expressions whose values are labelled, by identity
     */
    public static FlowFacts run(Program program, Set<Node> seeds) {
        ProgramFlow flow = new ProgramFlow(program, seeds);
        flow.run();
        return flow.facts;
    }

    private void run() {
        for (int round = 0; round < ROUNDS && (isNews || isSettling) && steps < MOST_STEPS; round++) {
            isSettling &= isNews && round < ROUNDS / 2;
            isNews = false;
            facts.begin();
            for (SourceFile file : List.copyOf(program.files())) {
                run(module(file), file);
            }
            for (FlowScope scope : List.copyOf(functions)) {
                if (scope.node instanceof Stmt.FunctionDef function) {
                    function(scope, function);
                } else if (scope.node instanceof Expr.Lambda lambda) {
                    lambda(scope, lambda);
                }
            }
        }
    }

    /** An unknown value: nothing yet, or anything. */
    FlowValue open(FlowValue of) {
        return isSettling && of.withoutLabel().equals(FlowValue.NOTHING) ? FlowValue.NOTHING : FlowValue.ANY;
    }

    boolean isTired() {
        return ++steps > MOST_STEPS;
    }

    void news() {
        isNews = true;
    }

    /** The texts of the program that may be names of methods. */
    Set<String> texts() {
        if (texts == null) {
            texts = program.files().stream()
                    .flatMap(file -> file.nodes().stream()
                            .filter(node -> node instanceof Expr.Constant it && it.kind() == Expr.Constant.Kind.STR)
                            .map(file::text))
                    .filter(text -> METHOD.matcher(text).matches())
                    .map(text -> text.substring(1, text.length() - 1))
                    .collect(Collectors.toSet());
        }
        return texts;
    }

    /** The module of a file. */
    Heap module(SourceFile file) {
        Heap known = modules.get(file);
        if (known == null) {
            known = new Heap(Heap.Kind.MODULE, new Stmt.Pass(0, 0), file, false);
            modules.put(file, known);
            news();
            run(known, file);
        }
        return known;
    }

    private void run(Heap module, SourceFile file) {
        if (module.scope == null) {
            module.scope = FlowScope.ofModule(file);
        }
        module.scope.now = new HashMap<>();
        block(file.python().body(), module.scope);
    }

    private void function(FlowScope scope, Stmt.FunctionDef function) {
        begin(scope, function.args());
        block(function.body(), scope);
    }

    private void lambda(FlowScope scope, Expr.Lambda lambda) {
        begin(scope, lambda.args());
        returned(scope, expressions.value(lambda.body(), scope));
    }

    private void begin(FlowScope scope, Node.Arguments arguments) {
        scope.now = new HashMap<>();
        List<Node.Arg> plain = new ArrayList<>(arguments.posonlyargs());
        plain.addAll(arguments.args());
        plain.addAll(arguments.kwonlyargs());
        for (Node.Arg parameter : plain) {
            assign(scope, parameter.arg(), parameter(scope, parameter));
        }
        assign(scope, arguments.vararg(), Heap.Kind.TUPLE);
        assign(scope, arguments.kwarg(), Heap.Kind.DICT);
    }

    private void assign(FlowScope scope, Node.@Nullable Arg star, Heap.Kind kind) {
        if (star != null) {
            Heap rest = heap(kind, star, scope.file);
            add(
                    rest,
                    Heap.ITEMS,
                    Objects.requireNonNullElseGet(scope.given.get(star.arg()), () -> open(FlowValue.NOTHING)));
            assign(scope, star.arg(), FlowValue.of(rest));
        }
    }

    private FlowValue parameter(FlowScope scope, Node.Arg parameter) {
        FlowValue given = scope.given.get(parameter.arg());
        FlowValue value = given == null ? FlowValue.NOTHING : given;
        Expr written = parameter.defaultValue();
        if (written != null) {
            value = value.join(expressions.value(written, Objects.requireNonNullElse(scope.parent, scope)));
        }
        Expr annotation = parameter.annotation();
        FlowValue said = annotation == null ? FlowValue.NOTHING : expressions.annotated(annotation, scope);
        return given != null
                ? value
                : said.equals(FlowValue.NOTHING) ? value.join(open(FlowValue.NOTHING)) : value.join(said);
    }

    void returned(FlowScope scope, FlowValue value) {
        FlowValue joined = scope.returned.join(value);
        if (!joined.equals(scope.returned)) {
            scope.returned = joined;
            news();
        }
    }

    void yielded(FlowScope scope, FlowValue value) {
        FlowValue joined = scope.yielded.join(value);
        if (!joined.equals(scope.yielded)) {
            scope.yielded = joined;
            news();
        }
    }

    void give(FlowScope scope, String parameter, FlowValue value) {
        FlowValue before = scope.given.get(parameter);
        FlowValue joined = before == null ? value : before.join(value);
        if (!joined.equals(before)) {
            scope.given.put(parameter, joined);
            news();
        }
    }

    void add(Heap heap, String field, FlowValue value) {
        if (heap.add(field, value)) {
            news();
        }
    }

    Heap heap(Heap.Kind kind, Node node, SourceFile file) {
        return heap(kind, node, file, false);
    }

    Heap heap(Heap.Kind kind, Node node, SourceFile file, boolean isBounded) {
        return heaps.computeIfAbsent(node, _ -> {
            news();
            return new Heap(kind, node, file, isBounded);
        });
    }

    /** The scope of a function or lambda that is defined in another. */
    FlowScope scope(Node function, FlowScope around) {
        return scopes.computeIfAbsent(function, _ -> {
            news();
            FlowScope made = new FlowScope(function, around.file, around);
            functions.add(made);
            return made;
        });
    }

    void assign(FlowScope scope, String name, FlowValue value) {
        FlowScope owner = Objects.requireNonNullElse(scope.of(name), scope);
        if (owner == scope) {
            scope.now.put(name, value);
        }
        FlowValue before = owner.ever.get(name);
        FlowValue joined = before == null ? value : before.join(value);
        if (!joined.equals(before)) {
            owner.ever.put(name, joined);
            news();
        }
        Heap type = classes.get(owner.node);
        if (type != null) {
            add(type, name, value);
        }
    }

    // ---- Statements

    void block(List<Stmt> body, FlowScope scope) {
        for (Stmt statement : body) {
            if (isTired()) {
                return;
            }
            run(statement, scope);
        }
    }

    private void run(Stmt statement, FlowScope scope) {
        switch (statement) {
            case Stmt.FunctionDef it -> define(it, scope);
            case Stmt.ClassDef it -> define(it, scope);
            case Stmt.Return it ->
                returned(scope, it.value() == null ? FlowValue.of(FlowValue.NONE) : value(it.value(), scope));
            case Stmt.Assign it -> assign(it, scope);
            case Stmt.AnnAssign it -> assign(it, scope);
            case Stmt.AugAssign it -> augment(it, scope);
            case Stmt.For it -> loop(it, scope);
            case Stmt.While it -> {
                value(it.test(), scope);
                twice(it.body(), scope);
                block(it.orelse(), scope);
            }
            case Stmt.If it -> {
                value(it.test(), scope);
                either(List.of(it.body(), it.orelse()), scope);
            }
            case Stmt.With it -> {
                it.items().forEach(item -> enter(item, scope));
                block(it.body(), scope);
            }
            case Stmt.Match it -> {
                value(it.subject(), scope);
                either(it.cases().stream().map(Node.MatchCase::body).toList(), scope);
            }
            case Stmt.Try it -> attempt(it, scope);
            case Stmt.Import it -> it.names().forEach(alias -> bring(alias, scope));
            case Stmt.ImportFrom it -> bring(it, scope);
            case Stmt.Expression it -> value(it.value(), scope);
            case Stmt.Delete it -> it.targets().forEach(target -> value(target, scope));
            case Stmt.Assert it -> value(it.test(), scope);
            case Stmt.Raise it when it.exc() != null -> value(it.exc(), scope);
            default -> {}
        }
    }

    private FlowValue value(Expr expression, FlowScope scope) {
        return expressions.value(expression, scope);
    }

    private void define(Stmt.FunctionDef function, FlowScope scope) {
        function.decoratorList().forEach(decorator -> value(decorator, scope));
        FlowScope own = scope(function, scope);
        Heap heap = heap(Heap.Kind.FUNCTION, function, scope.file);
        heap.scope = own;
        capture(heap, scope);
        boolean isOfType = scope.node instanceof Stmt.ClassDef;
        boolean isStatic = function.decoratorList().stream()
                .anyMatch(decorator ->
                        decorator instanceof Expr.Name name && name.id().equals("staticmethod"));
        Heap type = classes.get(scope.node);
        if (isOfType && !isStatic && !function.args().args().isEmpty() && type != null) {
            boolean isOfClass = function.decoratorList().stream()
                    .anyMatch(decorator ->
                            decorator instanceof Expr.Name name && name.id().equals("classmethod"));
            give(
                    own,
                    function.args().args().getFirst().arg(),
                    FlowValue.of(isOfClass ? type : expressions.instance(type)));
        }
        if (function.decoratorList().stream().anyMatch(each -> isOfErrors(scope.file.text(each)))) {
            giveError(own, function);
        }
        // a decorator of the program's own gets the function, and what it gives back is the name's
        FlowValue decorated = FlowValue.of(heap);
        for (Expr decorator : function.decoratorList().reversed()) {
            FlowValue wrapped = expressions.decorated(decorator, decorated, scope);
            decorated = wrapped.heap().isEmpty() ? decorated : wrapped.join(decorated);
        }
        assign(scope, function.name(), decorated);
    }

    /** Notes functions and collections that an attribute of an object which nobody sees made is given. */
    void replace(String attribute, FlowValue value) {
        Set<Heap> known = value.heap().stream()
                .filter(heap -> heap.kind == Heap.Kind.FUNCTION
                        || heap.kind.isSequence()
                        || heap.kind == Heap.Kind.DICT)
                .collect(Collectors.toSet());
        FlowValue before = replaced(attribute);
        FlowValue joined = before.join(new FlowValue(0, 0, known));
        if (!known.isEmpty() && !joined.equals(before)) {
            replaced.put(attribute, joined);
            news();
        }
    }

    FlowValue replaced(String attribute) {
        return Objects.requireNonNullElse(replaced.get(attribute), FlowValue.NOTHING);
    }

    /** Gives a function the values of the variables that it refers to in functions around it. */
    void capture(Heap function, FlowScope around) {
        FlowScope own = Objects.requireNonNull(function.scope);
        for (String name : own.free) {
            FlowScope owner = around.of(name);
            FlowValue value = owner != null && owner.isOfFunction() ? owner.ever.get(name) : null;
            boolean isItself =
                    function.node instanceof Stmt.FunctionDef it && it.name().equals(name);
            if (value != null && !isItself) {
                add(function, name, value);
            }
        }
    }

    /** Returns whether a decorator or a call has a framework call a function with the exceptions of requests. */
    static boolean isOfErrors(String text) {
        return ERROR_HANDLER.matcher(text).find();
    }

    /** Gives a function an exception as its last parameter. */
    void giveError(FlowScope scope, Node function) {
        if (function instanceof Stmt.FunctionDef it && !it.args().args().isEmpty()) {
            give(scope, it.args().args().getLast().arg(), FlowValue.of(FlowValue.ERROR));
        }
    }

    private void define(Stmt.ClassDef type, FlowScope scope) {
        type.decoratorList().forEach(decorator -> value(decorator, scope));
        type.bases().forEach(base -> value(base, scope));
        Heap heap = classes.computeIfAbsent(type, _ -> {
            news();
            return new Heap(Heap.Kind.CLASS, type, scope.file, false);
        });
        if (heap.scope == null) {
            heap.scope = new FlowScope(type, scope.file, scope);
        }
        heap.scope.now = new HashMap<>();
        block(type.body(), heap.scope);
        assign(scope, type.name(), FlowValue.of(heap));
    }

    private void assign(Stmt.Assign it, FlowScope scope) {
        FlowValue value = value(it.value(), scope);
        for (Expr target : it.targets()) {
            if (!noteSelf(it, target, it.value(), scope)) {
                noteItem(it, target, it.value(), value, scope);
                noteNext(it, target, it.value(), value, scope);
            }
        }
        for (Expr target : it.targets()) {
            expressions.assign(target, value, scope);
        }
    }

    private void assign(Stmt.AnnAssign it, FlowScope scope) {
        FlowValue said = expressions.annotated(it.annotation(), scope);
        if (it.value() != null) {
            FlowValue value = value(it.value(), scope);
            noteItem(it, it.target(), it.value(), value, scope);
            FlowValue known = value.is(FlowValue.UNKNOWN) && value.heap().isEmpty() && !said.equals(FlowValue.NOTHING)
                    ? said.labelled(value.label())
                    : value;
            expressions.assign(it.target(), known, scope);
        } else if (scope.node instanceof Stmt.ClassDef) {
            expressions.assign(it.target(), said.equals(FlowValue.NOTHING) ? FlowValue.ANY : said, scope);
        }
    }

    /** Notes that an item of a collection is given by a key, or items at its end. */
    private void noteItem(Stmt at, Expr target, Expr written, FlowValue value, FlowScope scope) {
        if (!(target instanceof Expr.Subscript item)) {
            return;
        }
        FlowValue to = value(item.value(), scope);
        if (!(item.slice() instanceof Expr.Slice slice)) {
            FlowValue key = value(item.slice(), scope);
            FlowValue added = value.reached() > 0 ? value : value.labelled(key.reached());
            if (!expressions.hasMethod(to, "__setitem__")) {
                note(new FlowFacts.Add(
                        scope.file, at, item.value(), written, item.slice(), to, added, FlowFacts.How.ITEM));
            }
        } else if (slice.lower() instanceof Expr.Call || (slice.upper() != null && slice.lower() == null)) {
            note(new FlowFacts.Add(scope.file, at, item.value(), written, null, to, value.items(), FlowFacts.How.CALL));
        }
    }

    /** Notes that an attribute of an object is given another object of the same kind, so that each keeps the next. */
    private void noteNext(Stmt at, Expr target, Expr written, FlowValue value, FlowScope scope) {
        if (target instanceof Expr.Attribute it) {
            FlowValue of = value(it.value(), scope);
            boolean isNext = of.heap().stream()
                    .anyMatch(heap ->
                            heap.kind == Heap.Kind.INSTANCE && value.heap().contains(heap));
            if (isNext) {
                note(new FlowFacts.Add(scope.file, at, target, written, null, of, value, FlowFacts.How.CHAINED));
            }
        }
    }

    /** Notes that a variable is given what is made of its own value. */
    private boolean noteSelf(Stmt at, Expr target, Expr written, FlowScope scope) {
        List<Expr> parts = target instanceof Expr.Tuple tuple ? tuple.elts() : List.of(target);
        return parts.stream()
                .filter(part -> part instanceof Expr.Name || part instanceof Expr.Attribute)
                .anyMatch(part -> noteSelf((Node) at, part, written, scope));
    }

    /** Notes that a place is given what is made of its own value. */
    boolean noteSelf(Node at, Expr place, Expr written, FlowScope scope) {
        if (!expressions.isMadeOf(written, place, scope)) {
            return false;
        }
        Expr other = expressions.added(written, place, scope);
        Expr added = other == null ? written : other;
        FlowValue value = value(added, scope);
        boolean isDisplay =
                added instanceof Expr.ListDisplay || added instanceof Expr.Tuple || added instanceof Expr.Dict;
        note(new FlowFacts.Add(
                scope.file,
                at,
                place,
                added,
                null,
                value(place, scope),
                other != null && isDisplay ? value.items() : value,
                other != null
                        ? FlowFacts.How.SUM
                        : value.heap().stream().anyMatch(Heap::isChained)
                                ? FlowFacts.How.CHAINED
                                : FlowFacts.How.CARRIED));
        return true;
    }

    private void augment(Stmt.AugAssign it, FlowScope scope) {
        FlowValue target = value(it.target(), scope);
        FlowValue value = value(it.value(), scope);
        boolean isCollection = target.heap().stream().anyMatch(heap -> heap.kind.isSummed());
        if (isCollection && (it.op() == Expr.Operator.ADD || it.op() == Expr.Operator.BIT_OR)) {
            FlowValue items = value.items();
            target.heap().forEach(heap -> add(heap, Heap.ITEMS, items));
            note(new FlowFacts.Add(scope.file, it, it.target(), it.value(), null, target, items, FlowFacts.How.SUM));
            return;
        }
        int label = Math.min(Math.max(value.label(), target.label()), FlowValue.DERIVED);
        FlowValue sum = value.is(FlowValue.TENSOR) ? FlowValue.TENSORS.join(target) : target.join(value);
        expressions.noteMixed(it, target, value);
        boolean isKept = it.target() instanceof Expr.Subscript item
                && value(item.slice(), scope).reached() > 0;
        if (isKept) {
            noteItem(it, it.target(), it.value(), value, scope);
        } else if (it.op() == Expr.Operator.ADD) {
            note(new FlowFacts.Add(scope.file, it, it.target(), it.value(), null, target, value, FlowFacts.How.SUM));
        }
        expressions.assign(it.target(), sum.withoutLabel().labelled(label), scope);
    }

    void note(FlowFacts.Add add) {
        if (facts.adds.put(add.at(), add) == null) {
            facts.order.add(add.at());
        }
    }

    private void loop(Stmt.For it, FlowScope scope) {
        FlowValue items = expressions.iterated(it.iter(), scope);
        Map<String, FlowValue> before = new HashMap<>(scope.now);
        for (int time = 0; time < 2; time++) {
            expressions.assign(it.target(), items, scope);
            block(it.body(), scope);
            join(scope, before);
        }
        block(it.orelse(), scope);
    }

    private void twice(List<Stmt> body, FlowScope scope) {
        Map<String, FlowValue> before = new HashMap<>(scope.now);
        for (int time = 0; time < 2; time++) {
            block(body, scope);
            join(scope, before);
        }
    }

    private static void join(FlowScope scope, Map<String, FlowValue> other) {
        other.forEach((name, value) -> scope.now.merge(name, value, FlowValue::join));
    }

    private void either(List<List<Stmt>> bodies, FlowScope scope) {
        Map<String, FlowValue> before = scope.now;
        Map<String, FlowValue> after = new HashMap<>();
        for (List<Stmt> body : bodies) {
            scope.now = new HashMap<>(before);
            block(body, scope);
            if (!isLeft(body)) {
                scope.now.forEach((name, value) -> after.merge(name, value, FlowValue::join));
            }
        }
        scope.now = after.isEmpty() ? new HashMap<>(before) : after;
    }

    private static boolean isLeft(List<Stmt> body) {
        return !body.isEmpty()
                && (body.getLast() instanceof Stmt.Return
                        || body.getLast() instanceof Stmt.Raise
                        || body.getLast() instanceof Stmt.Continue
                        || body.getLast() instanceof Stmt.Break);
    }

    private void attempt(Stmt.Try it, FlowScope scope) {
        Map<String, FlowValue> before = new HashMap<>(scope.now);
        block(it.body(), scope);
        Map<String, FlowValue> after = new HashMap<>(scope.now);
        for (Node.ExceptHandler handler : it.handlers()) {
            scope.now = new HashMap<>(after);
            join(scope, before);
            if (handler.name() != null) {
                assign(scope, handler.name(), FlowValue.of(FlowValue.ERROR));
            }
            block(handler.body(), scope);
            scope.now.forEach((name, value) -> after.merge(name, value, FlowValue::join));
        }
        scope.now = after;
        block(it.orelse(), scope);
        block(it.finalbody(), scope);
    }

    private void enter(Node.WithItem item, FlowScope scope) {
        FlowValue value = value(item.contextExpr(), scope);
        if (item.optionalVars() != null) {
            expressions.assign(item.optionalVars(), value, scope);
        }
    }

    private void bring(Node.Alias alias, FlowScope scope) {
        String name = alias.name();
        Optional<SourceFile> file = program.imported(scope.file, name);
        if (file.isPresent() && (alias.asname() != null || name.indexOf('.') < 0)) {
            assign(scope, alias.asname() != null ? alias.asname() : name, FlowValue.of(module(file.get())));
        }
    }

    private void bring(Stmt.ImportFrom it, FlowScope scope) {
        String name = ".".repeat(it.level()) + Objects.requireNonNullElse(it.module(), "");
        Optional<SourceFile> file = program.imported(scope.file, name);
        if (file.isEmpty()) {
            return;
        }
        Heap module = module(file.get());
        for (Node.Alias alias : it.names()) {
            FlowValue value = ofModule(module, alias.name());
            if (!value.equals(FlowValue.NOTHING)) {
                assign(scope, alias.asname() != null ? alias.asname() : alias.name(), value);
            }
        }
    }

    static FlowValue ofModule(Heap module, String name) {
        return module.scope == null
                ? FlowValue.NOTHING
                : Objects.requireNonNullElse(module.scope.ever.get(name), FlowValue.NOTHING);
    }
}
