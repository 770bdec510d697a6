package dev.leakline.source;

import dev.leakline.text.Printable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a JSON object that was just read, asked for by name and type. What the first version of a schema wrote must be
 * there; what came later has a default. Null stands for what is not known, and is the same as nothing.
 */
public final class JsonObject {
    /** Characters that an error shows of a value. */
    private static final int SHOWN = 40;

    private final JsonInput input;
    private final Map<String, Object> properties;

    public JsonObject(JsonInput input, Map<String, Object> properties) {
        this.input = input;
        this.properties = properties;
    }

    public String text(String name) throws ReadException {
        return required(name, String.class, "a text");
    }

    public String text(String name, String otherwise) throws ReadException {
        String text = textOrNull(name);
        return text == null ? otherwise : text;
    }

    @Nullable
    public String textOrNull(String name) throws ReadException {
        return optional(name, String.class, "a text");
    }

    public long number(String name) throws ReadException {
        return required(name, Long.class, "a whole number");
    }

    public long number(String name, long otherwise) throws ReadException {
        Long number = optional(name, Long.class, "a whole number");
        return number == null ? otherwise : number;
    }

    public int count(String name) throws ReadException {
        return fitting(name, number(name));
    }

    public int count(String name, int otherwise) throws ReadException {
        return fitting(name, number(name, otherwise));
    }

    private int fitting(String name, long number) throws ReadException {
        if (number != (int) number) {
            throw input.wrong(name, "a number of at most 32 bits", String.valueOf(number));
        }
        return (int) number;
    }

    /** Whether a property says anything. */
    public boolean isKnown(String name) {
        return properties.containsKey(name);
    }

    /** A number with a fraction, NaN where it is not known. */
    public double real(String name) throws ReadException {
        Number number = optional(name, Number.class, "a number");
        return number == null ? Double.NaN : number.doubleValue();
    }

    /** A time in Unix microseconds, 0 where it is not known. */
    public long time() throws ReadException {
        return number("time_us", 0);
    }

    public boolean truth(String name, boolean otherwise) throws ReadException {
        Boolean truth = optional(name, Boolean.class, "true or false");
        return truth == null ? otherwise : truth;
    }

    public boolean truth(String name) throws ReadException {
        return required(name, Boolean.class, "true or false");
    }

    public <E extends Enum<E>> E constant(String name, Class<E> type) throws ReadException {
        String found = text(name);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(found)) {
                return constant;
            }
        }
        String known = Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
        throw input.wrong(name, "one of " + known, describe(found) + ", which a later version of leakline may know");
    }

    /** What another part made of a property. */
    public <T> T part(String name, Class<T> type) throws ReadException {
        return required(name, type, "an object");
    }

    public <T> @Nullable T partOrNull(String name, Class<T> type) throws ReadException {
        return optional(name, type, "an object");
    }

    /** What another part made of each item of a list; the list must be there. */
    public <T> List<T> list(String name, Class<T> type) throws ReadException {
        return items(required(name, List.class, "a list"), type);
    }

    /** What another part made of each item of a list; an empty one where there is none. */
    public <T> List<T> listOrNone(String name, Class<T> type) throws ReadException {
        List<?> list = optional(name, List.class, "a list");
        return list == null ? List.of() : items(list, type);
    }

    private static <T> List<T> items(List<?> list, Class<T> type) {
        return list.stream().<T>map(type::cast).toList();
    }

    /** A property that is a map of whatever there was, empty where there is none. */
    public Map<?, ?> map(String name) throws ReadException {
        Map<?, ?> map = optional(name, Map.class, "an object");
        return map == null ? Map.of() : map;
    }

    private <T> T required(String name, Class<T> type, String expected) throws ReadException {
        T value = optional(name, type, expected);
        if (value == null) {
            throw input.wrong(name, expected, "nothing");
        }
        return value;
    }

    private <T> @Nullable T optional(String name, Class<T> type, String expected) throws ReadException {
        Object value = properties.get(name);
        if (value != null && !type.isInstance(value)) {
            throw input.wrong(name, expected, describe(value));
        }
        return value == null ? null : type.cast(value);
    }

    /** An error about a property that has the right type and cannot be right. */
    public ReadException wrong(String name, String expected, Object found) {
        return input.wrong(name, expected, describe(found));
    }

    /** A value in an error. */
    public static String describe(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> "'" + Printable.of(text, SHOWN) + "'";
            case Number number -> number.toString();
            case Boolean truth -> truth.toString();
            case List<?> _ -> "a list";
            default -> "an object";
        };
    }
}
