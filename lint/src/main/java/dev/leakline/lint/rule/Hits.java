package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The findings of the checks in one file. */
public final class Hits {
    /** The facts alone leave no doubt. */
    public static final double SURE = 0.95;
    /** One thing is inferred, such as that a parameter is a module. */
    public static final double LIKELY = 0.8;
    /** Names or habits speak for it. */
    public static final double POSSIBLE = 0.6;

    private final List<Hit> hits = new ArrayList<>();
    private final Set<List<Object>> seen = new HashSet<>();

    /**
     * A finding, before it has a file.
     *
     * @param node whose first line it is at
     */
    public record Hit(String rule, Syntax node, double confidence, String message, Patch patch) {}

    void add(RuleCheck check, Syntax node, double confidence, String message) {
        add(check, node, confidence, message, Patch.NONE);
    }

    void add(RuleCheck check, Syntax node, double confidence, String message, Patch patch) {
        if (seen.add(List.of(check.rule(), node.line()))) {
            hits.add(new Hit(check.rule(), node, confidence, message, patch));
        }
    }

    public List<Hit> all() {
        return hits;
    }
}
