package dev.leakline.codec;

import dev.leakline.web.RecordForm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Empty lists for what reports of earlier versions do not have, by {@link RecordForm}. */
final class Defaults {
    private Defaults() {}

    @SuppressWarnings("unchecked")
    static <T extends Record> T filled(T read) {
        if (!((Object) read instanceof RecordForm form)) {
            return read;
        }
        String[] components = form.recordComponents().split(" ", -1);
        @Nullable Object[] values = form.recordValues();
        for (int i = 0; i < values.length; i++) {
            values[i] = filled(values[i], components[i]);
        }
        return (T) form.recordOf(values);
    }

    private static @Nullable Object filled(@Nullable Object value, String component) {
        return switch (value) {
            case null -> component.endsWith(":list") && !component.startsWith("?") ? List.of() : null;
            case Record inner -> filled(inner);
            case List<?> list ->
                list.stream()
                        .map(item -> item instanceof Record inner ? filled(inner) : item)
                        .toList();
            default -> value;
        };
    }
}
