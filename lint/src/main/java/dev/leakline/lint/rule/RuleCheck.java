package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;

/** Looks for one pattern. */
public interface RuleCheck {
    /** The rule that it is of, such as LK001. */
    String rule();

    void check(Flow flow, Hits hits);
}
