package dev.leakline.codec;

import io.avaje.json.PropertyNames;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The names of a record's properties: in JSON those of its components in snake_case, and without the {@code is} of truths. So {@code
 * firstStep} is {@code first_step}, and {@code isSuspect} is {@code suspect}.
 */
public final class Names implements PropertyNames {
    private final String[] json;
    /** Component names by their names in JSON. */
    private final Map<String, String> components = new HashMap<>();

    Names(String... components) {
        this.json = new String[components.length];
        for (int i = 0; i < components.length; i++) {
            json[i] = inJson(components[i]);
            this.components.put(json[i], components[i]);
        }
    }

    /** The name of a component in JSON. */
    public static String inJson(String component) {
        boolean isTruth =
                component.length() > 2 && component.startsWith("is") && Character.isUpperCase(component.charAt(2));
        StringBuilder name = new StringBuilder();
        for (int i = isTruth ? 2 : 0; i < component.length(); i++) {
            char letter = component.charAt(i);
            if (Character.isUpperCase(letter) && !name.isEmpty()) {
                name.append('_');
            }
            name.append(Character.toLowerCase(letter));
        }
        return name.toString();
    }

    /** The name of a constant in JSON. */
    static String inJson(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The name in JSON of a property, by its number. */
    String name(int number) {
        return json[number];
    }

    /** Returns whether a name in JSON is that of a component. */
    boolean isOf(String name) {
        return components.containsKey(name);
    }

    /** The component that a name in JSON is of; a name that is of none stays as it is. */
    String component(String name) {
        return components.getOrDefault(name, name);
    }
}
