package dev.leakline.lint.names;

import dev.leakline.python.flow.NameSets;
import java.util.regex.Pattern;

/** Knowledge of what people's own names tell: methods of modules and of tensors, hooks that a framework calls, bases of classes. */
public final class CodeNames {

    /** Functions that trainers call at each epoch, evaluation or checkpoint of one training. */
    private static final Pattern EVENT = Pattern.compile(
            "^(on_(evaluate|predict|save|save_checkpoint|validation_(start|end)|((train|validation)_)?epoch_(begin|start|end))"
                    + "|(training|validation)_epoch_end|evaluate|evaluation_loop|prediction_loop)$");

    private static final Pattern ROUTE = Pattern.compile(
            "\\.(get|post|put|patch|delete|websocket|route|task|api_route|on_message|subscriber|handler)\\b");
    /** Bases from elsewhere that are modules, by the names that such classes have. */
    private static final Pattern MODULE_BASE = Pattern.compile(
            "(?<!^Base)(Model|Module|Layer|Attention|Block|Encoder|Decoder|Head|Generation|ForCausalLM|Classification|Segmentation|Detection|Backbone)$");

    /** A first word that is a verb: a function or method that does something, whatever its last word is. */
    private static final Pattern ACTION = Pattern.compile(
            "^_*(get|set|load|save|make|build|create|init|add|remove|find|unwrap|wrap|resolve|serialize|benchmark|call|convert|prepare|register"
                    + "|export|import|compile|update|freeze|unfreeze|check|is|has|download|fetch|move|apply|from|to|parse|read|write|print|log"
                    + "|copy|clone|patch|replace|swap|switch|select|choose|count|list|validate|test|configure|setup|install|trace|script"
                    + "|quantize|fuse|shard|merge|split|convert|reset|delete|return|ensure|should|do|on)_");
    /** Common names of parameters that are functions. */
    private static final Pattern FUNCTION = Pattern.compile(
            "(?i)(^|_)(fn|fun|func|function|funcs|op|callback|callable|closure|method|handler|hook|factory|transform|transformer)$");

    /** Type hints that may be, or hold, a tensor: those that name one, that say nothing, and names that may stand for anything. */
    private static final Pattern TENSOR_HINT = Pattern.compile(
            "Tensor|Array|Any\\b|object\\b|Variable|Parameter|Module\\b|\\b[A-Z]\\b|Type|Output|Batch|Loss|Input|Callable|Self\\b|Model\\b|Union\\b");

    /** Two packages of one content. */
    private static final Pattern LIGHTNING = Pattern.compile("^lightning(\\.pytorch)?\\b");

    /** Functions of torch itself that give types, numbers, shapes or nothing. */
    private static final Pattern NO_TENSOR = Pattern.compile(
            "^(set|get|is|use|sym|are|init|can|compiler|promote|result_type)_|^(Size|Stream|Event|Generator|SymInt|SymFloat|SymBool|UntypedStorage|TypedStorage"
                    + "|ScriptObject|Type|finfo|iinfo|typename|compile|vmap|cond|save|seed|initial_seed|broadcast_shapes|can_cast|promote_types"
                    + "|result_type|autocast|profiler|fork|wait|check|numel|memory_format)$|^_(check|assert)|Graph$|(?<!Tensor)(Config|Type|Error|Module|Storage|Hook|Mode|Dict|List)$");

    private static final Pattern LOSS =
            Pattern.compile("loss|cross_entropy|kl_div|nll|mse|triplet|huber", Pattern.CASE_INSENSITIVE);

    private static final Pattern PLAIN = Pattern.compile(
            "Loss$|^(Log)?(Soft(max|min|plus|sign)|Sigmoid)|^(ReLU|GELU|SiLU|ELU|Tanh|Identity|Flatten|Unflatten|Dropout|Upsample|CosineSimilarity|PairwiseDistance)|Pool\\dd$|Pad\\dd$|Shuffle$");

    private CodeNames() {}

    /** Returns whether a name says that it does something: {@code load_model} is no model. */
    public static boolean isAction(String name) {
        return ACTION.matcher(name).find();
    }

    /** Returns whether a type hint names a class that is no tensor's. */
    public static boolean isOtherType(String hint) {
        return !TENSOR_HINT.matcher(hint).find();
    }

    /** Returns whether a variable is, by its name, a number or a truth value. */
    public static boolean isOfFlag(String name) {
        int start = name.startsWith("_") ? 1 : 0;
        int end = name.indexOf('_', start);
        return end > 0 && NameSets.has("FLAGS", name.substring(start, end));
    }

    /** Returns whether it is called as functions are that somebody passes. */
    public static boolean isOfFunction(String name) {
        return FUNCTION.matcher(name).find();
    }

    /** Methods that a trainer calls again and again, if not in every step. */
    public static boolean isEvent(String method) {
        return NameSets.has("STEP_HOOKS", method) || EVENT.matcher(method).find();
    }

    /** Methods that register a hook, and give its handle. */
    public static boolean isHookRegistration(String method) {
        return method.startsWith("register_") && method.endsWith("hook");
    }

    /** Decorators of what is called for every request. */
    public static boolean isRoute(String decorator) {
        return ROUTE.matcher(decorator).find();
    }

    /** Classes from elsewhere that are modules, by the names that such classes have. */
    public static boolean isModuleBase(String type) {
        return MODULE_BASE.matcher(type).find();
    }

    /** One name for packages of one content. */
    public static String canonical(String name) {
        return name.startsWith("lightning") ? LIGHTNING.matcher(name).replaceFirst("pytorch_lightning") : name;
    }

    /** Functions and types right in torch whose results are no tensors. */
    public static boolean isNoTensor(String name) {
        return NO_TENSOR.matcher(name).find();
    }

    public static boolean isLoss(String name) {
        return LOSS.matcher(name).find();
    }

    /** Modules without parameters. */
    public static boolean isPlainModule(String type) {
        return PLAIN.matcher(type).find();
    }
}
