package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;

import dev.leakline.lifetime.RoundedSize;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the {@code allocator_settings} of a snapshot; files are untrusted, so invalid values count as absent. */
final class RecordedSettings {
    private final Map<String, Object> map;
    private AllocatorSettings settings;

    private RecordedSettings(Map<String, Object> map) {
        this.map = map;
        this.settings =
                map.get("PYTORCH_CUDA_ALLOC_CONF") instanceof String text ? lenient(text) : AllocatorSettings.DEFAULTS;
    }

    static AllocatorSettings of(Map<String, Object> map) {
        return new RecordedSettings(map).settings();
    }

    private AllocatorSettings settings() {
        if (map.get("max_split_size") instanceof Long bytes) {
            settings = settings.withMaxSplitSize(bytes >= MIB ? bytes : AllocatorSettings.UNLIMITED);
        }
        Double threshold = number("garbage_collection_threshold");
        if (threshold != null && threshold >= 0 && threshold < 1) {
            settings = settings.withGarbageCollectionThreshold(threshold);
        }
        if (map.get("expandable_segments") instanceof Boolean expandable) {
            settings = settings.withExpandableSegments(expandable);
        }
        if (map.get("roundup_power2_divisions") instanceof Map<?, ?>) {
            settings = settings.withRoundupDivisions(new RoundedSize(map).divisions());
        }
        return settings;
    }

    private @Nullable Double number(String key) {
        return map.get(key) instanceof Number number ? Double.valueOf(number.doubleValue()) : null;
    }

    /** Parses a text that a later version may have written; the defaults where this version cannot. */
    private static AllocatorSettings lenient(String text) {
        try {
            return AllocatorSettings.parse(text);
        } catch (SettingsException e) {
            return AllocatorSettings.DEFAULTS;
        }
    }
}
