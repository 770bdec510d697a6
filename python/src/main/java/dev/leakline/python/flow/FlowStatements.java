package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Runs definitions, assignments and loops. */
final class FlowStatements extends ControlFlow<FlowValue, FlowScope> {
    private final ProgramFlow flow;
    private final FlowExpressions expressions;
    private final FlowCarried carried;

    FlowStatements(ProgramFlow flow, FlowExpressions expressions, FlowCarried carried) {
        this.flow = flow;
        this.expressions = expressions;
        this.carried = carried;
    }

    @Override
    protected void run(Stmt statement, FlowScope scope) {
        if (flow.isTired()) {
            return;
        }
        switch (statement) {
            case Stmt.FunctionDef it -> define(it, scope);
            case Stmt.ClassDef it -> define(it, scope);
            case Stmt.Return it ->
                flow.returned(scope, it.value() == null ? FlowValue.of(FlowValue.NONE) : value(it.value(), scope));
            case Stmt.Assign it -> assign(it, scope);
            case Stmt.AnnAssign it -> assign(it, scope);
            case Stmt.AugAssign it -> augment(it, scope);
            case Stmt.For it -> loop(it, scope);
            case Stmt.While it -> {
                repeat(() -> value(it.test(), scope), it.body(), scope);
                block(it.orelse(), scope);
            }
            case Stmt.Import it -> it.names().forEach(alias -> bring(alias, scope));
            case Stmt.ImportFrom it -> bring(it, scope);
            case Stmt.Expression it -> value(it.value(), scope);
            case Stmt.Delete it -> it.targets().forEach(target -> value(target, scope));
            case Stmt.Assert it -> value(it.test(), scope);
            case Stmt.Raise it when it.exc() != null -> value(it.exc(), scope);
            default -> {}
        }
    }

    @Override
    protected FlowValue value(Expr expression, FlowScope scope) {
        return expressions.value(expression, scope);
    }

    private void define(Stmt.FunctionDef function, FlowScope scope) {
        function.decoratorList().forEach(decorator -> value(decorator, scope));
        FlowScope own = flow.scope(function, scope);
        Heap heap = flow.heap(Heap.Kind.FUNCTION, function, scope.file);
        heap.scope = own;
        flow.capture(heap, scope);
        Heap type = flow.classes.get(scope.node);
        if (type != null && !heap.isDecorated("staticmethod")) {
            Heap self = heap.isDecorated("classmethod") ? type : expressions.attributes.instance(type);
            flow.give(own, function.args().first(), FlowValue.of(self));
        }
        if (function.decoratorList().stream().anyMatch(each -> ProgramFlow.isOfErrors(scope.file.text(each)))) {
            flow.giveError(own, function);
        }
        // a decorator of the flow.program's own gets the function, and what it gives back is the name's
        FlowValue decorated = FlowValue.of(heap);
        for (Expr decorator : function.decoratorList().reversed()) {
            FlowValue wrapped = expressions.decorated(decorator, decorated, scope);
            decorated = wrapped.heap().isEmpty() ? decorated : wrapped.join(decorated);
        }
        flow.assign(scope, function.name(), decorated);
    }

    private void define(Stmt.ClassDef type, FlowScope scope) {
        type.decoratorList().forEach(decorator -> value(decorator, scope));
        type.bases().forEach(base -> value(base, scope));
        Heap heap = flow.classes.computeIfAbsent(type, _ -> {
            flow.news();
            return new Heap(Heap.Kind.CLASS, type, scope.file, false);
        });
        if (heap.scope == null) {
            heap.scope = new FlowScope(type, scope.file, scope);
        }
        heap.scope.begin();
        block(type.body(), heap.scope);
        flow.assign(scope, type.name(), FlowValue.of(heap));
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
            expressions.targets.assign(target, value, scope);
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
            expressions.targets.assign(it.target(), known, scope);
        } else if (scope.node instanceof Stmt.ClassDef) {
            expressions.targets.assign(it.target(), said.equals(FlowValue.NOTHING) ? FlowValue.ANY : said, scope);
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
            if (!expressions.attributes.hasMethod(to, "__setitem__")) {
                flow.note(new FlowFacts.Add(
                        scope.file, at, item.value(), written, item.slice(), to, added, FlowFacts.How.ITEM));
            }
        } else if (slice.lower() instanceof Expr.Call || (slice.upper() != null && slice.lower() == null)) {
            flow.note(new FlowFacts.Add(
                    scope.file, at, item.value(), written, null, to, value.items(), FlowFacts.How.CALL));
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
                flow.note(new FlowFacts.Add(scope.file, at, target, written, null, of, value, FlowFacts.How.CHAINED));
            }
        }
    }

    /** Notes that a variable is given what is made of its own value. */
    private boolean noteSelf(Stmt at, Expr target, Expr written, FlowScope scope) {
        List<Expr> parts = target instanceof Expr.Tuple tuple ? tuple.elts() : List.of(target);
        return parts.stream()
                .filter(part -> part instanceof Expr.Name || part instanceof Expr.Attribute)
                .anyMatch(part -> carried.note(at, part, written, scope));
    }

    private void augment(Stmt.AugAssign it, FlowScope scope) {
        FlowValue target = value(it.target(), scope);
        FlowValue value = value(it.value(), scope);
        boolean isCollection = target.heap().stream().anyMatch(heap -> heap.kind.isSummed());
        if (isCollection && (it.op() == Expr.Operator.ADD || it.op() == Expr.Operator.BIT_OR)) {
            FlowValue items = value.items();
            target.heap().forEach(heap -> flow.add(heap, Heap.ITEMS, items));
            flow.note(
                    new FlowFacts.Add(scope.file, it, it.target(), it.value(), null, target, items, FlowFacts.How.SUM));
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
            flow.note(
                    new FlowFacts.Add(scope.file, it, it.target(), it.value(), null, target, value, FlowFacts.How.SUM));
        }
        expressions.targets.assign(it.target(), sum.withoutLabel().labelled(label), scope);
    }

    private void loop(Stmt.For it, FlowScope scope) {
        FlowValue items = expressions.items.iterated(it.iter(), scope);
        repeat(() -> expressions.targets.assign(it.target(), items, scope), it.body(), scope);
        block(it.orelse(), scope);
    }

    @Override
    protected void caught(Node.ExceptHandler handler, String name, FlowScope scope) {
        flow.assign(scope, name, FlowValue.of(FlowValue.ERROR));
    }

    @Override
    protected Certainty entered(Node.WithItem item, Stmt.With statement, FlowScope scope) {
        FlowValue value = value(item.contextExpr(), scope);
        if (item.optionalVars() != null) {
            expressions.targets.assign(item.optionalVars(), value, scope);
        }
        return scope.grad;
    }

    private void bring(Node.Alias alias, FlowScope scope) {
        String name = alias.name();
        Optional<SourceFile> file = flow.program.imported(scope.file, name);
        if (file.isPresent() && (alias.asname() != null || name.indexOf('.') < 0)) {
            flow.assign(scope, alias.asname() != null ? alias.asname() : name, FlowValue.of(flow.module(file.get())));
        }
    }

    private void bring(Stmt.ImportFrom it, FlowScope scope) {
        String name = ".".repeat(it.level()) + Objects.requireNonNullElse(it.module(), "");
        Optional<SourceFile> file = flow.program.imported(scope.file, name);
        if (file.isEmpty()) {
            return;
        }
        Heap module = flow.module(file.get());
        for (Node.Alias alias : it.names()) {
            FlowValue value = ProgramFlow.ofModule(module, alias.name());
            if (!value.equals(FlowValue.NOTHING)) {
                flow.assign(scope, alias.asname() != null ? alias.asname() : alias.name(), value);
            }
        }
    }
}
