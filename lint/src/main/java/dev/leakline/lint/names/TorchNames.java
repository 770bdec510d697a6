package dev.leakline.lint.names;

import java.util.Set;
import java.util.regex.Pattern;

/** Knowledge of functions, methods and types of PyTorch, by their names. */
public final class TorchNames {
    private static final Set<String> NUMBERS = CodeNames.words(
            "item tolist numpy size dim numel stride storage_offset is_contiguous data_ptr element_size ndimension "
                    + "is_floating_point __len__ __float__ __int__ any_item");
    /** Their results are indexes or booleans, which have no graph. */
    private static final Set<String> WITHOUT_GRAPH = CodeNames.words(
            "argmax argmin argsort eq ne lt le gt ge isnan isinf isfinite nonzero long int bool byte short bincount histc "
                    + "multinomial any all allclose equal sign logical_and logical_or logical_not isin unique bernoulli count_nonzero "
                    + "new_zeros new_ones new_empty new_full new_tensor");

    private static final Set<String> WITH_INDEXES =
            CodeNames.words("max min topk sort median mode kthvalue cummax cummin");
    private static final Set<String> REDUCING =
            CodeNames.words("mean sum max min norm std var prod amax amin median logsumexp dot trace");
    private static final Set<String> CREATING = CodeNames.words(
            "zeros ones randn rand empty full arange linspace eye tensor randint as_tensor from_numpy randperm normal "
                    + "logspace hann_window hamming_window scalar_tensor asarray range frombuffer complex sparse_coo_tensor "
                    + "FloatTensor LongTensor Tensor IntTensor BoolTensor");
    private static final Set<String> LIKE =
            Set.of("zeros_like", "ones_like", "randn_like", "rand_like", "empty_like", "full_like", "randint_like");
    private static final Set<String> CONCATENATING = CodeNames.words(
            "torch.cat torch.concat torch.concatenate torch.stack torch.hstack torch.vstack torch.dstack torch.column_stack "
                    + "torch.row_stack");
    /** Fields of the outputs of transformers' models that are tuples or caches of tensors. */
    private static final Set<String> GATHERED_OUTPUTS = CodeNames.words(
            "past_key_values hidden_states attentions cross_attentions encoder_hidden_states encoder_attentions "
                    + "decoder_hidden_states decoder_attentions mems");

    /** Functions of torch itself that give types, numbers, shapes or nothing. */
    private static final Pattern NO_TENSOR = Pattern.compile(
            "^(set|get|is|use|sym|are|init|can|compiler|promote|result_type)_|^(Size|Stream|Event|Generator|SymInt|SymFloat|SymBool|UntypedStorage|TypedStorage"
                    + "|ScriptObject|Type|finfo|iinfo|typename|compile|vmap|cond|save|seed|initial_seed|broadcast_shapes|can_cast|promote_types"
                    + "|result_type|autocast|profiler|fork|wait|check|numel|memory_format)$|^_(check|assert)|Graph$|(?<!Tensor)(Config|Type|Error|Module|Storage|Hook|Mode|Dict|List)$");

    private static final Pattern LOSS =
            Pattern.compile("loss|cross_entropy|kl_div|nll|mse|triplet|huber", Pattern.CASE_INSENSITIVE);
    private static final Pattern PLAIN = Pattern.compile(
            "Loss$|^(Log)?(Soft(max|min|plus|sign)|Sigmoid)|^(ReLU|GELU|SiLU|ELU|Tanh|Identity|Flatten|Unflatten|Dropout|Upsample|CosineSimilarity|PairwiseDistance)|Pool\\dd$|Pad\\dd$|Shuffle$");

    private TorchNames() {}

    /** Fields of a model's output that hold tensors and are none: they have no {@code cpu()} or {@code detach()}. */
    public static boolean isGatheredOutput(String attribute) {
        return GATHERED_OUTPUTS.contains(attribute);
    }

    /** Methods of tensors that give numbers. */
    public static boolean isNumber(String method) {
        return NUMBERS.contains(method);
    }

    /** Methods and functions whose results have no graph. */
    public static boolean isWithoutGraph(String name) {
        return WITHOUT_GRAPH.contains(name);
    }

    /** Returns whether a function gives values and where these were, if it is told a dimension. */
    public static boolean isWithIndexes(String name) {
        return WITH_INDEXES.contains(name);
    }

    /** Returns whether a function gives one number, if it is told nothing. */
    public static boolean isReducing(String name) {
        return REDUCING.contains(name);
    }

    /** Functions that make a tensor of numbers. */
    public static boolean isCreating(String function) {
        return CREATING.contains(function);
    }

    /** Functions that make a tensor like another. */
    public static boolean isLike(String function) {
        return LIKE.contains(function);
    }

    public static boolean isConcatenation(String qualified) {
        return CONCATENATING.contains(qualified);
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
