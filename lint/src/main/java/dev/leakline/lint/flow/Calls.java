package dev.leakline.lint.flow;

import dev.leakline.lint.flow.ClassModel.Instantiation;
import dev.leakline.lint.flow.FunctionModel.CallSite;
import dev.leakline.lint.flow.FunctionModel.Parameter;
import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Evaluates calls: of functions and classes of the file, of modules, of torch, of containers, and of what nobody knows. */
final class Calls {
    /** What people call a module, the last word of it: evidence, but no proof. */
    private static final Pattern MODULE_NAME = Pattern.compile(
            "(?i)(^|_)(ddp_|ema_|base_)?(model|net|network|backbone|encoder|decoder|policy|actor|critic|generator|discriminator|teacher|student|head|cell|transformer|unet|vae|classifier|embedder|predictor|tower|trunk|rnn|lstm|gru|cnn|mlp|vit|bert|llm|lm|agent_net|netg|netd|gen|disc|q_net|detector|segmenter|extractor|layer|module|reranker|ranker|scorer|learner)(_?[a-z0-9])?$");

    private static final Pattern LOSS_NAME =
            Pattern.compile("(?i)(criterion|loss|objective|loss_fn|loss_func|crit)(_fn|_func|_function)?$");
    /** Methods of a module that run a part of it. */
    private static final Pattern PASS_NAME =
            Pattern.compile("(?i)encode|embed|feature|extract|predict|score|decode|infer|step|logits|forward|hidden|"
                    + MODULE_NAME.pattern());

    private static final Set<String> APPENDING = Set.of("append", "appendleft", "add", "insert");
    private static final Set<String> EXTENDING = Set.of("extend", "extendleft");
    private static final Set<String> REMOVING =
            Set.of("clear", "pop", "popleft", "popitem", "remove", "discard", "__delitem__", "difference_update");
    private static final Set<String> TAKING =
            Set.of("pop", "popleft", "get", "setdefault", "values", "items", "copy", "popitem", "most_common");
    private static final Set<String> READING =
            Set.of("float", "int", "bool", "str", "repr", "format", "round", "complex", "print");
    private static final Set<String> PASSING =
            Set.of("list", "tuple", "set", "sorted", "reversed", "frozenset", "iter", "filter", "deque");
    private static final Set<String> SELF = Set.of(
            "eval",
            "train",
            "cuda",
            "cpu",
            "to",
            "half",
            "float",
            "bfloat16",
            "double",
            "requires_grad_",
            "apply",
            "share_memory",
            "compile",
            "type");

    final Torch torch;
    private final Interpreter interpreter;
    private final Expressions expressions;
    private final FileModel file;
    private final Flow flow;

    Calls(Interpreter interpreter, Expressions expressions) {
        this.interpreter = interpreter;
        this.expressions = expressions;
        this.file = interpreter.file;
        this.flow = interpreter.flow;
        this.torch = new Torch(expressions);
    }

    Value evaluate(Syntax call, Scope frame) {
        Syntax callee = call.child("function");
        if (callee == null) {
            return Value.OTHER;
        }
        Value receiver = null;
        if (callee.is("attribute") && callee.child("object") instanceof Syntax object) {
            receiver = expressions.evaluate(object, frame);
        }
        Value called = expressions.evaluate(callee, frame);
        Arguments arguments = Arguments.of(call.child("arguments"), expressions, frame);
        Value result = dispatch(call, callee, called, receiver, arguments, frame);
        flow.add(
                new FlowEvent.Call(call, called.qualified(), receiver, result, frame.function, frame.loop, frame.grad));
        return result;
    }

    private Value dispatch(
            Syntax call, Syntax callee, Value called, @Nullable Value receiver, Arguments arguments, Scope frame) {
        callBack(arguments, callee, frame);
        String method = receiver == null ? "" : callee.text("attribute");
        if (method.endsWith("backward") && receiver != null && !"torch.autograd".equals(receiver.qualified())) {
            backward(call, receiver, method, arguments, frame);
            return Value.NONE;
        }
        if (called.qualified() != null) {
            Value known = qualified(call, called.qualified(), arguments, frame);
            if (known != null) {
                return known;
            }
        }
        if (called.target() instanceof FunctionModel function && called.may(Kind.FUNCTION)) {
            return callFunction(call, called, function, arguments, frame);
        }
        if (called.target() instanceof ClassModel model && called.may(Kind.CLASS)) {
            return instantiate(call, model, arguments, frame);
        }
        if (receiver == null && callee.is("identifier") && called.isOnly(Kind.OTHER) && called.slot() == null) {
            Value built = builtin(call, callee.text(), arguments, frame);
            if (built != null) {
                return built;
            }
        }
        if (receiver != null) {
            Value known = method(call, callee, receiver, method, arguments, frame);
            if (known != null) {
                return known;
            }
        }
        if (called.target() instanceof ClassModel model && called.may(Kind.INSTANCE) && !model.isModule()) {
            FunctionModel function = file.method(model, "__call__", 0);
            if (function != null) {
                return invoke(
                        function,
                        call,
                        withSelf(called, arguments.places()),
                        arguments.names(),
                        arguments.spread(),
                        frame);
            }
        }
        return unknown(call, callee, called, receiver, arguments, frame);
    }

    /** Functions that are given away are called by somebody, some time, with nobody knows what; hooks with tensors. */
    private void callBack(Arguments arguments, Syntax callee, Scope frame) {
        String name = callee.is("attribute") ? callee.text("attribute") : callee.text();
        for (Value argument : arguments.all()) {
            if (argument.target() instanceof FunctionModel function && argument.may(Kind.FUNCTION)) {
                function.isCallback = true;
                if (name.contains("forward_hook") || name.contains("forward_pre_hook")) {
                    Certainty grad = frame.grad == Certainty.NO ? Certainty.NO : Certainty.LIKELY;
                    Value output = Value.of(Kind.TENSOR).withGrad(grad).on(Device.LIKELY_GPU);
                    int first = function.self() == null ? 0 : 1;
                    List<Value> given = List.of(Value.of(Kind.MODULE), output, output);
                    for (int i = 0; i < given.size() && first + i < function.parameters.size(); i++) {
                        function.addArgument(function.parameters.get(first + i).name(), given.get(i));
                    }
                    if (function.node.is("lambda")) {
                        interpreter.callLambda(function, given, frame);
                    }
                } else if (name.endsWith("_hook")) {
                    int first = function.self() == null ? 0 : 1;
                    if (first < function.parameters.size()) {
                        Value gradient = Value.of(Kind.TENSOR).on(Device.LIKELY_GPU);
                        function.addArgument(
                                function.parameters
                                        .get(function.parameters.size() - 1)
                                        .name(),
                                gradient);
                    }
                }
            }
        }
    }

    private void backward(Syntax call, Value receiver, String method, Arguments arguments, Scope frame) {
        Value target = method.equals("backward") && arguments.all().isEmpty()
                ? receiver
                : arguments.combined(expressions, receiver);
        flow.markBackward(target, call);
        flow.add(new FlowEvent.Backward(
                call,
                target,
                frame.function,
                frame.loop,
                keyword(call, "retain_graph"),
                keyword(call, "create_graph"),
                receiver.qualified() == null));
    }

    static @Nullable Syntax keyword(Syntax call, String name) {
        Syntax arguments = call.child("arguments");
        if (arguments != null) {
            for (Syntax argument : arguments.children()) {
                if (argument.is("keyword_argument") && argument.text("name").equals(name)) {
                    return argument.child("value");
                }
            }
        }
        return null;
    }

    private @Nullable Value qualified(Syntax call, String name, Arguments arguments, Scope frame) {
        if (name.equals("torch.autograd.grad") || name.equals("torch.autograd.backward")) {
            Value target = arguments.places().isEmpty() ? Value.OTHER : flat(arguments.place(0));
            flow.markBackward(target, call);
            flow.add(new FlowEvent.Backward(
                    call,
                    target,
                    frame.function,
                    frame.loop,
                    keyword(call, "retain_graph"),
                    keyword(call, "create_graph"),
                    false));
            Value gradient = Value.of(Kind.TENSOR).on(Device.LIKELY_GPU).from(target.sources());
            boolean keeps = keyword(call, "create_graph") != null;
            return keeps ? gradient.withGrad(Certainty.LIKELY).withGraph(target.graph()) : gradient;
        }
        Certainty mode = Torch.gradMode(name, call.text("arguments"));
        if (mode != null) {
            if (name.endsWith("set_grad_enabled")) {
                frame.grad = mode;
            }
            return Value.of(Kind.GRAD_MODE).withGrad(mode);
        }
        if (name.equals("functools.partial")) {
            return arguments.place(0).may(Kind.FUNCTION | Kind.CLASS) ? arguments.place(0) : Value.OTHER;
        }
        if (name.equals("torch.utils.checkpoint.checkpoint")) {
            return forward(call, "checkpoint", Certainty.UNKNOWN, Value.OTHER, arguments, frame);
        }
        Value container = container(call, name, arguments, frame);
        if (container != null) {
            return container;
        }
        if (name.startsWith("numpy.") || name.startsWith("np.")) {
            arguments.all().forEach(argument -> flow.markRead(flat(argument)));
            return Value.NUMBER.from(arguments.sources());
        }
        Value made = torch.function(name, arguments, frame);
        if (made != null
                && (name.startsWith("torch.max") || name.startsWith("torch.arg") || name.startsWith("torch.topk"))) {
            flow.markRead(arguments.combined(expressions, Value.NOTHING));
        }
        return made;
    }

    /** A new container, where the name is that of one's class. */
    private @Nullable Value container(Syntax call, String name, Arguments arguments, Scope frame) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (!name.startsWith("collections.")
                && !name.equals("weakref.WeakValueDictionary")
                && !name.equals("weakref.WeakSet")
                && !name.equals("queue.Queue")
                && !name.equals("cachetools.LRUCache")
                && !name.equals("cachetools.TTLCache")
                && !name.equals("weakref.WeakKeyDictionary")) {
            return null;
        }
        if (!last.matches(
                "deque|defaultdict|OrderedDict|Counter|ChainMap|UserDict|UserList|Weak\\w+|Queue|LRUCache|TTLCache")) {
            return null;
        }
        HeapContainer made = flow.container(call, "", frame, false);
        Value limit = arguments.named("maxlen", 1);
        made.isBounded |= (last.equals("deque") && limit.kinds() != 0 && !limit.isOnly(Kind.NONE))
                || last.startsWith("Weak")
                || last.endsWith("Cache")
                || last.equals("Counter")
                || (last.equals("Queue") && !arguments.all().isEmpty());
        if (last.equals("defaultdict")
                && call.text("arguments").matches("\\((list|dict|set|lambda: *\\[\\]|deque|collections\\.deque)\\)")) {
            made.put(Value.holding(flow.container(call, "entry", frame, false)));
        } else if (last.equals("defaultdict")) {
            made.put(Value.NUMBER);
        } else if (!arguments.places().isEmpty()) {
            made.put(expressions.elementOf(arguments.place(0)));
        }
        return Value.holding(made);
    }

    private Value callFunction(Syntax call, Value called, FunctionModel function, Arguments arguments, Scope frame) {
        if (function.node.is("lambda")) {
            return interpreter.callLambda(function, arguments.places(), frame);
        }
        boolean bound = function.self() != null && !called.items().isEmpty();
        boolean onClass = bound
                && called.items().getFirst().may(Kind.CLASS)
                && !called.items().getFirst().may(Kind.INSTANCE)
                && function.decorators.stream().noneMatch(d -> d.text().contains("classmethod"));
        List<Value> places =
                bound && !onClass ? withSelf(called.items().getFirst(), arguments.places()) : arguments.places();
        return invoke(function, call, places, arguments.names(), arguments.spread(), frame);
    }

    private static List<Value> withSelf(Value self, List<Value> places) {
        List<Value> all = new ArrayList<>();
        all.add(self);
        all.addAll(places);
        return all;
    }

    /** Calls a function of this file: it gets the arguments in the next round, and gives back what it gave back in the last. */
    Value invoke(
            FunctionModel function,
            Syntax call,
            List<Value> places,
            Map<String, Value> names,
            List<Value> spread,
            Scope frame) {
        function.callers.add(new CallSite(call, frame.function, frame.loop, frame.grad));
        for (int i = 0; i < function.parameters.size(); i++) {
            Parameter parameter = function.parameters.get(i);
            if (i == 0 && parameter.name().equals(function.self())) {
                continue;
            }
            if (parameter.stars() == 1) {
                for (int rest = i; rest < places.size(); rest++) {
                    function.addArgument(parameter.name(), places.get(rest));
                }
                break;
            }
            if (i < places.size()) {
                function.addArgument(parameter.name(), places.get(i));
            } else {
                spread.forEach(value -> function.addArgument(parameter.name(), value));
            }
        }
        for (Map.Entry<String, Value> entry : names.entrySet()) {
            boolean known = function.parameters.stream()
                    .anyMatch(p -> p.stars() == 0 && p.name().equals(entry.getKey()));
            for (Parameter parameter : function.parameters) {
                if (known ? parameter.name().equals(entry.getKey()) : parameter.stars() == 2) {
                    function.addArgument(parameter.name(), entry.getValue());
                }
            }
        }
        if (function.name.equals("forward") && function.owner != null && function.owner.isModule()) {
            return function.returned();
        }
        Value returned = function.returned().kinds() == 0 ? Value.NONE : function.returned();
        boolean manager = function.decorators.stream().anyMatch(d -> d.text().contains("contextmanager"));
        if (manager) {
            return returned.withTarget(function);
        }
        if (function.isGenerator) {
            HeapContainer yielded = flow.container(call, "yields", frame, false);
            yielded.put(returned);
            return Value.holding(yielded);
        }
        boolean mixed = frame.grad == Certainty.NO && function.entryGrad == Certainty.LIKELY;
        return (mixed ? returned.detached() : returned).readFrom(null);
    }

    private Value instantiate(Syntax call, ClassModel model, Arguments arguments, Scope frame) {
        model.instantiations.add(new Instantiation(call, frame.function, frame.loop));
        FunctionModel constructor = file.method(model, "__init__", 0);
        Value instance = Value.of(Kind.INSTANCE | (model.isModule() ? Kind.MODULE : 0), model);
        if (constructor != null) {
            invoke(
                    constructor,
                    call,
                    withSelf(instance, arguments.places()),
                    arguments.names(),
                    arguments.spread(),
                    frame);
        } else {
            List<String> fields = new ArrayList<>(model.attributes.keySet());
            for (int i = 0; i < arguments.places().size() && i < fields.size(); i++) {
                model.attribute(fields.get(i))
                        .assign(call, frame.function, arguments.places().get(i).readFrom(null));
            }
            arguments
                    .names()
                    .forEach((name, value) -> model.attribute(name).assign(call, frame.function, value.readFrom(null)));
        }
        return frame.loop == null ? instance : instance.from(Set.of(frame.loop));
    }

    private @Nullable Value builtin(Syntax call, String name, Arguments arguments, Scope frame) {
        Value first = arguments.place(0);
        if (READING.contains(name)) {
            arguments.all().forEach(argument -> flow.markRead(flat(argument)));
            return name.equals("str") || name.equals("repr") || name.equals("format")
                    ? Value.TEXT
                    : Value.NUMBER.from(arguments.sources());
        }
        if (PASSING.contains(name)) {
            if (arguments.places().isEmpty()) {
                return Value.holding(flow.container(call, "", frame, false));
            }
            HeapContainer copy = flow.container(call, "", frame, false);
            copy.put(expressions.elementOf(first));
            return first.may(Kind.CONTAINER) || name.equals("list") || name.equals("tuple")
                    ? Value.holding(copy)
                    : first;
        }
        return switch (name) {
            case "dict" -> {
                HeapContainer made = flow.container(call, "", frame, false);
                arguments.all().forEach(made::put);
                yield Value.holding(made).withFields(arguments.names());
            }
            case "len", "id", "hash", "isinstance", "hasattr", "range", "ord", "callable" ->
                Value.NUMBER.from(arguments.sources());
            case "sum", "min", "max", "abs", "next" -> arithmetic(name, arguments, frame);
            case "enumerate" ->
                pairs(call, List.of(Value.NUMBER, expressions.elementOf(first)), frame)
                        .from(first.sources());
            case "zip" ->
                pairs(
                                call,
                                arguments.places().stream()
                                        .map(expressions::elementOf)
                                        .toList(),
                                frame)
                        .from(arguments.sources());
            case "map" -> {
                HeapContainer made = flow.container(call, "", frame, false);
                Value element = expressions.elementOf(arguments.place(1));
                made.put(
                        first.target() instanceof FunctionModel function && first.may(Kind.FUNCTION)
                                ? callFunction(
                                        call,
                                        first,
                                        function,
                                        new Arguments(List.of(), List.of(element), Map.of(), List.of()),
                                        frame)
                                : unknown(
                                        call,
                                        call,
                                        first,
                                        null,
                                        new Arguments(List.of(), List.of(element), Map.of(), List.of()),
                                        frame));
                yield Value.holding(made);
            }
            case "super" -> Value.OTHER;
            case "getattr" -> Value.OTHER;
            case "tqdm", "trange", "chain", "islice", "cycle" -> first;
            default -> null;
        };
    }

    private Value arithmetic(String name, Arguments arguments, Scope frame) {
        Value all = Value.NOTHING;
        for (Value argument : arguments.places()) {
            Value element = argument.may(Kind.CONTAINER | Kind.OTHER | Kind.TENSOR)
                            && arguments.places().size() <= 2
                            && (argument.may(Kind.CONTAINER) || name.equals("next"))
                    ? expressions.elementOf(argument)
                    : argument;
            all = all.kinds() == 0 ? element : expressions.combine(all, element, frame);
        }
        Value result = all.readFrom(null);
        return frame.loop != null && name.equals("next") ? result.from(Set.of(frame.loop)) : result;
    }

    private Value pairs(Syntax call, List<Value> items, Scope frame) {
        HeapContainer made = flow.container(call, "", frame, false);
        return Value.of(Kind.CONTAINER)
                .withContainers(Set.of(made))
                .withItems(List.of(Value.of(Kind.CONTAINER)
                        .withItems(items.stream().map(v -> v.readFrom(null)).toList())))
                .withFields(Map.of());
    }

    private @Nullable Value method(
            Syntax call, Syntax callee, Value receiver, String name, Arguments arguments, Scope frame) {
        if (receiver.may(Kind.CONTAINER)
                || receiver.isOnly(Kind.OTHER)
                || receiver.isOnly(Kind.NONE | Kind.OTHER)
                || receiver.kinds() == 0) {
            Value known = containerMethod(call, callee, receiver, name, arguments, frame);
            if (known != null) {
                return known;
            }
        }
        boolean moduleLike = receiver.may(Kind.MODULE) && !receiver.may(Kind.TENSOR);
        String text = callee.text("object");
        if (moduleLike
                || (receiver.isOnly(Kind.OTHER)
                        && (file.isUsedAsModule(text)
                                || (MODULE_NAME.matcher(lastWord(text)).find() && !name.matches("to|cuda|cpu"))))) {
            if (SELF.contains(name)) {
                return receiver.plus(Kind.MODULE).readFrom(null);
            }
            if (name.matches("(named_)?(modules|children)")) {
                HeapContainer made = flow.container(call, "", frame, false);
                made.put(Value.of(Kind.MODULE));
                return Value.holding(made);
            }
            if (name.equals("register_buffer")) {
                noteBuffer(receiver, arguments, call, frame);
            }
            if (name.equals("parameters") || name.equals("buffers") || name.startsWith("named_")) {
                HeapContainer made = flow.container(call, "", frame, false);
                made.put(Value.of(Kind.PARAMETER | Kind.TENSOR).on(Device.LIKELY_GPU));
                return Value.holding(made);
            }
            if (name.equals("state_dict")) {
                return Value.of(Kind.STATE);
            }
            if (name.equals("forward") || name.equals("__call__")) {
                return forward(call, text, Certainty.SURE, receiver, arguments, frame);
            }
            if (name.equals("generate")) {
                return Value.tensor(Device.LIKELY_GPU);
            }
            if (name.equals("load_state_dict") || name.equals("zero_grad") || name.startsWith("register_")) {
                return Value.OTHER;
            }
        }
        if (receiver.may(Kind.OPTIMIZER)) {
            return name.equals("state_dict") ? Value.of(Kind.STATE) : Value.OTHER;
        }
        if (receiver.may(Kind.METRIC)) {
            return SELF.contains(name) ? receiver.readFrom(null) : Value.tensor(Device.LIKELY_GPU);
        }
        if (receiver.may(Kind.STATE) && name.matches("items|values|copy|get")) {
            return receiver.readFrom(null);
        }
        if (name.equals("submit") && receiver.may(Kind.OTHER)) {
            Value future = Value.of(Kind.FUTURE);
            return arguments.place(0).target() instanceof FunctionModel run ? future.withTarget(run) : future;
        }
        if (name.equals("with_traceback")) {
            return Value.OTHER;
        }
        boolean tensor = receiver.may(Kind.TENSOR)
                || (receiver.may(Kind.OTHER)
                        && !receiver.may(Kind.CONTAINER)
                        && name.matches("detach|argmax|softmax|sigmoid"))
                || (receiver.isOnly(Kind.OTHER) && (name.equals("to") || FileModel.isOfTensorsOnly(name)));
        if (tensor) {
            Value made = torch.method(receiver, name, arguments, frame);
            if (!made.may(Kind.TENSOR) || (!made.hasGraph() && receiver.hasGraph() && !name.startsWith("detach"))) {
                flow.markRead(receiver);
            }
            if (name.equals("requires_grad_") && !call.text("arguments").contains("False")) {
                noteInputGrad(frame);
            }
            return receiver.may(Kind.TENSOR) || !name.equals("to") ? made : made.plus(Kind.OTHER);
        }
        FunctionModel only = receiver.isOnly(Kind.OTHER) && receiver.qualified() == null ? file.onlyMethod(name) : null;
        if (only != null && only.self() != null && !name.startsWith("__")) {
            return invoke(
                    only, call, withSelf(receiver, arguments.places()), arguments.names(), arguments.spread(), frame);
        }
        return null;
    }

    /** self.register_buffer("x", tensor) makes an attribute. */
    private void noteBuffer(Value module, Arguments arguments, Syntax call, Scope frame) {
        boolean constant =
                !arguments.nodes().isEmpty() && arguments.nodes().getFirst().is("string");
        if (constant && module.target() instanceof ClassModel model) {
            String name = Expressions.unquote(arguments.nodes().getFirst().text());
            model.attribute(name).assign(call, frame.function, Value.tensor(Device.LIKELY_GPU));
        }
    }

    private void noteInputGrad(Scope frame) {
        for (Origin origin : flow.origins()) {
            if (origin.function == frame.function) {
                origin.wantsInputGrad = true;
            }
        }
    }

    private @Nullable Value containerMethod(
            Syntax call, Syntax callee, Value receiver, String name, Arguments arguments, Scope frame) {
        Syntax object = callee.child("object");
        if (object == null) {
            return null;
        }
        boolean known = !receiver.containers().isEmpty();
        if (APPENDING.contains(name) || EXTENDING.contains(name)) {
            Set<HeapContainer> containers = expressions.containersOf(receiver, object, frame);
            List<Syntax> nodes = arguments.nodes();
            if (containers.isEmpty() || nodes.isEmpty()) {
                return null;
            }
            Value value = arguments.places().getLast();
            Value stored = EXTENDING.contains(name) ? expressions.elementOf(value) : value;
            interpreter.store(
                    FlowEvent.Way.APPEND,
                    call,
                    nodes.getLast(),
                    stored,
                    containers,
                    receiver.slot(),
                    null,
                    null,
                    null,
                    frame);
            containers.forEach(container -> container.put(stored));
            return Value.NONE;
        }
        if (REMOVING.contains(name) && (known || receiver.slot() != null)) {
            expressions.containersOf(receiver, object, frame).forEach(container -> container.removals.add(call));
        }
        if (name.equals("setdefault") && arguments.places().size() == 2) {
            Set<HeapContainer> containers = expressions.containersOf(receiver, object, frame);
            Value value = arguments.place(1);
            Syntax key = arguments.nodes().getFirst();
            if (!value.may(Kind.CONTAINER)) {
                interpreter.store(
                        FlowEvent.Way.PUT,
                        call,
                        arguments.nodes().getLast(),
                        value,
                        containers,
                        receiver.slot(),
                        key,
                        arguments.place(0),
                        null,
                        frame);
            }
            containers.forEach(container -> container.put(value));
            return value.join(expressions.elementOf(receiver)).readFrom(receiver.slot());
        }
        if (!known && receiver.items().isEmpty() && receiver.fields().isEmpty()) {
            return null;
        }
        if (name.equals("items")) {
            return pairs(call, List.of(Value.OTHER, expressions.elementOf(receiver)), frame);
        }
        if (TAKING.contains(name)) {
            Value element = expressions.elementOf(receiver);
            return name.equals("copy") || name.equals("values")
                    ? receiver.readFrom(null)
                    : name.equals("get") ? element.join(arguments.place(1)) : element;
        }
        return name.equals("update")
                        || REMOVING.contains(name)
                        || name.equals("keys")
                        || name.equals("index")
                        || name.equals("count")
                ? Value.OTHER
                : null;
    }

    private static String lastWord(String dotted) {
        String plain = dotted.replaceAll("\\[[^\\]]*\\]$", "");
        return plain.substring(plain.lastIndexOf('.') + 1);
    }

    /** Something is called that this file does not define: a module, a loss, or a function from elsewhere. */
    private Value unknown(
            Syntax call, Syntax callee, Value called, @Nullable Value receiver, Arguments arguments, Scope frame) {
        String text = callee.text();
        String word = lastWord(text);
        boolean tensors = arguments.mayBe(Kind.TENSOR, expressions);
        boolean constructed = word.matches("[A-Z]\\w*") && !called.may(Kind.MODULE);
        if (called.may(Kind.PLAIN_MODULE)) {
            return torch.plainModule(word, arguments, frame);
        }
        boolean member = receiver != null && receiver.may(Kind.MODULE) && !isSubmodule(callee, called);
        boolean passes = tensors || !arguments.sources().isEmpty();
        if (member && !(passes && PASS_NAME.matcher(word).find())) {
            return Value.OTHER;
        }
        if ((called.may(Kind.MODULE) && (!member || passes)) || (!constructed && file.isUsedAsModule(text))) {
            return forward(call, text, member ? Certainty.LIKELY : Certainty.SURE, called, arguments, frame);
        }
        boolean named = called.slot() != null || (callee.is("identifier") && called.target() == null);
        boolean variable = (named && called.qualified() == null) || callee.is("subscript");
        if (LOSS_NAME.matcher(word).find() && (variable || receiver == null)) {
            Value all = arguments
                    .combined(expressions, Value.of(Kind.TENSOR))
                    .withKinds(Kind.TENSOR)
                    .asScalar(true);
            return frame.grad == Certainty.NO ? all.detached() : all;
        }
        boolean callable = variable
                || (called.qualified() != null
                        && !word.contains("_")
                        && MODULE_NAME.matcher(word).find()
                        && receiver == null);
        if (callable && !constructed && !arguments.all().isEmpty()) {
            if (MODULE_NAME.matcher(word).find()) {
                return forward(call, text, Certainty.LIKELY, called, arguments, frame);
            }
            boolean held = called.slot() != null || callee.is("subscript");
            if (held && isUsedAsTensor(call, frame) && receiverIsPlain(callee)) {
                return forward(call, text, Certainty.LIKELY, called, arguments, frame);
            }
        }
        Value result = arguments.combined(expressions, receiver == null ? Value.OTHER : Value.OTHER.combined(receiver));
        Value made = result.withKinds(Kind.OTHER).readFrom(null);
        if (made.grad() == Certainty.SURE && receiver == null) {
            made = made.withGrad(Certainty.LIKELY);
        }
        if (receiver == null && !constructed) {
            made = made.hasGraph() ? made.withGrad(tensors ? Certainty.UNKNOWN : made.grad()) : made;
        }
        if (frame.grad == Certainty.NO) {
            made = made.detached();
        }
        return frame.loop == null ? made : made.from(Set.of(frame.loop));
    }

    /** Whether an attribute of a module is known to be a module itself, not a method that is inherited from somewhere. */
    private static boolean isSubmodule(Syntax callee, Value called) {
        boolean assigned = called.slot() != null && called.slot().value().may(Kind.MODULE);
        return assigned
                || (callee.is("attribute")
                        && MODULE_NAME.matcher(callee.text("attribute")).find())
                || callee.is("subscript");
    }

    /** x.f(y) calls a method of x; only self.f(y) may be a module that is kept in self. */
    private static boolean receiverIsPlain(Syntax callee) {
        return callee.is("identifier")
                || callee.is("subscript")
                || (callee.is("attribute") && callee.text("object").equals("self"));
    }

    /** Whether what a call gives back is used as only tensors are, right there or through the variable that it is put into. */
    private boolean isUsedAsTensor(Syntax call, Scope frame) {
        Syntax parent = call.parent();
        if (parent == null) {
            return false;
        }
        if (parent.is("attribute")) {
            return parent.text("attribute")
                    .matches(
                            "argmax|softmax|log_softmax|detach|cpu|sigmoid|logits|square|amax|tolist|item|loss|mean|sum|abs|max|min");
        }
        if (parent.is("argument_list") && parent.parent() instanceof Syntax outer && outer.is("call")) {
            String name = file.qualified(outer.text("function"));
            return name.matches("torch\\.(nn\\.functional\\.)?[a-z_]+");
        }
        if (parent.is("assignment") && parent.child("left") instanceof Syntax left && left.is("identifier")) {
            return frame.function.tensorNames.contains(left.text())
                    || frame.function.backwardNames.contains(left.text());
        }
        return false;
    }

    private Value forward(
            Syntax call, String callee, Certainty isModule, Value module, Arguments arguments, Scope frame) {
        Origin origin = flow.origin(Origin.Type.FORWARD, call, frame);
        origin.gradOn = frame.grad;
        origin.isModule = isModule;
        origin.callee = callee;
        origin.isFrozen = file.isFrozen(callee);
        Set<Object> given = arguments.sources();
        for (LoopModel loop = frame.loop; loop != null; loop = loop.outer) {
            loop.works = true;
            boolean own = given.contains(loop) && !module.sources().contains(loop);
            loop.feedsModel |= own;
            loop.isRecurrent |= given.contains(origin) && isCarried(arguments, origin);
        }
        Value input = arguments.combined(expressions, Value.of(Kind.TENSOR));
        Certainty grad = origin.isFrozen ? input.grad() : isModule;
        if (frame.grad == Certainty.NO) {
            grad = Certainty.NO;
        } else if (frame.grad == Certainty.UNKNOWN) {
            grad = Certainty.UNKNOWN;
        }
        Value result = input.withKinds(Kind.TENSOR)
                .asScalar(false)
                .withGrad(grad)
                .on(input.device() == Device.GPU ? Device.GPU : Device.LIKELY_GPU);
        if (grad != Certainty.NO) {
            result = result.withGraph(Set.of(origin));
        }
        result = result.from(Set.of(origin));
        return shaped(result, module, call, arguments, frame);
    }

    private static boolean isCarried(Arguments arguments, Origin origin) {
        return arguments.all().stream().anyMatch(argument -> argument.sources().contains(origin));
    }

    /** A module of this file gives back what its forward does: a tuple, a dict, or one tensor. */
    private Value shaped(Value result, Value module, Syntax call, Arguments arguments, Scope frame) {
        if (!(module.target() instanceof ClassModel model) || !module.may(Kind.INSTANCE)) {
            return result;
        }
        FunctionModel function = file.method(model, "forward", 0);
        if (function == null) {
            return result;
        }
        Value returned = invoke(
                function, call, withSelf(module, arguments.places()), arguments.names(), arguments.spread(), frame);
        if (returned.items().isEmpty()) {
            return result.asScalar(returned.scalar());
        }
        return result.withItems(returned.items().stream()
                .map(item -> item.may(Kind.TENSOR) ? result.asScalar(item.scalar()) : item)
                .toList());
    }

    /** The tensor in a list of lists of tensors. */
    private Value flat(Value value) {
        Value flat = value;
        for (int depth = 0; depth < 3 && flat.may(Kind.CONTAINER); depth++) {
            flat = expressions.elementOf(flat);
        }
        return flat;
    }

    /** What enumerate, tqdm, zip and the like are put around. */
    Syntax unwrapped(Syntax iterable) {
        Syntax inner = iterable;
        for (int depth = 0; depth < 4 && inner.is("call"); depth++) {
            String name = lastWord(inner.text("function"));
            Syntax arguments = inner.child("arguments");
            boolean wraps = name.matches(
                    "enumerate|tqdm|zip|iter|islice|cycle|chain|reversed|list|track|prefetch|trange|progress_bar");
            if (!wraps || arguments == null || arguments.children().isEmpty()) {
                break;
            }
            inner = arguments.children().getFirst();
        }
        return inner;
    }
}
