package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.flow.NameSets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

    private final Flow flow;
    private final Expressions expressions;

    Displays(Expressions expressions) {
        this.flow = expressions.flow;
        this.expressions = expressions;
    }

    Value tuple(Expr.Tuple node, Scope frame) {
        List<Value> items = new ArrayList<>();
        for (Expr element : node.elts()) {
            items.add(expressions.evaluate(element, frame).readFrom(null));
        }
        return Value.of(Kind.CONTAINER).withItems(items);
    }

    Value collection(Expr node, List<Expr> elements, Scope frame) {
        HeapContainer container = flow.container(node, "", frame, false);
        for (Expr element : elements) {
            Value value = expressions.evaluate(element, frame);
            container.put(element instanceof Expr.Starred ? expressions.elementOf(value) : value);
        }
        return Value.holding(container);
    }

    Value dictionary(Expr.Dict node, Scope frame) {
        HeapContainer container = flow.container(node, "", frame, false);
        Map<String, Value> fields = new HashMap<>();
        for (int i = 0; i < node.values().size(); i++) {
            Expr key = node.keys().get(i);
            if (key == null) {
                container.put(
                        expressions.elementOf(expressions.evaluate(node.values().get(i), frame)));
            } else {
                expressions.evaluate(key, frame);
                Value value = expressions.evaluate(node.values().get(i), frame).readFrom(null);
                container.put(value);
                if (Nodes.isConstant(key, Expr.Constant.Kind.STR)) {
                    fields.put(Expressions.unquote(expressions.file.text(key)), value);
                }
            }
        }
        return Value.holding(container).withFields(fields);
    }

    /** A comprehension of some elements, with keys where it is of a dict. */
    Value comprehension(Expr node, List<Node.Comprehension> generators, @Nullable Expr key, Expr element, Scope frame) {
        Scope inner = frame;
        for (Node.Comprehension generator : generators) {
            Value iterable = expressions.evaluate(generator.iter(), inner);
            LoopModel loop = flow.loop(generator, inner);
            describe(loop, generator.iter(), iterable);
            inner = inner.inner(loop);
            expressions.assignments.assign(
                    generator.target(),
                    expressions.elementOf(iterable).from(Set.of(loop)),
                    generator.iter(),
                    generator,
                    inner);
            for (Expr condition : generator.ifs()) {
                expressions.evaluate(condition, inner);
            }
        }
        if (key != null) {
            expressions.evaluate(key, inner);
        }
        Value value = expressions.evaluate(element, inner);
        HeapContainer container = flow.container(node, "", frame, false);
        container.put(value);
        if (!(node instanceof Expr.GeneratorExp)) {
            expressions.assignments.store(
                    FlowEvent.Way.COMPREHEND, node, element, value, Set.of(container), null, inner);
        }
        return Value.holding(container);
    }

    /** Notes what a loop goes over, by its value and name. */
    void describe(LoopModel loop, Expr iterable, Value value) {
        Expr inner = unwrapped(iterable);
        Value core = flow.valueOf(inner).kinds() == 0 ? value : flow.valueOf(inner);
        String text = expressions.file.text(inner);
        String name = inner instanceof Expr.Call ? ARGUMENTS.matcher(text).replaceFirst("") : text;
        String last = name.substring(name.lastIndexOf('.') + 1);
        last = last.indexOf('[') >= 0 ? INDEX.matcher(last).replaceFirst("") : last;
        loop.overModules |= (core.may(Kind.MODULE) && !core.may(Kind.TENSOR))
                || PARTS.matcher(last).find()
                || PARTS_CALL.matcher(text).find();
        loop.overData |= core.may(Kind.LOADER)
                || (DATA.matcher(last).find()
                        && !core.may(Kind.TENSOR)
                        && !expressions.elementOf(core).isOfPass());
        boolean literal = inner instanceof Expr.Tuple || inner instanceof Expr.ListDisplay;
        boolean smallRange = SMALL_RANGE.matcher(text).matches();
        loop.isShort |= literal
                || smallRange
                || (core.items().size() > 0 && core.containers().isEmpty());
    }

    /** The iterable inside of enumerate, tqdm, zip and the like. */
    private Expr unwrapped(Expr iterable) {
        Expr inner = iterable;
        for (int depth = 0;
                depth < 4 && inner instanceof Expr.Call call && !call.args().isEmpty();
                depth++) {
            if (!NameSets.has("WRAPPING", Passes.lastWord(expressions.file.text(call.func())))) {
                break;
            }
            inner = call.args().getFirst();
        }
        return inner;
    }
}
