package dev.leakline.codec;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives records that were read what reports of earlier versions do not have: lists that came later are empty in them. */
final class Defaults {
    private Defaults() {}

    /** The record with an empty list wherever one is missing, in it and in all records within it. */
    static <T extends Record> T filled(T read) {
        RecordComponent[] components = read.getClass().getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = filled(Completeness.value(components[i], read), components[i]);
        }
        return made(read, components, values);
    }

    private static @Nullable Object filled(@Nullable Object value, RecordComponent component) {
        return switch (value) {
            case null ->
                List.class.isAssignableFrom(component.getType()) && !Completeness.isNullable(component)
                        ? List.of()
                        : null;
            case Record inner -> filled(inner);
            case List<?> list ->
                list.stream()
                        .map(item -> item instanceof Record inner ? filled(inner) : item)
                        .toList();
            default -> value;
        };
    }

    @SuppressWarnings("unchecked")
    private static <T extends Record> T made(T like, RecordComponent[] components, @Nullable Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return (T) like.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            return like; // what else is wrong with it, the check names
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a record's constructor is public", e);
        }
    }
}
