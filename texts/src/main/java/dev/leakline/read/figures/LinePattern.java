package dev.leakline.read.figures;

import dev.leakline.read.terms.Amount;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's own words for the figures of a log: a regular expression with a group {@code bytes}, or {@code mem} with its unit in it or in a group
 * {@code unit}, and perhaps the groups {@code step} and {@code epoch}.
 */
public final class LinePattern {
    private static final Set<String> GROUPS = new TreeSet<>(Set.of("bytes", "mem", "unit", "step", "epoch"));

    private final Pattern pattern;
    private final Set<String> groups;

    private LinePattern(Pattern pattern) {
        this.pattern = pattern;
        this.groups = pattern.namedGroups().keySet();
    }

    /** An expression; throws {@link IllegalArgumentException} that says what is wrong with it. */
    public static LinePattern of(String expression) {
        LinePattern pattern = new LinePattern(compiled(expression));
        if (pattern.groups.contains("bytes") == pattern.groups.contains("mem") || !GROUPS.containsAll(pattern.groups)) {
            throw new IllegalArgumentException("'" + expression + "' has the groups " + new TreeSet<>(pattern.groups)
                    + "; expected bytes, as in mem=(?<bytes>\\d+), or mem, as in mem (?<mem>[\\d.]+ ?[KMG]B), and"
                    + " optionally unit, step and epoch");
        }
        return pattern;
    }

    private static Pattern compiled(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'" + expression + "' is not a regular expression: " + e.getDescription() + ", at character "
                            + e.getIndex(),
                    e);
        }
    }

    Matcher matcher(CharSequence line) {
        return pattern.matcher(line);
    }

    /** The amount of a match; null if its number is invalid. */
    @Nullable
    Amount figure(Matcher match) {
        Amount bytes = amount(match, "bytes");
        if (bytes != null) {
            return new Amount(bytes.number(), 1);
        }
        Amount memory = amount(match, "mem");
        String unit = text(match, "unit");
        Amount one = unit == null ? null : Amount.of('1' + unit.strip());
        return memory == null || one == null ? memory : new Amount(memory.number(), one.unit());
    }

    /** The number in a group, null where there is none. */
    @Nullable
    Amount amount(Matcher match, String group) {
        String text = text(match, group);
        return text == null ? null : Amount.of(text);
    }

    private @Nullable String text(Matcher match, String group) {
        return has(group) ? match.group(group) : null;
    }

    /** Returns whether there is such a group. */
    boolean has(String group) {
        return groups.contains(group);
    }
}
