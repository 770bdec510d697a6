package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.NameSets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Calls of modules, and of what this file does not define and may be a module: each is a forward pass that a graph hangs on. */
final class Passes {
    /** The last word of common names of modules: evidence, but no proof. */
    private static final Pattern MODULE_NAME = Pattern.compile(
            "(?i)(^|_)(ddp_|ema_|base_)?(model|net|network|backbone|encoder|decoder|policy|actor|critic|generator|discriminator|teacher|student|head|cell|transformer|unet|vae|classifier|embedder|predictor|tower|trunk|rnn|lstm|gru|cnn|mlp|vit|bert|llm|lm|agent_net|netg|netd|gen|disc|q_net|detector|segmenter|extractor|layer|module|reranker|ranker|scorer|learner)(_?[a-z0-9])?$");

    private static final Pattern LOSS_NAME =
            Pattern.compile("(?i)(criterion|loss|objective|loss_fn|loss_func|crit)(_fn|_func|_function)?$");
    /** Methods of a module that run a part of it. */
    private static final Pattern PASS_NAME =
            Pattern.compile("(?i)encode|embed|feature|extract|predict|score|decode|infer|step|logits|forward|hidden|"
                    + MODULE_NAME.pattern());

    /** Common names of results of a pass, as in {@code get_image_features}. */
    private static final Pattern RESULT_NAME = Pattern.compile("(?i)feature|embedding|logits|hidden");

    private static final Pattern CLASS_NAME = Pattern.compile("[A-Z]\\w*");
    private static final Pattern TORCH_FUNCTION = Pattern.compile("torch\\.(nn\\.functional\\.)?[a-z_]+");
    private static final Pattern INDEX = Pattern.compile("\\[[^\\[\\]]*\\]$");

    /** Earlier matches of the patterns, by name: a file calls few names, and those often. */
    private final Map<String, Boolean> moduleNames = new HashMap<>();

    private final Map<String, Boolean> lossNames = new HashMap<>();
    private final Map<String, Boolean> actions = new HashMap<>();
    private final Calls calls;
    private final Expressions expressions;
    private final FileModel file;
    private final Flow flow;

    Passes(Calls calls) {
        this.calls = calls;
        this.expressions = calls.expressions;
        this.file = expressions.file;
        this.flow = expressions.flow;
    }

    /** Something is called that this file does not define: a module, a loss, or a function from elsewhere. */
    Value unknown(
            Expr.Call call, Expr callee, Value called, @Nullable Value receiver, Arguments arguments, Scope frame) {
        String text = file.text(callee);
        String word = lastWord(text);
        boolean tensors = arguments.mayBe(Kind.TENSOR, expressions);
        boolean constructed = CLASS_NAME.matcher(word).matches() && !called.may(Kind.MODULE);
        if (called.may(Kind.PLAIN_MODULE)) {
            return calls.torch.plainModule(word, arguments, frame);
        }
        boolean member = receiver != null && receiver.may(Kind.MODULE) && !isSubmodule(callee, called);
        boolean passes = tensors || !arguments.sources().isEmpty();
        if (member && !(passes && isPass(word))) {
            return Value.OTHER;
        }
        boolean known =
                !arguments.all().isEmpty() || called.target() != null || receiver == null || isOwn(callee, frame);
        if ((called.may(Kind.MODULE) && known && (!member || passes)) || (!constructed && file.isUsedAsModule(text))) {
            return forward(call, text, member ? Certainty.LIKELY : Certainty.SURE, called, arguments, frame);
        }
        boolean named = called.slot() != null || (callee instanceof Expr.Name && called.target() == null);
        boolean variable = (named && called.qualified() == null) || callee instanceof Expr.Subscript;
        if (lossNames.computeIfAbsent(word, name -> LOSS_NAME.matcher(name).find()) && (variable || receiver == null)) {
            Value all = arguments
                    .combined(expressions, Value.of(Kind.TENSOR))
                    .withKinds(Kind.TENSOR)
                    .asScalar(true);
            return frame.grad == Certainty.NO ? all.detached() : all;
        }
        boolean callable = variable
                || (called.qualified() != null && !word.contains("_") && isModuleName(word) && receiver == null);
        boolean passable = callable && !constructed && !called.may(Kind.FUNCTION);
        if (passable && !isAction(word) && mayTakeTensors(arguments)) {
            if (isModuleName(word)) {
                return forward(call, text, Certainty.LIKELY, called, arguments, frame);
            }
            boolean held = called.slot() != null || callee instanceof Expr.Subscript;
            if (held
                    && receiverIsPlain(callee, called, frame)
                    && isUsedAsTensor(call, frame)
                    && !CodeNames.isOfFunction(word)) {
                return forward(call, text, Certainty.LIKELY, called, arguments, frame);
            }
        }
        if (callee instanceof Expr.Attribute method
                && receiver != null
                && receiver.isOnly(Kind.OTHER)
                && tensors
                && isNamedAsModule(file.text(method.value()))
                && isPass(word)) {
            return forward(call, text, Certainty.UNKNOWN, called, arguments, frame);
        }
        Value result = arguments.combined(expressions, receiver == null ? Value.OTHER : Value.OTHER.combined(receiver));
        Value made = result.withKinds(Kind.OTHER).readFrom(null);
        if (made.grad() == Certainty.SURE && (receiver == null || !receiver.may(Kind.DISTRIBUTION))) {
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

    /** Returns whether a method of a module, by its name, runs a part of it: {@code encode}, {@code get_image_features}, not {@code get_encoder}. */
    private boolean isPass(String word) {
        return isAction(word)
                ? RESULT_NAME.matcher(word).find()
                : PASS_NAME.matcher(word).find();
    }

    private static boolean isOwn(Expr callee, Scope frame) {
        return callee instanceof Expr.Attribute it
                && it.value() instanceof Expr.Name object
                && object.id().equals(selfAround(frame.function));
    }

    /** Returns whether an attribute of a module is known to be a module itself, not a method that is inherited from somewhere. */
    private boolean isSubmodule(Expr callee, Value called) {
        boolean assigned = called.slot() != null && called.slot().value().may(Kind.MODULE);
        return assigned
                || (callee instanceof Expr.Attribute it && isModuleName(it.attr()))
                || callee instanceof Expr.Subscript;
    }

    /** Returns whether something is given that is more than a number, a text or a shape. */
    private boolean mayTakeTensors(Arguments arguments) {
        return arguments.all().stream()
                .map(expressions::flat)
                .anyMatch(argument -> argument.may(~(Kind.NONE | Kind.NUMBER | Kind.TEXT | Kind.DEVICE)));
    }

    /** x.f(y) calls a method of x; only self.f(y) may be a module that is kept in self. */
    private static boolean receiverIsPlain(Expr callee, Value called, Scope frame) {
        return callee instanceof Expr.Name
                || callee instanceof Expr.Subscript
                || (isOwn(callee, frame)
                        && called.slot() != null
                        && !called.slot().assignments().isEmpty());
    }

    /** The name of the object in a method, or in a function within one; null outside of classes. */
    private static @Nullable String selfAround(FunctionModel function) {
        for (FunctionModel outer = function; outer != null; outer = outer.outer) {
            if (outer.self() != null) {
                return outer.self();
            }
        }
        return null;
    }

    /** Returns whether what a call gives back is used as only tensors are, right there or through the variable that it is put into. */
    private boolean isUsedAsTensor(Expr.Call call, Scope frame) {
        return switch (file.source().parent(call)) {
            case Expr.Attribute it -> NameSets.has("USES_OF_RESULTS", it.attr());
            case Expr.Call outer -> TORCH_FUNCTION.matcher(file.callee(outer)).matches();
            case Stmt.Assign it -> isTensorName(it.targets().getLast(), frame.function);
            case Stmt.AnnAssign it -> isTensorName(it.target(), frame.function);
            case null, default -> false;
        };
    }

    private static boolean isTensorName(Expr target, FunctionModel function) {
        return target instanceof Expr.Name it
                && (function.tensorNames.contains(it.id()) || function.backwardNames.contains(it.id()));
    }

    Value forward(Expr.Call call, String callee, Certainty isModule, Value module, Arguments arguments, Scope frame) {
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
    private Value shaped(Value result, Value module, Expr.Call call, Arguments arguments, Scope frame) {
        if (!(module.target() instanceof ClassModel model) || !module.may(Kind.INSTANCE)) {
            return result;
        }
        FunctionModel function = file.method(model, "forward");
        if (function == null) {
            return result;
        }
        Value returned = calls.invocations.invoke(function, call, arguments.withSelf(module), frame);
        if (returned.items().isEmpty()) {
            return result.asScalar(returned.scalar());
        }
        return result.withItems(returned.items().stream()
                .map(item -> item.may(Kind.TENSOR) ? result.asScalar(item.scalar()) : item.onGraphOf(result))
                .toList());
    }

    static String lastWord(String dotted) {
        String plain = dotted.endsWith("]") ? INDEX.matcher(dotted).replaceFirst("") : dotted;
        return plain.substring(plain.lastIndexOf('.') + 1);
    }

    boolean isNamedAsModule(String dotted) {
        return isModuleName(lastWord(dotted));
    }

    private boolean isModuleName(String word) {
        return moduleNames.computeIfAbsent(
                word, name -> MODULE_NAME.matcher(name).find() && !CodeNames.isAction(name));
    }

    private boolean isAction(String word) {
        return actions.computeIfAbsent(word, CodeNames::isAction);
    }
}
