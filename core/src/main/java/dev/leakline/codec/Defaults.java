package dev.leakline.codec;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives records that were read what reports of earlier versions do not have: lists that came later are empty in them. */
final class Defaults {
    private Defaults() {}

    /** The record with an empty list wherever one is missing, in it and in all records within it; the same where none is. */
    static <T extends Record> T filled(T read) {
        RecordComponent[] components = read.getClass().getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        boolean isChanged = false;
        for (int i = 0; i < components.length; i++) {
            Object before = Completeness.value(components[i], read);
            values[i] = filled(before, components[i]);
            isChanged |= values[i] != before;
        }
        return isChanged ? made(read, components, values) : read;
    }

    private static @Nullable Object filled(@Nullable Object value, RecordComponent component) {
        return switch (value) {
            case null ->
                List.class.isAssignableFrom(component.getType()) && !Completeness.isNullable(component)
                        ? List.of()
                        : null;
            case Record inner -> filled(inner);
            case List<?> list -> filled(list);
            default -> value;
        };
    }

    private static List<?> filled(List<?> list) {
        List<?> items = Arrays.asList(list.stream()
                .map(item -> item instanceof Record inner ? filled(inner) : item)
                .toArray());
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) != list.get(i)) {
                return items;
            }
        }
        return list;
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
