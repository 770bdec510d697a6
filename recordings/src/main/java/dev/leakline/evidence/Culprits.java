package dev.leakline.evidence;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Finding;
import dev.leakline.site.SiteFinder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The allocations that a finding of growth is about. A line may serve the leak and the work of a step alike; only what stays is the leak's.
 *
 * <p>A detector knows those that lived through a whole step. What else the same stacks allocated and is live at the end goes with them: the
 * last step has not ended yet. What did live through a step, and that the detector left out, such as a workspace of cuBLAS, does not.
 */
public final class Culprits {
    /** The end of the recording, as an event. */
    public static final int END = Lifetimes.NEVER - 1;

    private static final int NONE = -1;

    private final Lifetimes lifetimes;
    private final BitSet survivors;
    private final SiteFinder finder;
    private final int event;
    private final List<Finding> findings = new ArrayList<>();
    /** The number of the finding of each allocation, and of each stack, that is about them. */
    private final IntIntHashMap byAllocation = new IntIntHashMap();

    private final IntIntHashMap byStack = new IntIntHashMap();

    /** The culprits of a device, where {@code event} is the end that counts. */
    public Culprits(Evidence evidence, List<Examination> examinations, int event) {
        this.lifetimes = evidence.lifetimes();
        this.survivors = evidence.survivors().members();
        this.finder = evidence.sites();
        this.event = event;
        for (Examination examination : examinations) {
            for (int i = 0; i < examination.culprits().size(); i++) {
                take(examination.findings().get(i), examination.culprits().get(i));
            }
        }
    }

    private void take(Finding finding, IntArrayList allocations) {
        for (int i = 0; i < allocations.size(); i++) {
            byAllocation.putIfAbsent(allocations.get(i), findings.size());
            byStack.putIfAbsent(finder.stack(allocations.get(i)), findings.size());
        }
        findings.add(finding);
    }

    /** Returns whether any finding is about allocations. */
    public boolean isEmpty() {
        return findings.isEmpty();
    }

    /** The finding that an allocation belongs to, null for most. */
    @Nullable
    public Finding finding(int allocation) {
        int number = byAllocation.getOrDefault(allocation, NONE);
        if (number == NONE && isUnderWay(allocation)) {
            number = byStack.getOrDefault(finder.stack(allocation), NONE);
        }
        return number == NONE ? null : findings.get(number);
    }

    private boolean isUnderWay(int allocation) {
        return lifetimes.isLive(allocation, event) && lifetimes.born(allocation) >= 0 && !survivors.get(allocation);
    }
}
