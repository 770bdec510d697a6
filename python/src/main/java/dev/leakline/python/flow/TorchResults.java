package dev.leakline.python.flow;

import org.jspecify.annotations.Nullable;

/** Results of functions of torch, and of Python's own modules, by name. */
final class TorchResults {
    private TorchResults() {}

    /** The result of a call by a full name; null where it is none of these. */
    static @Nullable FlowValue called(String name) {
        int dot = name.lastIndexOf('.');
        String last = name.substring(dot + 1);
        if (dot < 0) {
            return NameSets.has("PLAIN_BUILTINS", name) ? FlowValue.PLAINS : null;
        }
        if (name.startsWith("torch.nn.functional.")) {
            return FlowValue.TENSORS;
        }
        if (name.startsWith("torch.nn.") && Character.isUpperCase(last.charAt(0))) {
            boolean isParameter = last.equals("Parameter");
            return NameSets.has("TUPLE_LAYERS", last)
                    ? FlowValue.of(FlowValue.TUPLE_LAYER)
                    : isParameter ? FlowValue.TENSORS : FlowValue.of(FlowValue.LAYER);
        }
        if (name.startsWith("torch.linalg.") || name.startsWith("torch.fft.")) {
            return FlowValue.ANY;
        }
        boolean isOfTorch = name.startsWith("torch.") && dot == "torch".length();
        if (isOfTorch && !NameSets.has("OTHER_FUNCTIONS", last)) {
            return NameSets.has("PLAIN_FUNCTIONS", last)
                    ? FlowValue.PLAINS
                    : Character.isLowerCase(last.charAt(0)) ? FlowValue.TENSORS : FlowValue.ANY;
        }
        return name.startsWith("time.") || name.startsWith("math.") ? FlowValue.PLAINS : null;
    }

    /** The value of a method or an attribute of a tensor. */
    static FlowValue ofTensor(String name) {
        return NameSets.has("PLAIN_METHODS", name) || NameSets.has("PLAIN_ATTRIBUTES", name)
                ? FlowValue.PLAINS
                : NameSets.has("SEVERAL", name) || name.equals("max") || name.equals("min")
                        ? FlowValue.ANY
                        : FlowValue.TENSORS;
    }

    /** Returns whether a method says that what it is called on is a tensor; {@code isLikely} where a line that makes tensors makes it. */
    static boolean isTensorMethod(String name, boolean isLikely) {
        return NameSets.has("TENSOR_ONLY", name) || (isLikely && NameSets.has("TENSOR_METHODS", name));
    }
}
