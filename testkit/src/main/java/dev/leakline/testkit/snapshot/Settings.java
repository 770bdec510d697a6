package dev.leakline.testkit.snapshot;

import java.util.LinkedHashMap;
import java.util.Map;

/** The allocator's settings, PyTorch's defaults unless changed. */
final class Settings {
    private static final int INTERVALS = 16;

    private final Map<String, Object> changes = new LinkedHashMap<>();

    void change(String key, Object value) {
        changes.put(key, value);
    }

    Map<String, Object> tree(Layout layout) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("PYTORCH_CUDA_ALLOC_CONF", "");
        settings.put("max_split_size", -1);
        settings.put("garbage_collection_threshold", 0.0);
        settings.put("expandable_segments", false);
        settings.put("pinned_num_register_threads", 1);
        settings.put("release_lock_on_cudamalloc", false);
        settings.put("pinned_use_cuda_host_register", false);
        addLater(layout, settings);
        settings.put("roundup_power2_divisions", divisions());
        settings.putAll(changes);
        return settings;
    }

    private static void addLater(Layout layout, Map<String, Object> settings) {
        if (layout.since(Layout.V2_10)) {
            settings.put("graph_capture_record_stream_reuse", false);
        }
        if (layout.since(Layout.V2_12)) {
            settings.put("max_round_threshold", -1);
            settings.put("max_cached_size", -1);
        }
    }

    private static Map<String, Object> divisions() {
        Map<String, Object> divisions = new LinkedHashMap<>();
        for (int i = 0; i < INTERVALS; i++) {
            divisions.put(Integer.toString(1 << i), 0);
        }
        return divisions;
    }
}
