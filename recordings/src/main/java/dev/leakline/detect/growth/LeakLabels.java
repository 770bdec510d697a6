package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.EventColumns;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Finds the labels that the program itself gave to what leaks: its notes for the allocator ({@code user_metadata}), ranges of
 * {@code record_function}, and compiled regions. A label is news only where other allocations have another one: an endpoint that leaks among
 * endpoints that do not.
 */
final class LeakLabels {
    /** Blocks of a leak that have a label for it to be the leak's: nine of ten, since a block or two may come from elsewhere. */
    private static final double NEARLY_ALL = 0.9;
    /** PyTorch's word for allocations outside of compiled regions. */
    private static final String NOT_COMPILED = "N/A";
    /** Stands in the names of ranges that PyTorch's own code marks, such as those of optimizers and profiler steps. */
    private static final String OF_TORCH = "#";

    private final Evidence evidence;
    private final IntArrayList allocations;

    LeakLabels(Evidence evidence, IntArrayList allocations) {
        this.evidence = evidence;
        this.allocations = allocations;
    }

    /** The labels in sentences, each with a space before it; empty where they say nothing. */
    String sentences() {
        return sentence(this::note, "All of it is allocated under the label")
                + sentence(this::range, "All of it is allocated in the range")
                + sentence(this::region, "All of it is allocated in the compiled region");
    }

    private String sentence(IntFunction<String> labels, String beginning) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < allocations.size(); i++) {
            counts.merge(labels.apply(allocations.get(i)), 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .filter(label -> !label.getKey().isEmpty())
                .filter(label -> label.getValue() >= NEARLY_ALL * allocations.size())
                .filter(label -> hasOther(labels, label.getKey()))
                .map(label -> " " + beginning + " \"" + label.getKey() + "\".")
                .findFirst()
                .orElse("");
    }

    private boolean hasOther(IntFunction<String> labels, String label) {
        for (int allocation = 0; allocation < evidence.lifetimes().count(); allocation++) {
            String other = labels.apply(allocation);
            if (!other.isEmpty() && !other.equals(label)) {
                return true;
            }
        }
        return false;
    }

    private String note(int allocation) {
        int row = row(allocation);
        return row < 0 ? "" : text(events().userMetadata(row));
    }

    private String region(int allocation) {
        int row = row(allocation);
        String region = row < 0 ? "" : text(events().compileContext(row));
        return region.equals(NOT_COMPILED) ? "" : region;
    }

    private String range(int allocation) {
        String range = evidence.sites().range(allocation);
        return range.contains(OF_TORCH) ? "" : range;
    }

    private int row(int allocation) {
        int born = evidence.lifetimes().born(allocation);
        return born == Lifetimes.BEFORE ? -1 : evidence.lifetimes().events().row(born);
    }

    private EventColumns events() {
        return evidence.columns().events;
    }

    private String text(int string) {
        return evidence.columns().strings.get(string);
    }
}
