package dev.leakline.web.jdk.util;

import java.util.ArrayList;
import java.util.List;

/** {@code java.util.StringJoiner}, as far as it is used. */
public final class StringJoiner {
    private final String between;
    private final String prefix;
    private final String suffix;
    private final List<CharSequence> parts = new ArrayList<>();

    public StringJoiner(CharSequence between) {
        this(between, "", "");
    }

    public StringJoiner(CharSequence between, CharSequence prefix, CharSequence suffix) {
        this.between = between.toString();
        this.prefix = prefix.toString();
        this.suffix = suffix.toString();
    }

    public StringJoiner add(CharSequence part) {
        parts.add(part);
        return this;
    }

    @Override
    public String toString() {
        return prefix + String.join(between, parts) + suffix;
    }
}
