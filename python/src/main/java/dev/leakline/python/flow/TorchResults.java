package dev.leakline.python.flow;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results of functions of torch, and of Python's own modules, by name. */
final class TorchResults {
    private static final Set<String> TUPLE_LAYERS = Set.of("LSTM", "GRU", "RNN", "LSTMCell", "MultiheadAttention");
    private static final Set<String> PLAIN_FUNCTIONS = Set.of(
            "is_tensor",
            "no_grad",
            "enable_grad",
            "inference_mode",
            "device",
            "Generator",
            "manual_seed",
            "save",
            "Size",
            "numel",
            "autocast",
            "set_grad_enabled",
            "is_grad_enabled",
            "allclose",
            "equal");
    /** Functions that give several tensors, or something unknown. */
    private static final Set<String> OTHER_FUNCTIONS = Set.of(
            "load",
            "compile",
            "jit",
            "chunk",
            "split",
            "unbind",
            "topk",
            "sort",
            "svd",
            "qr",
            "max",
            "min",
            "median",
            "mode",
            "meshgrid",
            "tensor_split",
            "unique",
            "nonzero",
            "broadcast_tensors",
            "var_mean",
            "std_mean",
            "slogdet",
            "lu",
            "eig",
            "eigh",
            "frexp",
            "kthvalue",
            "cummax",
            "cummin",
            "histogram",
            "aminmax",
            "where");

    private static final Set<String> SEVERAL =
            Set.of("chunk", "split", "unbind", "tensor_split", "hsplit", "vsplit", "topk", "sort", "aminmax");
    private static final Set<String> PLAIN_METHODS = Set.of(
            "item",
            "tolist",
            "size",
            "numel",
            "dim",
            "numpy",
            "is_contiguous",
            "data_ptr",
            "stride",
            "get_device",
            "element_size",
            "nelement",
            "backward",
            "register_hook",
            "requires_grad_",
            "storage_offset",
            "is_floating_point");
    private static final Set<String> PLAIN_ATTRIBUTES =
            Set.of("shape", "device", "dtype", "ndim", "is_cuda", "requires_grad", "layout", "nbytes", "is_leaf");
    /** Methods that give the same memory, or a part of it. */
    private static final Set<String> VIEWS = Set.of(
            "view",
            "reshape",
            "squeeze",
            "unsqueeze",
            "t",
            "transpose",
            "permute",
            "flatten",
            "contiguous",
            "expand",
            "narrow",
            "select",
            "detach",
            "T",
            "data",
            "chunk",
            "split",
            "unbind",
            "unfold",
            "view_as",
            "expand_as",
            "movedim",
            "diagonal",
            "real",
            "mT",
            "requires_grad_",
            "to",
            "float",
            "cuda");
    /** Methods that tensors have, and little else that a line of a model gives: a value with one of these is a tensor. */
    private static final Set<String> TENSOR_METHODS = Set.of(
            "mean",
            "sum",
            "relu",
            "softmax",
            "log_softmax",
            "sigmoid",
            "tanh",
            "detach",
            "square",
            "sqrt",
            "abs",
            "exp",
            "log",
            "argmax",
            "norm",
            "clamp",
            "view",
            "reshape",
            "permute",
            "transpose",
            "squeeze",
            "unsqueeze",
            "flatten",
            "logsumexp",
            "clone",
            "contiguous",
            "pow",
            "matmul",
            "std",
            "var");

    private static final Set<String> TENSOR_ONLY = Set.of(
            "detach",
            "clone",
            "relu",
            "softmax",
            "log_softmax",
            "sigmoid",
            "logsumexp",
            "permute",
            "unsqueeze",
            "contiguous");
    private static final Set<String> LET_GO =
            Set.of("item", "tolist", "cpu", "numpy", "size", "numel", "dim", "shape", "device", "dtype", "ndim");
    private static final Set<String> PLAIN_BUILTINS = Set.of(
            "float",
            "int",
            "len",
            "str",
            "repr",
            "bool",
            "id",
            "hash",
            "type",
            "isinstance",
            "range",
            "print",
            "format",
            "hasattr",
            "callable",
            "ord",
            "all",
            "any");
    private static final Set<String> MAPPINGS = Set.of(
            "dict",
            "collections.OrderedDict",
            "collections.Counter",
            "weakref.WeakKeyDictionary",
            "weakref.WeakValueDictionary");
    private static final Set<String> QUEUES = Set.of(
            "queue.Queue",
            "queue.SimpleQueue",
            "queue.LifoQueue",
            "asyncio.Queue",
            "multiprocessing.Queue",
            "multiprocessing.SimpleQueue");

    private TorchResults() {}

    static boolean isQueue(String name) {
        return QUEUES.contains(name);
    }

    static boolean isMapping(String name) {
        return MAPPINGS.contains(name);
    }

    /** The result of a call by a full name; null where it is none of these. */
    static @Nullable FlowValue called(String name) {
        int dot = name.lastIndexOf('.');
        String last = name.substring(dot + 1);
        if (dot < 0) {
            return PLAIN_BUILTINS.contains(name) ? FlowValue.PLAINS : null;
        }
        if (name.startsWith("torch.nn.functional.")) {
            return FlowValue.TENSORS;
        }
        if (name.startsWith("torch.nn.") && Character.isUpperCase(last.charAt(0))) {
            boolean isParameter = last.equals("Parameter");
            return TUPLE_LAYERS.contains(last)
                    ? FlowValue.of(FlowValue.TUPLE_LAYER)
                    : isParameter ? FlowValue.TENSORS : FlowValue.of(FlowValue.LAYER);
        }
        if (name.startsWith("torch.linalg.") || name.startsWith("torch.fft.")) {
            return FlowValue.ANY;
        }
        boolean isOfTorch = name.startsWith("torch.") && dot == "torch".length();
        if (isOfTorch && !OTHER_FUNCTIONS.contains(last)) {
            return PLAIN_FUNCTIONS.contains(last)
                    ? FlowValue.PLAINS
                    : Character.isLowerCase(last.charAt(0)) ? FlowValue.TENSORS : FlowValue.ANY;
        }
        return name.startsWith("time.") || name.startsWith("math.") ? FlowValue.PLAINS : null;
    }

    /** The value of a method or an attribute of a tensor. */
    static FlowValue ofTensor(String name) {
        return PLAIN_METHODS.contains(name) || PLAIN_ATTRIBUTES.contains(name)
                ? FlowValue.PLAINS
                : isSeveral(name) || name.equals("max") || name.equals("min") ? FlowValue.ANY : FlowValue.TENSORS;
    }

    /** Returns whether a method says that what it is called on is a tensor; {@code isLikely} where a line that makes tensors makes it. */
    static boolean isTensorMethod(String name, boolean isLikely) {
        return TENSOR_ONLY.contains(name) || (isLikely && TENSOR_METHODS.contains(name));
    }

    static boolean isSeveral(String name) {
        return SEVERAL.contains(name);
    }

    static boolean isView(String name) {
        return VIEWS.contains(name);
    }

    /** Returns whether a method or attribute gives a number or a copy in CPU memory. */
    static boolean isLetGo(String name) {
        return LET_GO.contains(name);
    }

    static boolean isPlainBuiltin(String name) {
        return PLAIN_BUILTINS.contains(name);
    }
}
