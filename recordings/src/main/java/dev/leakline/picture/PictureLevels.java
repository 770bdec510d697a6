package dev.leakline.picture;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.Picture.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The memory over time, at several resolutions. The finest is made by following the recording once; each coarser one folds four buckets
 * into one: the most of them, the least, and by site what the fullest of the four held.
 */
final class PictureLevels {
    /** Buckets that one of a coarser level is made of. */
    private static final int FOLD = 4;
    /** No level is coarser; less than a pixel each on most screens. */
    private static final int COARSEST = 512;

    private final Evidence evidence;
    private final PictureSites sites;

    private PictureLevels(Evidence evidence, PictureSites sites) {
        this.evidence = evidence;
        this.sites = sites;
    }

    /** The levels, coarsest first. */
    static List<Level> of(Evidence evidence, PictureSites sites, int mostBuckets) {
        PictureLevels levels = new PictureLevels(evidence, sites);
        List<Level> list = new ArrayList<>();
        Buckets buckets = levels.finest(mostBuckets);
        list.add(levels.level(buckets));
        while (buckets.count > COARSEST) {
            buckets = buckets.folded();
            list.addFirst(levels.level(buckets));
        }
        return list;
    }

    private Buckets finest(int mostBuckets) {
        int events = evidence.lifetimes().events().count();
        Buckets buckets = new Buckets(Math.clamp(events, 1, mostBuckets), sites.count());
        for (int bucket = 0; bucket <= buckets.count; bucket++) {
            buckets.firsts[bucket] = (int) ((long) bucket * events / buckets.count);
        }
        fill(buckets);
        return buckets;
    }

    private void fill(Buckets buckets) {
        Lifetimes lifetimes = evidence.lifetimes();
        MemoryCurve curve = new MemoryCurve(evidence.columns(), lifetimes);
        long[] bySite = new long[sites.count()];
        for (IntCursor older : lifetimes.older()) {
            bySite[sites.of(older.value)] += lifetimes.held(older.value);
        }
        buckets.look(0, curve, bySite);
        int bucket = 0;
        while (curve.next()) {
            if (curve.ended() != Lifetimes.NONE) {
                bySite[sites.of(curve.ended())] -= lifetimes.held(curve.ended());
            }
            if (curve.started() != Lifetimes.NONE) {
                bySite[sites.of(curve.started())] += lifetimes.held(curve.started());
            }
            bucket += curve.event() == buckets.firsts[bucket + 1] ? 1 : 0;
            buckets.look(bucket, curve, bySite);
        }
    }

    private Level level(Buckets buckets) {
        List<Longs> bySite = new ArrayList<>();
        for (int site = 0; site < buckets.sites; site++) {
            bySite.add(buckets.ofSite(site));
        }
        return new Level(
                Ints.of(buckets.firsts),
                Ints.of(buckets.highest),
                Longs.of(buckets.live),
                Longs.of(buckets.least),
                Longs.of(buckets.reserved),
                bySite);
    }

    /** The buckets of a level while they are filled; sites of one bucket lie together. */
    private static final class Buckets {
        private final int count;
        private final int sites;
        private final int[] firsts;
        private final int[] highest;
        private final long[] live;
        private final long[] least;
        private final long[] reserved;
        private final long[] bySite;

        private Buckets(int count, int sites) {
            this.count = count;
            this.sites = sites;
            this.firsts = new int[count + 1];
            this.highest = new int[count];
            this.live = new long[count];
            this.least = new long[count];
            this.reserved = new long[count];
            this.bySite = new long[count * sites];
            Arrays.fill(live, Long.MIN_VALUE);
            Arrays.fill(least, Long.MAX_VALUE);
        }

        private void look(int bucket, MemoryCurve curve, long[] held) {
            take(bucket, curve.event(), curve.held(), curve.held(), curve.reserved(), held, 0);
        }

        /** Takes a moment, or a bucket of a finer level, into a bucket; of equal maxima the first stays. */
        private void take(int bucket, int event, long most, long fewest, long mostReserved, long[] held, int from) {
            if (most > live[bucket]) {
                live[bucket] = most;
                highest[bucket] = event;
                System.arraycopy(held, from, bySite, bucket * sites, sites);
            }
            least[bucket] = Math.min(least[bucket], fewest);
            reserved[bucket] = Math.max(reserved[bucket], mostReserved);
        }

        private Buckets folded() {
            Buckets folded = new Buckets((count + FOLD - 1) / FOLD, sites);
            for (int fine = 0; fine < count; fine++) {
                folded.take(fine / FOLD, highest[fine], live[fine], least[fine], reserved[fine], bySite, fine * sites);
            }
            for (int bucket = 0; bucket < folded.count; bucket++) {
                folded.firsts[bucket] = firsts[bucket * FOLD];
            }
            folded.firsts[folded.count] = firsts[count];
            return folded;
        }

        private Longs ofSite(int site) {
            long[] column = new long[count];
            for (int bucket = 0; bucket < count; bucket++) {
                column[bucket] = bySite[bucket * sites + site];
            }
            return Longs.of(column);
        }
    }
}
