package dev.leakline.detect.habits;

import com.carrotsearch.hppc.cursors.IntIntCursor;
import com.carrotsearch.hppc.cursors.IntLongCursor;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.known.AllocatorAdvice;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Puts into words and figures what the driver is asked for again and again. */
final class RepeatedAllocationFinding {
    /** The function by which programs give the cache back; its frame is in the stack of what it frees. */
    private static final String EMPTY_CACHE = "empty_cache";
    /** How sure it is that speed is lost: that the driver was called is certain, what it cost is not recorded. */
    private static final double CONFIDENCE = 0.8;

    private final Evidence evidence;
    private final DriverTraffic traffic;
    private final int steps;
    private final int asking;
    private final int emptying;

    RepeatedAllocationFinding(Evidence evidence, DriverTraffic traffic, int steps) {
        this.evidence = evidence;
        this.traffic = traffic;
        this.steps = steps;
        this.asking = asking();
        this.emptying = emptying();
    }

    /** The stack that asked for most: of those with a line of the user's, else of all. */
    private int asking() {
        int best = StackTable.NONE;
        long most = -1;
        for (IntLongCursor cursor : traffic.askedBy()) {
            boolean isUsers = evidence.stacks().of(cursor.key).site().kind() == Site.Kind.USER;
            long weight = isUsers ? cursor.value + traffic.asked() : cursor.value;
            if (weight > most || (weight == most && cursor.key < best)) {
                best = cursor.key;
                most = weight;
            }
        }
        return best;
    }

    /** The stack of a call of empty_cache() that gave most segments back; none where the allocator did it by itself. */
    private int emptying() {
        int best = StackTable.NONE;
        int most = 0;
        for (IntIntCursor cursor : traffic.givenBackBy()) {
            boolean isMore = cursor.value > most || (cursor.value == most && cursor.key < best);
            if (isMore && emptiesCache(cursor.key)) {
                best = cursor.key;
                most = cursor.value;
            }
        }
        return best;
    }

    private boolean emptiesCache(int stack) {
        StackTable stacks = evidence.columns().stacks;
        FrameTable frames = evidence.columns().frames;
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            if (frames.function(stacks.frame(stack, depth)).equals(EMPTY_CACHE)) {
                return true;
            }
        }
        return false;
    }

    Finding build() {
        Site site = evidence.stacks().of(asking).site();
        return new FindingBuilder(
                        Kind.REPEATED_ALLOCATION, Fingerprint.of(Kind.REPEATED_ALLOCATION, evidence.path(site, asking)))
                .severity(Severity.INFO)
                .confidence(CONFIDENCE, List.of("the calls of the driver are recorded; what they cost is not"))
                .title("Memory is requested from the driver in " + Numbers.percent((double) traffic.steps() / steps)
                        + " of the steps")
                .summary(summary(site))
                .on(evidence.input(), evidence.lifetimes().device())
                .site(site)
                .stack(evidence.stacks().frames(asking))
                .held(traffic.asked() / steps, traffic.calls())
                .proofs(seen(site))
                .advice(advice())
                .build();
    }

    private String summary(Site site) {
        return "Reserved memory is returned to the driver and requested again, most of it by " + site.inWords()
                + ". Each time the program waits for the device.";
    }

    private List<Finding.Proof> seen(Site site) {
        List<Finding.Proof> seen = new ArrayList<>();
        String calls = String.format(Locale.ROOT, "%.1f", (double) traffic.calls() / steps);
        seen.add(Finding.Proof.of("after half of the steps, memory is still requested from the driver " + calls
                + " times per step, " + ByteSize.format(traffic.asked() / steps)));
        seen.add(Finding.Proof.at(
                site,
                ByteSize.format(traffic.askedBy().get(asking)) + " were requested here",
                traffic.askedBy().get(asking),
                0));
        if (emptying != StackTable.NONE) {
            Site emptier = evidence.stacks().of(emptying).site();
            int times = traffic.givenBackBy().get(emptying);
            seen.add(Finding.Proof.at(
                    emptier, "the cache is emptied here: " + Numbers.counted(times, "segment"), 0, times));
        }
        return seen;
    }

    private List<Advice> advice() {
        if (emptying != StackTable.NONE) {
            return List.of(noEmptying(evidence.stacks().of(emptying).site().frame()));
        }
        List<Advice> advice = new ArrayList<>();
        if (!AllocatorAdvice.isExpandable(evidence.columns())) {
            advice.add(AllocatorAdvice.expandable(0));
        }
        advice.add(
                advice(
                        "Let sizes differ less from step to step: pad or group inputs by length",
                        "A block then serves the next request, and nothing has to be returned to the driver to make room for another size."));
        return advice;
    }

    private static Advice noEmptying(Frame frame) {
        return advice(
                "Take the call of torch.cuda.empty_cache() at " + frame.fileName() + ":" + frame.line()
                        + " out of the loop",
                "It returns memory that the next step requests again; the allocator returns it by itself before a request fails.");
    }

    private static Advice advice(String action, String why) {
        return Advice.of(action, why, 0);
    }
}
