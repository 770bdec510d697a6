package dev.leakline.detect.room;

import dev.leakline.columns.Action;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Memory that the allocator keeps free for a stream on which nothing is allocated any more: a block is given to requests of the stream that it was made for alone. */
final class IdleStreams {
    /** The part of all allocations, the last ones, of which some are on each stream that is still in use. Frees do not count: a program ends with many. */
    private static final double LAST_PART = 0.5;
    /** The program may go back to the stream after the recording. */
    private static final double CONFIDENCE = 0.8;

    /** The use of a stream, and the memory that is kept for it. */
    private static final class Use {
        private int last;
        private int lastAllocation;
        private long cached;
        private long whole;
    }

    private final Evidence evidence;
    private final Map<Long, Use> streams = new TreeMap<>();

    IdleStreams(Evidence evidence) {
        this.evidence = evidence;
        DeviceEvents events = evidence.lifetimes().events();
        int allocations = 0;
        for (int event = 0; event < events.count(); event++) {
            if (allocated(event) != Lifetimes.NONE) {
                Use use = streams.computeIfAbsent(events.stream(event), _ -> new Use());
                use.last = event;
                use.lastAllocation = allocations++;
            }
        }
        double recent = allocations * (1 - LAST_PART);
        streams.values().removeIf(use -> use.lastAllocation >= recent);
        for (int segment = 0; segment < evidence.columns().segments.size(); segment++) {
            SegmentColumns.Row row = evidence.columns().segments.row(segment);
            Use use = streams.get(row.stream());
            if (use != null && row.device() == evidence.lifetimes().device()) {
                use.cached += row.totalSize() - row.activeSize();
                use.whole += row.activeSize() == 0 ? row.totalSize() : 0;
            }
        }
    }

    /** The allocation of an event, or {@link Lifetimes#NONE}. */
    private int allocated(int event) {
        Lifetimes lifetimes = evidence.lifetimes();
        return lifetimes.events().action(event) == Action.ALLOC ? lifetimes.allocation(event) : Lifetimes.NONE;
    }

    /** The findings of streams for which so much is kept that it is worth knowing. */
    List<Finding> findings(long reserved) {
        return streams.entrySet().stream()
                .filter(entry -> FragmentationDetector.isWorthKnowing(entry.getValue().cached, reserved))
                .map(entry -> finding(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** By line, the bytes of all that was allocated on a stream, and the last of it. */
    private Map<Site, long[]> made(long stream) {
        Map<Site, long[]> made = new TreeMap<>();
        DeviceEvents events = evidence.lifetimes().events();
        for (int event = 0; event < events.count(); event++) {
            int allocation = events.stream(event) == stream ? allocated(event) : Lifetimes.NONE;
            if (allocation != Lifetimes.NONE) {
                long[] of = made.computeIfAbsent(evidence.sites().site(allocation), _ -> new long[2]);
                of[0] += evidence.lifetimes().held(allocation);
                of[1] = allocation;
            }
        }
        return made;
    }

    private Finding finding(long idle, Use use) {
        String stream = idle == 0 ? "the default stream" : "a side stream";
        Map.Entry<Site, long[]> most =
                Collections.max(made(idle).entrySet(), Comparator.comparingLong(entry -> entry.getValue()[0]));
        Site site = most.getKey();
        int stack = evidence.sites().stack((int) most.getValue()[1]);
        Lifetimes lifetimes = evidence.lifetimes();
        String cached = ByteSize.format(use.cached);
        return new FindingBuilder(Kind.FRAGMENTATION, Fingerprint.of(Kind.FRAGMENTATION, evidence.path(site, stack)))
                .severity(Severity.WARNING)
                .confidence(CONFIDENCE, List.of("the program may use the stream again after the recording"))
                .title(cached + " reserved for a stream that is used no more")
                .summary(cached + " are free, but kept for " + stream
                        + ": other streams get nothing of it. Most of what was allocated there is of " + site.inWords()
                        + ".")
                .on(evidence.input(), lifetimes.device())
                .site(site)
                .stack(evidence.stacks().frames(stack))
                .held(use.cached, 0)
                .proofs(List.of(Proof.of("the stream's last allocation is event " + Numbers.grouped(use.last) + " of "
                        + Numbers.grouped(lifetimes.events().count()) + ", at "
                        + evidence.sites().site(lifetimes.allocation(use.last)).inWords())))
                .advice(List.of(Advice.of(
                        "Call torch.cuda.empty_cache() once when the work on that stream is done, or do it on the stream that goes on",
                        ByteSize.format(use.whole)
                                + " are whole segments, which go back to the driver by it; by itself the allocator gives"
                                + " them back only when the driver refuses a request.",
                        use.whole)))
                .build();
    }
}
