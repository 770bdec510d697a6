package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Evaluates what makes containers: tuples, lists, dicts, comprehensions; and tells what is gone over. */
final class Displays {
    /** Common names of sources of batches. */
    private static final Pattern DATA = Pattern.compile(
            "(?i)(^|_)(data)?(loaders?|dl|batch(es)?|dataset|data|stream|feed|samples|images|inputs?|requests|queue|jobs|pages|texts|sentences|documents|docs|chunks|frames|episodes|examples|prompts|queries|videos|clips|tokens)$");
    /** Common names of collections of layers or parameters. */
    private static final Pattern PARTS = Pattern.compile(
            "(?i)(modules|children|parameters|layers|blocks|heads|experts|stages|convs|blks|cells|encoders|decoders|models|metrics|callbacks|hooks|handles)(\\(.*\\))?$");

    private static final Pattern ARGUMENTS = Pattern.compile("\\(.*");
    private static final Pattern INDEX = Pattern.compile("\\[.*");
    private static final Pattern PARTS_CALL = Pattern.compile("\\.(named_)?(modules|children|parameters|buffers)\\(");
    private static final Pattern SMALL_RANGE = Pattern.compile("range\\(\\d\\)");
    private static final Set<String> WRAPPING = Set.of(
            "enumerate",
            "tqdm",
            "zip",
            "iter",
            "islice",
            "cycle",
            "chain",
            "reversed",
            "list",
            "track",
            "prefetch",
            "trange",
            "progress_bar");

    private final Flow flow;
    private final Expressions expressions;

    Displays(Expressions expressions) {
        this.flow = expressions.flow;
        this.expressions = expressions;
    }

    Value tuple(Syntax node, Scope frame) {
        List<Value> items = new ArrayList<>();
        for (Syntax child : node.children()) {
            items.add(expressions.evaluate(child, frame).readFrom(null));
        }
        return Value.of(Kind.CONTAINER).withItems(items);
    }

    Value collection(Syntax node, Scope frame) {
        HeapContainer container = flow.container(node, "", frame, false);
        for (Syntax child : node.children()) {
            Value value = expressions.evaluate(child, frame);
            container.put(child.is("list_splat") ? expressions.elementOf(value) : value);
        }
        return Value.holding(container);
    }

    Value dictionary(Syntax node, Scope frame) {
        HeapContainer container = flow.container(node, "", frame, false);
        Map<String, Value> fields = new HashMap<>();
        for (Syntax child : node.children()) {
            Syntax key = child.child("key");
            Syntax valueNode = child.child("value");
            if (child.is("pair") && key != null && valueNode != null) {
                expressions.evaluate(key, frame);
                Value value = expressions.evaluate(valueNode, frame).readFrom(null);
                container.put(value);
                if (key.is("string")) {
                    fields.put(Expressions.unquote(key.text()), value);
                }
            } else {
                container.put(expressions.elementOf(expressions.evaluate(child, frame)));
            }
        }
        return Value.holding(container).withFields(fields);
    }

    Value comprehension(Syntax node, Scope frame) {
        Syntax body = node.child("body");
        Scope inner = frame;
        LoopModel loop = null;
        for (Syntax clause : node.children()) {
            if (clause.is("for_in_clause")) {
                Syntax right = clause.child("right");
                Syntax left = clause.child("left");
                if (right == null || left == null) {
                    continue;
                }
                Value iterable = expressions.evaluate(right, inner);
                LoopModel made = flow.loop(clause, inner);
                describe(made, right, iterable, frame);
                inner = inner(inner, made);
                loop = made;
                expressions.assignments.assign(
                        left, expressions.elementOf(iterable).from(Set.of(made)), right, clause, inner);
            } else if (clause.is("if_clause")) {
                expressions.last(clause, inner);
            }
        }
        if (body == null) {
            return Value.OTHER;
        }
        Value value = body.is("pair") ? pair(body, inner) : expressions.evaluate(body, inner);
        HeapContainer container = flow.container(node, "", frame, false);
        container.put(value);
        if (!node.is("generator_expression") && loop != null) {
            Syntax stored = body.is("pair") && body.child("value") instanceof Syntax inside ? inside : body;
            expressions.assignments.store(
                    FlowEvent.Way.COMPREHEND, node, stored, value, Set.of(container), null, null, null, null, inner);
        }
        return Value.holding(container);
    }

    private Value pair(Syntax pair, Scope frame) {
        expressions.child(pair, "key", frame);
        return expressions.child(pair, "value", frame);
    }

    /** Notes what a loop goes over, by its value and name. */
    void describe(LoopModel loop, Syntax iterable, Value value, Scope frame) {
        Syntax inner = unwrapped(iterable);
        Value core = flow.valueOf(inner).kinds() == 0 ? value : flow.valueOf(inner);
        String text = inner.text();
        String name = inner.is("call") ? ARGUMENTS.matcher(text).replaceFirst("") : text;
        String last = name.substring(name.lastIndexOf('.') + 1);
        last = last.indexOf('[') >= 0 ? INDEX.matcher(last).replaceFirst("") : last;
        loop.overModules |= (core.may(Kind.MODULE) && !core.may(Kind.TENSOR))
                || PARTS.matcher(last).find()
                || PARTS_CALL.matcher(text).find();
        loop.overData |=
                core.may(Kind.LOADER) || (DATA.matcher(last).find() && !core.may(Kind.TENSOR) && !isOfPass(core));
        boolean literal = inner.is("tuple") || inner.is("list") || inner.is("expression_list");
        boolean smallRange = SMALL_RANGE.matcher(text).matches();
        loop.isShort |= literal
                || smallRange
                || (core.items().size() > 0 && core.containers().isEmpty());
    }

    /** Returns whether a value is one pass's result: no source of batches, whatever it is called. */
    private boolean isOfPass(Value value) {
        return expressions.elementOf(value).sources().stream()
                .anyMatch(source -> source instanceof Origin origin && origin.type == Origin.Type.FORWARD);
    }

    /** A loop that a comprehension is: its variables are its own. */
    private static Scope inner(Scope frame, LoopModel loop) {
        Scope inner = new Scope(frame.function, frame.grad);
        inner.variables = frame.copy();
        inner.loop = loop;
        return inner;
    }

    /** The iterable inside of enumerate, tqdm, zip and the like. */
    private static Syntax unwrapped(Syntax iterable) {
        Syntax inner = iterable;
        for (int depth = 0; depth < 4 && inner.is("call"); depth++) {
            String name = Passes.lastWord(inner.text("function"));
            Syntax arguments = inner.child("arguments");
            boolean wraps = WRAPPING.contains(name);
            if (!wraps || arguments == null || arguments.children().isEmpty()) {
                break;
            }
            inner = arguments.children().getFirst();
        }
        return inner;
    }
}
