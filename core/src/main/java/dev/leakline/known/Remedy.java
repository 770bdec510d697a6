package dev.leakline.known;

import dev.leakline.result.Finding.Advice;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A remedy for a cause.
 *
 * @param action what, as an order
 * @param why what it changes
 * @param before a line as it is likely to be, in Python
 * @param after the line as it should be
 * @param link where this is explained
 */
public record Remedy(String action, String why, String before, String after, String link) {
    /** Stands in examples for what keeps the memory. */
    private static final Pattern KEPT = Pattern.compile("\\bkept\\b");

    /** The line of examples that adds a tensor. */
    private static final String ADDED = "kept.append(x)";

    /** The line of examples that makes a collection; one that is an item of another is made with that. */
    private static final String MADE = "kept = []";

    private static final Pattern PART = Pattern.compile("\\.(\\d+)\\b");
    private static final Pattern EXPRESSION = Pattern.compile("[A-Za-z_][\\w.\\[\\]']*");

    /** It with the name of what keeps the memory; as it is where that is no name that Python has, such as one through a cycle. */
    public Remedy named(String name) {
        String indexed = PART.matcher(name).replaceAll("[$1]");
        if (before.equals(MADE) && indexed.endsWith("]")) {
            return new Remedy(action, why, "", "", link);
        }
        return EXPRESSION.matcher(indexed).matches()
                ? new Remedy(action, why, named(before, indexed), named(after, indexed), link)
                : this;
    }

    private static String named(String line, String name) {
        return KEPT.matcher(line).replaceAll(Matcher.quoteReplacement(name));
    }

    /** It where what is kept are objects that have tensors: an example that adds a tensor is none of theirs. */
    Remedy ofObjects() {
        return before.equals(ADDED) ? new Remedy(action, why, "", "", link) : this;
    }

    /** It as advice that gives back some bytes, with the limit of a collection that nobody saw grow. */
    public Advice advice(long bytes) {
        return advice(bytes, AdvisedLimit.MOST);
    }

    /** It as advice that gives back some bytes, with the limit of a collection. */
    Advice advice(long bytes, int limit) {
        return Advice.of(action, why, bytes, before, AdvisedLimit.in(after, limit), link);
    }
}
