package dev.leakline.python.flow;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results of functions of torch, and of Python's own modules, by name. */
final class TorchResults {
    private static final Set<String> TUPLE_LAYERS = Names.of("TUPLE_LAYERS");
    private static final Set<String> PLAIN_FUNCTIONS = Names.of("PLAIN_FUNCTIONS");
    /** Functions that give several tensors, or something unknown. */
    private static final Set<String> OTHER_FUNCTIONS = Names.of("OTHER_FUNCTIONS");
    private static final Set<String> SEVERAL = Names.of("SEVERAL");
    private static final Set<String> PLAIN_METHODS = Names.of("PLAIN_METHODS");
    private static final Set<String> PLAIN_ATTRIBUTES = Names.of("PLAIN_ATTRIBUTES");
    /** Methods that give the same memory, or a part of it. */
    private static final Set<String> VIEWS = Names.of("VIEWS");
    /** Methods that tensors have, and little else that a line of a model gives: a value with one of these is a tensor. */
    private static final Set<String> TENSOR_METHODS = Names.of("TENSOR_METHODS");
    private static final Set<String> TENSOR_ONLY = Names.of("TENSOR_ONLY");
    private static final Set<String> LET_GO = Names.of("LET_GO");
    private static final Set<String> PLAIN_BUILTINS = Names.of("PLAIN_BUILTINS");
    private static final Set<String> MAPPINGS = Names.of("MAPPINGS");
    private static final Set<String> HOLDERS = Names.of("HOLDERS");
    private static final Set<String> QUEUES = Names.of("QUEUES");

    private TorchResults() {}

    static boolean isQueue(String name) {
        return QUEUES.contains(name);
    }

    static boolean isHolder(String name) {
        return HOLDERS.contains(name);
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
