package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Quantity;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a trainer means by a name that says too little, known by another name that the trainer prints beside it.
 *
 * @param name the name, in small letters
 * @param companion the other name
 * @param quantity what is printed
 */
record Convention(String name, String companion, Quantity quantity) {
    private static final List<Convention> ALL = List.of(
            new Convention(
                    "memory", "data_time", Quantity.PEAK_ALLOCATED), // mmcv and mmengine: max_memory_allocated() in MiB
            new Convention("mem", "grad_norm", Quantity.PEAK_ALLOCATED), // Swin Transformer and its heirs: the same
            new Convention("memory", "tps", Quantity.PEAK_RESERVED)); // torchtitan: since the last line

    /** What a name means by convention, or null; {@code isThere} tells whether another name stands beside it. */
    static @Nullable Quantity of(String name, Predicate<String> isThere) {
        for (Convention convention : ALL) {
            if (convention.name.equalsIgnoreCase(name) && isThere.test(convention.companion)) {
                return convention.quantity;
            }
        }
        return null;
    }
}
