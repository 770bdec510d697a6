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
    final FlowCarried carried = new FlowCarried(this, expressions);
    private final FlowStatements statements = new FlowStatements(this, expressions, carried);

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
                    .flatMap(file -> file.all(Expr.Constant.class)
                            .filter(it -> it.kind() == Expr.Constant.Kind.STR)
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
        module.scope.begin();
        statements.block(file.python().body(), module.scope);
    }

    private void function(FlowScope scope, Stmt.FunctionDef function) {
        begin(scope, function.args());
        statements.block(function.body(), scope);
    }

    private void lambda(FlowScope scope, Expr.Lambda lambda) {
        begin(scope, lambda.args());
        returned(scope, expressions.value(lambda.body(), scope));
    }

    private void begin(FlowScope scope, Node.Arguments arguments) {
        scope.begin();
        for (Node.Arg parameter : arguments.plain()) {
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
            scope.variables.put(name, value);
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

    /** Notes functions and collections that an attribute of an object which nobody sees made is given. */
    void replace(String attribute, FlowValue value) {
        Set<Heap> known = value.heap().stream()
                .filter(heap ->
                        heap.kind == Heap.Kind.FUNCTION || heap.kind.isSequence() || heap.kind == Heap.Kind.DICT)
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
        if (function instanceof Stmt.FunctionDef it && !it.args().places().isEmpty()) {
            give(scope, it.args().places().getLast().arg(), FlowValue.of(FlowValue.ERROR));
        }
    }

    void note(FlowFacts.Add add) {
        if (facts.adds.put(add.at(), add) == null) {
            facts.order.add(add.at());
        }
    }

    static FlowValue ofModule(Heap module, String name) {
        return module.scope == null
                ? FlowValue.NOTHING
                : Objects.requireNonNullElse(module.scope.ever.get(name), FlowValue.NOTHING);
    }
}
