package dev.leakline.codec;

import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that a record that was read is complete: every component that is not nullable is present, in it and in all records within it. */
final class Completeness {
    private Completeness() {}

    /**
     * A missing value.
     *
     * @param place where it should be, such as {@code /findings/0/title}
     * @param expected what it should be
     * @param found what is there instead
     */
    record Missing(String place, String expected, String found) {
        private Missing in(String outer) {
            return new Missing(outer + place, expected, found);
        }
    }

    /** The first property that is missing; null where all is there. */
    static @Nullable Missing missing(Record read) {
        for (RecordComponent component : read.getClass().getRecordComponents()) {
            Object value = value(component, read);
            Missing missing = value == null && !isNullable(component)
                    ? new Missing("", expected(component.getType()), "nothing")
                    : within(value);
            if (missing != null) {
                return missing.in("/" + Names.inJson(component.getName()));
            }
        }
        return null;
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

    private static String expected(Class<?> type) {
        if (List.class.isAssignableFrom(type)) {
            return "a list";
        }
        return type.isEnum() || type == String.class ? "a text" : "an object";
    }

    static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    static @Nullable Object value(RecordComponent component, Record of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a record's accessors are public", e);
        }
    }
}
