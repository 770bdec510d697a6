package dev.leakline.lint.names;

import java.util.Set;
import java.util.regex.Pattern;

/** Knowledge of what people's own names tell: methods of modules and of tensors, hooks that a framework calls, bases of classes. */
public final class CodeNames {
    private static final Set<String> MODULE_METHODS = words(
            "parameters named_parameters modules named_modules children named_children eval train register_forward_hook "
                    + "register_forward_pre_hook register_full_backward_hook");
    /** Methods that tensors have and hardly anything else. */
    private static final Set<String> TENSOR_METHODS = words(
            "argmax softmax log_softmax detach backward cpu cuda sigmoid unsqueeze squeeze view permute requires_grad_ item "
                    + "tolist square amax masked_fill topk logsumexp tanh relu exp expand numel clamp contiguous norm flatten chunk "
                    + "double");

    /** Methods that tensors have and NumPy's arrays lack. */
    private static final Set<String> NO_NUMPY_METHODS = words(
            "softmax log_softmax detach cuda sigmoid unsqueeze permute requires_grad_ square amax masked_fill topk "
                    + "logsumexp tanh relu contiguous chunk numel triu tril argmax");

    private static final Set<String> STEP_HOOKS = words(
            "training_step validation_step test_step predict_step compute_loss prediction_step on_step_begin on_step_end "
                    + "on_substep_end on_pre_optimizer_step on_optimizer_step on_log on_prediction_step on_train_batch_start "
                    + "on_train_batch_end on_validation_batch_start on_validation_batch_end on_test_batch_end on_predict_batch_end "
                    + "on_before_backward on_after_backward on_before_optimizer_step on_before_zero_grad optimizer_step");
    /** Functions that trainers call at each epoch, evaluation or checkpoint of one training. */
    private static final Pattern EVENT = Pattern.compile(
            "^(on_(evaluate|predict|save|save_checkpoint|validation_(start|end)|((train|validation)_)?epoch_(begin|start|end))"
                    + "|(training|validation)_epoch_end|evaluate|evaluation_loop|prediction_loop)$");

    private static final Set<String> FLAGS = words("is has num should use");
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

    private CodeNames() {}

    /** Words that blanks divide. */
    static Set<String> words(String text) {
        return Set.of(text.split(" ", -1));
    }

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
        return end > 0 && FLAGS.contains(name.substring(start, end));
    }

    /** Returns whether it is called as functions are that somebody passes. */
    public static boolean isOfFunction(String name) {
        return FUNCTION.matcher(name).find();
    }

    /** Methods that modules have and hardly anything else. */
    public static boolean isOfModules(String method) {
        return MODULE_METHODS.contains(method);
    }

    /** Methods that tensors have and hardly anything else. */
    public static boolean isOfTensors(String method) {
        return TENSOR_METHODS.contains(method);
    }

    /** Methods that tensors have and NumPy's arrays lack. */
    public static boolean isOfTensorsOnly(String method) {
        return NO_NUMPY_METHODS.contains(method);
    }

    /** Methods that a trainer calls in every step. */
    public static boolean isStepHook(String method) {
        return STEP_HOOKS.contains(method);
    }

    /** Methods that a trainer calls again and again, if not in every step. */
    public static boolean isEvent(String method) {
        return isStepHook(method) || EVENT.matcher(method).find();
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
}
