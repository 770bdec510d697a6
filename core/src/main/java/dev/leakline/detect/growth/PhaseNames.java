package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.cursors.IntIntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import java.util.HashMap;
import java.util.Map;

/** Names for patterns of steps: what a step does that the usual one does not, or the other way round. */
final class PhaseNames {
    private final Evidence evidence;
    private final Map<Long, String> names = new HashMap<>();
    private final int usual;

    PhaseNames(Evidence evidence) {
        this.evidence = evidence;
        this.usual = evidence.profile().usual();
    }

    /** The name of a step's pattern. */
    String of(int step) {
        return names.computeIfAbsent(evidence.profile().pattern(step), _ -> name(step));
    }

    private String name(int step) {
        if (evidence.profile().pattern(step) == evidence.profile().pattern(usual)) {
            return "pattern A";
        }
        IntIntHashMap own = lines(step);
        IntIntHashMap others = lines(usual);
        int more = busiestOnlyIn(own, others);
        return more >= 0 ? "A + " + line(more) : "A without " + line(busiestOnlyIn(others, own));
    }

    /** The lines that a step allocates at, and how often. */
    private IntIntHashMap lines(int step) {
        Lifetimes lifetimes = evidence.lifetimes();
        IntIntHashMap lines = new IntIntHashMap();
        for (int event = evidence.steps().start(step); event < evidence.steps().start(step + 1); event++) {
            int allocation = lifetimes.allocation(event);
            if (allocation != Lifetimes.NONE && lifetimes.born(allocation) == event) {
                lines.addTo(evidence.groups().calls().end(lifetimes.stack(allocation)), 1);
            }
        }
        return lines;
    }

    private static int busiestOnlyIn(IntIntHashMap lines, IntIntHashMap others) {
        int busiest = -1;
        for (IntIntCursor line : lines) {
            boolean isMore = busiest < 0
                    || line.value > lines.get(busiest)
                    || (line.value == lines.get(busiest) && line.key < busiest);
            if (line.key >= 0 && !others.containsKey(line.key) && isMore) {
                busiest = line.key;
            }
        }
        return busiest;
    }

    private String line(int node) {
        if (node < 0) {
            return "something that has no line";
        }
        return evidence.groups().calls().path(node).getLast().inWords();
    }
}
