package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import java.util.List;

/** Looks for one pattern. */
public interface RuleCheck {
    /** The rule that it is of, such as LK001. */
    String rule();

    void check(Flow flow, Hits hits);

    /** Words of which one at least is in each file where it finds something; none where that cannot be said. */
    default List<String> words() {
        return List.of();
    }
}
