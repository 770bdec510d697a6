package dev.leakline.allocator;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The keys of PYTORCH_CUDA_ALLOC_CONF, with the first version that knows each. Source: {@code CUDAAllocatorConfig.cpp} of 1.13 to 2.6,
 * {@code AcceleratorAllocatorConfig} of 2.14.1.
 */
enum SettingKey {
    MAX_SPLIT_SIZE_MB(AllocatorRules.TORCH_1_13),
    ROUNDUP_POWER2_DIVISIONS(AllocatorRules.TORCH_1_13),
    GARBAGE_COLLECTION_THRESHOLD(AllocatorRules.TORCH_1_13),
    EXPANDABLE_SEGMENTS(AllocatorRules.TORCH_2_1),
    MAX_NON_SPLIT_ROUNDING_MB(AllocatorRules.TORCH_2_6),
    PER_PROCESS_MEMORY_FRACTION(AllocatorRules.TORCH_2_10),
    LARGE_SEGMENT_SIZE_MB(AllocatorRules.TORCH_2_13),

    // From here on without effect on where blocks lie.
    BACKEND(AllocatorRules.TORCH_2_0),
    RELEASE_LOCK_ON_CUDAMALLOC(AllocatorRules.TORCH_2_2),
    RELEASE_LOCK_ON_HIPMALLOC(AllocatorRules.TORCH_2_2),
    PINNED_USE_CUDA_HOST_REGISTER(AllocatorRules.TORCH_2_2),
    PINNED_USE_HIP_HOST_REGISTER(AllocatorRules.TORCH_2_2),
    PINNED_NUM_REGISTER_THREADS(AllocatorRules.TORCH_2_2),
    PINNED_USE_BACKGROUND_THREADS(AllocatorRules.TORCH_2_6),
    GRAPH_CAPTURE_RECORD_STREAM_REUSE(AllocatorRules.TORCH_2_10),
    PINNED_RESERVE_SEGMENT_SIZE_MB(AllocatorRules.TORCH_2_10),
    PINNED_MAX_ROUND_THRESHOLD_MB(AllocatorRules.TORCH_2_13),
    PINNED_MAX_CACHED_SIZE_MB(AllocatorRules.TORCH_2_13),
    THROW_ON_CUDAMALLOC_OOM(AllocatorRules.TORCH_2_13),
    PINNED_FREE_CATCH_ALL(AllocatorRules.TORCH_2_13);

    final AllocatorRules since;

    SettingKey(AllocatorRules since) {
        this.since = since;
    }

    /** The key as it is written. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The key of a text, or null. */
    static @Nullable SettingKey of(String text) {
        for (SettingKey key : values()) {
            if (key.text().equals(text)) {
                return key;
            }
        }
        return null;
    }
}
