package dev.leakline.functions;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Figures by name, in order. */
public final class NamedFigures {
    private NamedFigures() {}

    /** Names and values, in turns; values are whole numbers as {@link Long}, {@link Double}, texts, truths, and lists of these. */
    public static Map<String, Object> of(Object... namesAndValues) {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            figures.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return Collections.unmodifiableMap(figures);
    }
}
