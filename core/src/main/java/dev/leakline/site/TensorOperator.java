package dev.leakline.site;

import java.util.Set;

/**
 * What PyTorch's operators do, as far as it tells whether a program loads or computes. Names are those of {@code at::_ops}: the operator's, then
 * its overload's ({@code native_functions.yaml}, torch 2.14).
 */
public final class TensorOperator {
    /** What an operator does. */
    public enum Use {
        /** Makes a tensor of no other, or copies, converts or arranges one: what loading does. */
        LOADS,
        /** Computes each value of one other, as loading does that normalizes, quantizes or masks; and as any program does. */
        SCALES,
        /** Computes. */
        COMPUTES,
        /** No operator is known. */
        UNKNOWN
    }

    private static final Set<String> LOADING = Set.of(
            ("empty new_empty empty_like empty_strided new_empty_strided zeros new_zeros zeros_like ones new_ones ones_like "
                            + "full new_full full_like rand rand_like randn randn_like randint randint_like randperm normal "
                            + "bernoulli arange range linspace logspace eye scalar_tensor from_file tril_indices triu_indices "
                            + "to _to_copy copy _copy_from clone contiguous lift lift_fresh detach_copy pin_memory _pin_memory alias_copy "
                            + "resize set set_data index index_select gather take masked_select narrow_copy slice_copy select_copy "
                            + "cat concat concatenate stack hstack vstack dstack pad constant_pad_nd flip roll repeat repeat_interleave tile "
                            + "expand_copy view_copy permute_copy transpose_copy t_copy reshape flatten split_copy unbind_copy "
                            + "split_with_sizes_copy tensor_split unfold_copy nested_tensor one_hot "
                            + "quantize_per_tensor quantize_per_channel quantize_per_tensor_dynamic dequantize "
                            + "to_sparse to_dense to_mkldnn _to_dense _to_sparse _convert_weight_to_int4pack")
                    .split(" "));

    private static final Set<String> SCALING = Set.of(
            ("add sub rsub mul div floor_divide remainder fmod neg abs sign round floor ceil trunc clamp clamp_min clamp_max "
                            + "sqrt rsqrt reciprocal pow square where masked_fill tril triu "
                            + "eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor bitwise_not "
                            + "__and__ __or__ __lshift__ __rshift__ logical_and logical_or logical_not amax amin aminmax")
                    .split(" "));

    private TensorOperator() {}

    /** What the operator of a name does, such as {@code cumsum} or {@code add_Tensor}; unknown where the name is empty. */
    public static Use use(String name) {
        if (name.isEmpty()) {
            return Use.UNKNOWN;
        }
        return isOf(LOADING, name) ? Use.LOADS : isOf(SCALING, name) ? Use.SCALES : Use.COMPUTES;
    }

    /** Whether a name is one of some operators' or that of an overload of one. */
    private static boolean isOf(Set<String> operators, String name) {
        for (int end = name.length(); end > 0; end = name.lastIndexOf('_', end - 1)) {
            if (operators.contains(name.substring(0, end))) {
                return true;
            }
        }
        return false;
    }
}
