package dev.leakline.codec;

import dev.leakline.web.RecordForm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Completeness of a record that was read, by {@link RecordForm}. */
final class Completeness {
    private Completeness() {}

    record Missing(String place, String expected, String found) {
        private Missing in(String outer) {
            return new Missing(outer + place, expected, found);
        }
    }

    static @Nullable Missing missing(Record read) {
        if (!((Object) read instanceof RecordForm form)) {
            return null;
        }
        String[] components = form.recordComponents().split(" ", -1);
        @Nullable Object[] values = form.recordValues();
        for (int i = 0; i < values.length; i++) {
            Missing missing = values[i] == null && !components[i].startsWith("?")
                    ? new Missing("", expected(components[i]), "nothing")
                    : within(values[i]);
            if (missing != null) {
                return missing.in("/" + Names.inJson(name(components[i])));
            }
        }
        return null;
    }

    private static String name(String component) {
        return component.substring(component.startsWith("?") ? 1 : 0, component.indexOf(':'));
    }

    private static String expected(String component) {
        String what = component.substring(component.indexOf(':') + 1);
        return what.equals("object") ? "an object" : "a " + what;
    }

    private static @Nullable Missing within(@Nullable Object value) {
        return switch (value) {
            case Record inner -> missing(inner);
            case List<?> list -> withinList(list);
            case null, default -> null;
        };
    }

    private static @Nullable Missing withinList(List<?> list) {
        for (int i = 0; i < list.size(); i++) {
            Object item = list.get(i);
            Missing missing = item == null ? new Missing("", "a value", "null") : within(item);
            if (missing != null) {
                return missing.in("/" + i);
            }
        }
        return null;
    }
}
