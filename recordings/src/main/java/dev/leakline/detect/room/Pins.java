package dev.leakline.detect.room;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.AllocatorAdvice;
import dev.leakline.lifetime.MemoryMap;
import dev.leakline.lifetime.MemoryMap.Segment;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Site;
import dev.leakline.site.SiteFinder;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the lines whose blocks keep free memory from being returned. The driver takes segments back whole, so that every block that lives
 * in a segment pins all that is free in it.
 *
 * <p>The free bytes of a segment are shared equally among its live blocks, whatever their sizes: each of them would have to go, and a small
 * one pins as much as a large one. So the sums over all sites add up to what is pinned, and those who scatter small blocks over
 * large segments get most.
 */
final class Pins {
    /** The memory that the blocks of one site pin. */
    static final class Pin {
        private final Site site;
        private final int stack;
        private double bytes;
        private long held;
        private int blocks;
        private final IntArrayList born = new IntArrayList();

        private Pin(Site site, int stack) {
            this.site = site;
            this.stack = stack;
        }

        /** The line that allocated the blocks. */
        Site site() {
            return site;
        }

        /** The stack of one of them. */
        int stack() {
            return stack;
        }

        /** Their share of the free bytes that they pin. */
        long bytes() {
            return Math.round(bytes);
        }

        /** The bytes that they hold themselves. */
        long held() {
            return held;
        }

        /** How many they are. */
        int blocks() {
            return blocks;
        }

        /** Returns whether most of them were allocated before an event. */
        boolean isOlderThan(int event) {
            int older = 0;
            for (int i = 0; i < born.size(); i++) {
                older += born.get(i) < event ? 1 : 0;
            }
            return older * 2 > blocks;
        }

        /** To allocate what lives long elsewhere. */
        Advice advice() {
            return Advice.of(
                    "Allocate what " + site.inWords()
                            + " keeps before the large blocks come and go, in one piece, or keep it in CPU memory",
                    "What lives long then no longer lies in segments that large blocks have just left.",
                    bytes());
        }

        /** The pin as evidence. */
        Finding.Proof describe() {
            String text = Numbers.counted(blocks, "block") + " of " + ByteSize.format(held) + " in all, among "
                    + ByteSize.format(bytes()) + " that cannot be returned to the driver because of them";
            return Finding.Proof.at(site, text, bytes(), blocks);
        }
    }

    /** The pinned memory of a memory pool, by its number. */
    record PoolShare(int pool, long bytes, long largestHole) {
        private PoolShare plus(PoolShare other) {
            return new PoolShare(pool, bytes + other.bytes, Math.max(largestHole, other.largestHole));
        }
    }

    private final Evidence evidence;
    private final Map<Site, Pin> bySite = new HashMap<>();
    private final Map<Integer, PoolShare> byPool = new TreeMap<>();
    private final List<Pin> sorted;
    private long bytes;
    private long largestHole;
    private int holes;
    private int segments;

    /** Sums up what is pinned in the segments of a map. */
    Pins(Evidence evidence, MemoryMap map) {
        this.evidence = evidence;
        for (Segment segment : map.segments()) {
            if (segment.count() > 0 && segment.free() > 0) {
                take(segment);
            }
        }
        this.sorted = new ArrayList<>(bySite.values());
        Collections.sort(
                sorted, Comparator.comparingDouble((Pin pin) -> -pin.bytes).thenComparing(pin -> pin.site.inWords()));
    }

    private void take(Segment segment) {
        bytes += segment.free();
        largestHole = Math.max(largestHole, segment.largestHole());
        holes += segment.holes();
        segments++;
        PoolShare share = new PoolShare(segment.pool(), segment.free(), segment.largestHole());
        byPool.merge(segment.pool(), share, PoolShare::plus);
        for (int i = 0; i < segment.count(); i++) {
            take(segment.allocation(i), (double) segment.free() / segment.count());
        }
    }

    private void take(int allocation, double share) {
        SiteFinder finder = evidence.sites();
        Pin pin = bySite.computeIfAbsent(finder.site(allocation), site -> new Pin(site, finder.stack(allocation)));
        pin.bytes += share;
        pin.held += evidence.lifetimes().held(allocation);
        pin.blocks++;
        pin.born.add(evidence.lifetimes().born(allocation));
    }

    /** The sites, from the one that pins most. */
    List<Pin> bySite() {
        return sorted;
    }

    /** The pinned memory of each memory pool. */
    Collection<PoolShare> byPool() {
        return Collections.unmodifiableCollection(byPool.values());
    }

    /** The site to look at: of the user's lines the one that pins most, else of all. Only where anything is pinned. */
    Pin worst() {
        return sorted.stream()
                .filter(pin -> pin.site.kind() == Site.Kind.USER || pin.site.kind() == Site.Kind.BACKWARD)
                .findFirst()
                .orElseGet(sorted::getFirst);
    }

    /**
     * The advice against fragmentation, the best first. Giving back the cache is not among it: the allocator does that by itself
     * before it gives
     * up, and no hole goes away by it.
     */
    List<Advice> advice(SnapshotColumns columns) {
        List<Advice> advice = new ArrayList<>();
        if (!AllocatorAdvice.isExpandable(columns)) {
            advice.add(AllocatorAdvice.expandable(bytes));
        }
        if (!isEmpty()) {
            advice.add(worst().advice());
        }
        return advice;
    }

    /** Returns whether nothing is. */
    boolean isEmpty() {
        return sorted.isEmpty();
    }

    /** Bytes free in segments in which something lives. */
    long bytes() {
        return bytes;
    }

    /** The largest stretch of those. */
    long largestHole() {
        return largestHole;
    }

    /** Stretches of those. */
    int holes() {
        return holes;
    }

    /** Segments that have any. */
    int segments() {
        return segments;
    }
}
