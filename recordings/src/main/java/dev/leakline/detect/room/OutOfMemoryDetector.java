package dev.leakline.detect.room;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.room.FailureFinder.RepeatedFailure;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.known.AllocatorAdvice;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.known.SizeRules;
import dev.leakline.peak.Composition;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Site;
import dev.leakline.result.SiteUse;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Explains failed requests: whether memory was short, or enough but fragmented. */
public final class OutOfMemoryDetector implements Detector {
    private static final String NAME = "out_of_memory";
    /** How advice begins that knows of no change. */
    private static final String LARGEST_HOLDER = "See whether ";

    @Override
    public Examination examine(Evidence evidence) {
        if (evidence.lifetimes().events().count() == 0) {
            return Examination.notApplicable(
                    NAME,
                    "needs events: call " + RecordingAdvice.CALL
                            + " at the start of the job, and torch.cuda.memory._dump_snapshot() when it runs out of memory");
        }
        List<RepeatedFailure> failures = FailureFinder.find(evidence);
        List<Finding> findings = failures.isEmpty() ? List.of() : explain(evidence, failures);
        return new Examination(new Check(NAME, true, note(failures)), findings, List.of());
    }

    /** Returns whether advice only names the line that holds most. */
    public static boolean isGeneral(Advice advice) {
        return advice.action().startsWith(LARGEST_HOLDER);
    }

    private static List<Finding> explain(Evidence evidence, List<RepeatedFailure> failures) {
        FittingSettings settings = new FittingSettings(evidence);
        List<Finding> findings = new ArrayList<>();
        for (RepeatedFailure failure : failures) {
            findings.add(new OutOfMemoryFinding(evidence, failure, settings).build());
        }
        return findings;
    }

    private static String note(List<RepeatedFailure> failures) {
        return failures.isEmpty()
                ? "no request failed"
                : "requests failed at " + Numbers.counted(failures.size(), "line");
    }

    /** Makes the finding of a failed request: what was requested, what was free, in which pieces, what is in the way, and why now. */
    private static final class OutOfMemoryFinding {
        /** Sites that are shown of those who pin or hold: enough to act on. */
        private static final int SITES = 3;
        /** The share of the request below which a margin decides nothing: the sizes of blocks are known to about as much. */
        private static final double CLOSE = 0.02;
        /** The most of a card that the driver and a context take. */
        private static final long CONTEXT = 600 * ByteSize.MIB;
        /** The smallest cards that are sold for training have 4 GB. */
        private static final long SMALL_CARD = 4_000 * ByteSize.MIB - CONTEXT;
        /** The share of what is pinned, or live, below which a line is not the only one to look at. */
        private static final double MOST = 0.5;

        private final Evidence evidence;
        private final RepeatedFailure failure;
        private final FailureScene scene;
        private final Pins pins;
        private final List<SiteUse> uses;
        /** Bytes of the largest tensor that was live. */
        private final long largest;

        private final boolean isFragmented;
        private final FittingSettings settings;

        OutOfMemoryFinding(Evidence evidence, RepeatedFailure failure, FittingSettings settings) {
            this.settings = settings;
            this.evidence = evidence;
            this.failure = failure;
            this.scene = FailureScene.of(evidence, failure);
            this.pins = new Pins(evidence, scene.map());
            IntArrayList live = evidence.lifetimes().liveAfter(failure.event());
            this.uses = new Composition(evidence, live).sites();
            this.largest = Arrays.stream(live.toArray())
                    .mapToLong(evidence.lifetimes()::held)
                    .max()
                    .orElse(0);
            this.isFragmented = scene.isFragmented(failure) && !isFull();
        }

        /** Returns whether nearly all was live, and the request fails without gaps between segments too: little more would have been needed to fail for good. */
        private boolean isFull() {
            return evidence.stepPeaks().failure(failure.event()).isFull()
                    && settings.failsWithoutSegments(failure.event());
        }

        Finding build() {
            boolean isPinned = isPinned();
            Kind kind = isFragmented ? Kind.OOM_FRAGMENTATION : Kind.OOM;
            Site site = isPinned ? pins.worst().site() : failure.site();
            int stack = isPinned ? pins.worst().stack() : failure.stack();
            List<String> doubts = doubts(site);
            return new FindingBuilder(kind, Fingerprint.of(kind, evidence.path(site, stack)))
                    .severity(failure.isSurvived() ? Severity.WARNING : Severity.CRITICAL)
                    .confidence(confidence(doubts.size()), reasons(doubts))
                    .title(title())
                    .summary(summary())
                    .on(evidence.input(), evidence.lifetimes().device())
                    .site(site)
                    .stack(evidence.stacks().frames(stack))
                    .held(
                            isPinned ? pins.worst().bytes() : failure.size(),
                            isPinned ? pins.worst().blocks() : failure.count())
                    .proofs(seen())
                    .advice(advice())
                    .build();
        }

        /** Returns whether what lives longer than the step that failed is in the way most: what the step itself has made goes with it. */
        private boolean isPinned() {
            return isFragmented
                    && !pins.isEmpty()
                    && pins.worst().isOlderThan(FailureScene.stepStart(evidence, failure.event()));
        }

        private String title() {
            String asked =
                    "requested " + ByteSize.format(failure.size()) + ", " + ByteSize.format(scene.available(failure))
                            + " free" + (failure.knowsFree() ? "" : " in the allocator");
            return "Out of memory: " + asked + (isFragmented ? ", fragmented" : "");
        }

        private String summary() {
            String asked = failure.site().inWords() + " requested " + ByteSize.format(failure.size()) + "; "
                    + (failure.knowsFree()
                            ? "the device had " + ByteSize.format(failure.deviceFree()) + " free and "
                            : "")
                    + "the allocator " + (failure.knowsFree() ? "" : "had ") + ByteSize.format(scene.cached())
                    + (failure.knowsFree() ? "" : " reserved but free");
            if (!isFragmented) {
                return asked + ", while " + ByteSize.format(scene.held()) + " were live.";
            }
            return pins.isEmpty()
                    ? asked + ", fragmented."
                    : asked + ", which " + pinning() + " from being returned to the driver.";
        }

        private String pinning() {
            boolean isAlone = pins.bySite().size() == 1;
            return "blocks of " + pins.worst().site().inWords() + (isAlone ? " keep" : " and others keep");
        }

        private List<Finding.Proof> seen() {
            List<Finding.Proof> seen = new ArrayList<>();
            seen.add(asked());
            if (failure.knowsFree()) {
                seen.add(Finding.Proof.of("the device had " + ByteSize.format(failure.deviceFree()) + " free"
                        + (FailureScene.isLimited(failure)
                                ? ", and gave none of it: the process has a limit, or another was quicker"
                                : "")));
            }
            seen.add(Finding.Proof.of(cache()));
            if (isFragmented && !scene.map().segments().isEmpty()) {
                seen.add(new UsableSpace(evidence).in(scene.map()));
            }
            outside(seen);
            whyNow(seen);
            if (settings.isCredible()) {
                seen.add(settings.seen());
            }
            if (isFragmented) {
                pins.bySite().stream().limit(SITES).forEach(pin -> seen.add(pin.describe()));
            } else {
                uses.stream().limit(SITES).forEach(use -> seen.add(live(use)));
            }
            return seen;
        }

        private Finding.Proof asked() {
            String often = failure.count() > 1
                    ? ", the last of " + Numbers.counted(failure.count(), "request") + " that failed there"
                    : "";
            return Finding.Proof.at(
                    failure.site(),
                    "requested " + ByteSize.format(failure.size()) + often,
                    failure.size(),
                    failure.count());
        }

        private String cache() {
            String free = "the allocator had " + ByteSize.format(scene.cached()) + " reserved but free";
            String holes = Numbers.counted(pins.holes(), "hole") + " of " + Numbers.counted(pins.segments(), "segment");
            return pins.isEmpty()
                    ? free
                    : free + ", in " + holes + "; the largest is " + ByteSize.format(pins.largestHole());
        }

        /** Says what neither this process's allocator has nor was free, where the size of the device is known. */
        private void outside(List<Finding.Proof> seen) {
            long outside = evidence.deviceBytes() - room();
            if (evidence.deviceBytes() > 0 && outside > 0 && failure.knowsFree()) {
                seen.add(Finding.Proof.of("others had " + ByteSize.format(outside)
                        + " of the device: other processes, and what CUDA needs for itself"));
            }
            if (evidence.deviceBytes() == 0 && failure.knowsFree() && room() < SMALL_CARD) {
                seen.add(Finding.Proof.of("that is " + ByteSize.format(room())
                        + " for this process, less than most cards have: perhaps another process held the rest, or it has a limit"
                        + " (set_per_process_memory_fraction)"));
            }
        }

        /** The memory that this process had of the device, and the free memory, in bytes. */
        private long room() {
            return scene.reserved() + failure.deviceFree();
        }

        private void whyNow(List<Finding.Proof> seen) {
            if (scene.largestBefore() > 0 && failure.size() > scene.largestBefore()) {
                String times = String.format(Locale.ROOT, "%.2f", (double) failure.size() / scene.largestBefore());
                seen.add(Finding.Proof.of("this is the largest request of the line: " + times
                        + " times the largest before, " + ByteSize.format(scene.largestBefore())));
            } else if (scene.largestBefore() > 0) {
                seen.add(Finding.Proof.of("it is not its size: the line was given "
                        + ByteSize.format(scene.largestBefore()) + " before"));
            }
            seen.add(Finding.Proof.of(ByteSize.format(scene.held()) + " were live when it failed; the most before was "
                    + ByteSize.format(scene.earlierPeak())));
        }

        private static Finding.Proof live(SiteUse use) {
            return Finding.Proof.at(
                    use.site(), "held " + ByteSize.format(use.bytes()) + " then", use.bytes(), use.blocks());
        }

        /** The advice that helped in replays, then the advice by the look of the memory. */
        private List<Advice> advice() {
            List<Advice> advice = new ArrayList<>();
            if (!scene.isOutgrown(failure)) {
                settings.advice().ifPresent(advice::add);
            }
            if (!isFragmented) {
                advice.addAll(toNeedLess());
            } else {
                advice.addAll(toDefragment());
            }
            return advice;
        }

        private List<Advice> toDefragment() {
            List<Advice> advice = new ArrayList<>();
            if (!settings.isCredible() && !AllocatorAdvice.isExpandable(evidence.columns())) {
                advice.add(AllocatorAdvice.expandable(pins.bytes()));
            }
            if (isPinned()) {
                advice.add(pins.worst().advice());
            }
            return advice;
        }

        private List<Advice> toNeedLess() {
            if (failure.knowsFree() && failure.size() > room()) {
                long most = evidence.deviceBytes() > 0 ? evidence.deviceBytes() - CONTEXT : SMALL_CARD;
                if (failure.size() <= most) {
                    return List.of(advice(
                            "Check which other processes hold the device: leakline ps, or nvidia-smi",
                            "This process had " + ByteSize.format(room()) + " of it"
                                    + (evidence.deviceBytes() > 0
                                            ? "; without others, the request would have succeeded."
                                            : ", and the smallest cards have 4 GB: others hold the rest, unless this is a part of a"
                                                    + " card or a limit is set."),
                            0));
                }
                return List.of(advice(
                        "Ask for less at " + failure.site().inWords() + ": split the work, or make the input smaller",
                        "With nothing else of this process on the device there would still be too little for this one request.",
                        0));
            }
            return uses.stream()
                    .limit(1)
                    .map(use -> isOfSameWork(use) ? split(use) : letGo(use))
                    .toList();
        }

        /** Returns whether one tensor of the function whose request failed is most of what was live, and the request as large: they are too large, not too many. */
        private boolean isOfSameWork(SiteUse use) {
            boolean isSameFunction = use.function().equals(failure.site().function())
                    && use.file().equals(failure.site().file());
            return isSameFunction && largest >= MOST * scene.held() && failure.size() >= MOST * largest;
        }

        private Advice split(SiteUse use) {
            return advice(
                    "Split the work at " + failure.site().inWords() + " into parts, or make its input smaller",
                    "What " + use.site().inWords() + " made is " + share(use)
                            + " of what was live when the request failed, and the request is of that size too.",
                    use.bytes());
        }

        private Advice letGo(SiteUse use) {
            return advice(
                    LARGEST_HOLDER + use.site().inWords() + " needs to hold what it holds",
                    "It has " + share(use) + " of what was live when the request failed.",
                    use.bytes());
        }

        private String share(SiteUse use) {
            return Numbers.percent((double) use.bytes() / Math.max(scene.held(), 1));
        }

        private static Advice advice(String action, String why, long bytes) {
            return Advice.of(action, why, bytes);
        }

        private List<String> doubts(Site site) {
            List<String> doubts = new ArrayList<>();
            long margin = scene.available(failure) - SizeRules.segmentSize(failure.size());
            if (Math.abs(margin) < CLOSE * failure.size()) {
                doubts.add(
                        "what was free is close to what was requested, and sizes of blocks are inferred from requests");
            }
            if (evidence.lifetimes().lostFrees() > 0) {
                doubts.add("the recording lacks some frees");
            }
            if (isPinned() && pins.worst().bytes() < MOST * pins.bytes()) {
                doubts.add("several lines pin the segments");
            }
            if (!site.isLine()) {
                doubts.add("the recording names no line for it");
            }
            return doubts;
        }

        private List<String> reasons(List<String> doubts) {
            List<String> reasons = new ArrayList<>(List.of("the allocator itself recorded the failed request"
                    + (failure.knowsFree() ? " and what the device had free" : "")));
            reasons.addAll(doubts);
            return reasons;
        }

        /** A recorded error is certain; each doubt is about its cause, and takes away a third of what is left of that. */
        private static double confidence(int doubts) {
            return 0.98 * Math.pow(2.0 / 3, doubts);
        }
    }
}
