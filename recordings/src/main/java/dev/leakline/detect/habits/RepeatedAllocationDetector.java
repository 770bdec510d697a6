package dev.leakline.detect.habits;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntLongHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import com.carrotsearch.hppc.cursors.IntIntCursor;
import com.carrotsearch.hppc.cursors.IntLongCursor;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.known.AllocatorAdvice;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.statistics.Thresholds;
import dev.leakline.steps.Steps;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * Finds memory that is returned to the driver and requested again, step after step.
 *
 * <p>To allocate the same block again and again is cheap as long as the allocator has it in its cache, and no reason to change a program.
 * It is dear where the cache does not help: where it is emptied by the program, or by the allocator itself in its need for other sizes.
 * Each time costs a call of the driver, which waits for all that runs on the device.
 */
public final class RepeatedAllocationDetector implements Detector {
    private static final String NAME = "repeated_allocation";
    /** Warm-up asks the driver too; in the second half of the steps it should be over. */
    private static final int WARM_PART = 2;
    /** Where fewer than half of the steps ask, most steps run at full speed. */
    private static final double MOST = 0.5;
    /** Where less than half of it goes back, memory grows; that is for others to judge. */
    private static final double GIVEN_BACK = 0.5;

    /** Steps that are looked at before all are: if not half of them ask, it is hardly ever half of all. */
    private static final int SAMPLE = 40;

    @Override
    public Examination examine(Evidence evidence) {
        if (!evidence.canJudgeGrowth()) {
            return Examination.notApplicable(NAME, evidence.needsSteps(Thresholds.FEWEST_STEPS));
        }
        int count = evidence.steps().count();
        int half = count - count / WARM_PART;
        Examination sample = look(evidence, Math.min(half, SAMPLE));
        return sample.findings().isEmpty() || half <= SAMPLE ? sample : look(evidence, half);
    }

    /** Looks at the last steps, so many of them. */
    private static Examination look(Evidence evidence, int steps) {
        DriverTraffic traffic =
                traffic(evidence.lifetimes(), evidence.steps(), evidence.steps().count() - steps);
        boolean isRepeated = traffic.steps() >= MOST * steps && traffic.givenBack() >= GIVEN_BACK * traffic.asked();
        String note = "memory is requested from the driver in " + traffic.steps() + " of the last "
                + Numbers.counted(steps, "step");
        return new Examination(
                new Check(NAME, true, note),
                isRepeated ? List.of(new RepeatedAllocationFinding(evidence, traffic, steps).build()) : List.of(),
                List.of());
    }

    private static DriverTraffic traffic(Lifetimes lifetimes, Steps steps, int first) {
        DriverTraffic traffic = new DriverTraffic();
        DeviceEvents events = lifetimes.events();
        for (IntCursor call : events.driverCalls()) {
            if (call.value >= steps.start(first) && call.value < steps.start(steps.count())) {
                take(traffic, events, call.value, steps);
            }
        }
        return traffic;
    }

    private static void take(DriverTraffic traffic, DeviceEvents events, int event, Steps steps) {
        if (events.action(event).isGift()) {
            traffic.ask(steps.of(event), events.stack(event), events.size(event));
        } else {
            traffic.giveBack(events.stack(event), events.size(event));
        }
    }

    /** Makes the finding of memory that is requested from the driver again and again. */
    private static final class RepeatedAllocationFinding {
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

        /** The stack that requested most: of those with a line of the user's, else of all. */
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
                            Kind.REPEATED_ALLOCATION,
                            Fingerprint.of(Kind.REPEATED_ALLOCATION, evidence.path(site, asking)))
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

    /** The calls between the allocator and the driver in the examined steps. */
    private static final class DriverTraffic {
        private final BitSet asking = new BitSet();
        /** Bytes requested from the driver, by stack. */
        private final IntLongHashMap askedBy = new IntLongHashMap();
        /** How often memory was returned to the driver, by stack. */
        private final IntIntHashMap givenBackBy = new IntIntHashMap();

        private long asked;
        private long givenBack;
        private int calls;

        /** Takes a call that asks for memory. */
        void ask(int step, int stack, long bytes) {
            asking.set(step);
            askedBy.addTo(stack, bytes);
            asked += bytes;
            calls++;
        }

        /** Takes a call that gives memory back. */
        void giveBack(int stack, long bytes) {
            givenBackBy.addTo(stack, 1);
            givenBack += bytes;
        }

        /** Requested bytes, by stack. */
        IntLongHashMap askedBy() {
            return askedBy;
        }

        /** Calls that gave memory back, by stack. */
        IntIntHashMap givenBackBy() {
            return givenBackBy;
        }

        /** Requested bytes. */
        long asked() {
            return asked;
        }

        /** Bytes given back. */
        long givenBack() {
            return givenBack;
        }

        /** Calls that asked. */
        int calls() {
            return calls;
        }

        /** Steps that asked. */
        int steps() {
            return asking.cardinality();
        }
    }
}
