package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.Value;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
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

    /** The longest source in a sentence. */
    private static final int LONGEST = 40;

    private final SourceFile file;
    private final List<Hit> hits = new ArrayList<>();
    private String rule = "";
    private final Set<List<Object>> seen = new HashSet<>();

    /**
     * A finding, before it has a file.
     *
     * @param node whose first line it is at
     * @param isTensor whether it is a store of a tensor and nothing else
     */
    public record Hit(String rule, Node node, double confidence, String message, Patch patch, boolean isTensor) {}

    public Hits(SourceFile file) {
        this.file = file;
    }

    /** Looks for one pattern. */
    public void look(RuleCheck check, Flow flow) {
        rule = check.rule();
        check.check().accept(flow, this);
    }

    /** A text on one line, cut where it is long. */
    static String shortened(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 3) + "...";
    }

    void add(Node node, double confidence, String message) {
        add(node, confidence, message, Patch.NONE);
    }

    void add(Node node, double confidence, String message, Patch patch) {
        add(new Hit(rule, node, confidence, message, patch, false));
    }

    void add(FlowEvent.Store store, double confidence, String message) {
        boolean isTensor = store.value().isOnly(Value.Kind.TENSOR)
                && !(store.stored() instanceof Expr.Attribute it && NameSets.has("GATHERED_OUTPUTS", it.attr()));
        add(new Hit(rule, store.node(), confidence, message, Patch.NONE, isTensor));
    }

    private void add(Hit hit) {
        if (seen.add(List.of(hit.rule(), file.line(hit.node())))) {
            hits.add(hit);
        }
    }

    /** Returns whether there is one at a line. */
    boolean isAt(int line) {
        return hits.stream().anyMatch(hit -> file.line(hit.node()) == line);
    }

    public List<Hit> all() {
        return hits;
    }
}
