package dev.leakline.known.source;

import dev.leakline.known.AdvisedLimit;
import dev.leakline.known.Cause;
import dev.leakline.result.Finding.Advice;

/**
 * An edit of the source.
 *
 * @param before the lines as they are
 * @param after as they should be
 */
record SourceEdit(String before, String after) {
    /** Advice with this edit as its example, and a limit for what grows; as it is where nothing would be edited. */
    Advice in(Advice advice, int limit) {
        return before.isBlank() || before.equals(after)
                ? without(advice)
                : advice.withExample(before, AdvisedLimit.in(after, limit));
    }

    /** Advice for a source at hand without an example of a name that the source does not have. */
    static Advice without(Advice advice) {
        return Cause.hasPlaceholder(advice.before()) ? advice.withExample("", "") : advice;
    }
}
