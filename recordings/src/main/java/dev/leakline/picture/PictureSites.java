package dev.leakline.picture;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.result.Finding;
import dev.leakline.result.Picture.Owner;
import dev.leakline.result.Picture.Part;
import dev.leakline.result.Site;
import dev.leakline.site.SiteFinder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The sites that a picture tells apart: those that held most at some moment of the recording. All others share the last number.
 *
 * <p>First every site gets a number, and every allocation that of its site. Then the recording is followed once to find the maximum of
 * each; the largest are numbered anew. What of a site's allocations a leak is about is a site of its own here.
 */
final class PictureSites {
    private static final int NONE = -1;

    /** A site, and the finding that a part of what it allocates belongs to. */
    private record Owned(Site site, @Nullable Part part) {}

    private final Evidence evidence;
    private final SiteFinder finder;
    private final Culprits culprits;
    private final List<Owned> all = new ArrayList<>();
    /** Site number of each allocation. */
    private final int[] sites;
    /** Number of each site in the picture. */
    private final int[] places;

    private final List<Integer> chosen;
    /** For each site, an allocation that raised its maximum. */
    private final int[] examples;

    PictureSites(Evidence evidence, SiteFinder finder, Culprits culprits, int most) {
        this.evidence = evidence;
        this.finder = finder;
        this.culprits = culprits;
        this.sites = number();
        this.examples = new int[all.size()];
        Arrays.fill(examples, NONE);
        long[] maxima = maxima();
        this.chosen = IntStream.range(0, all.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer site) -> -maxima[site])
                        .thenComparing(site -> site))
                .limit(most - 1L)
                .toList();
        this.places = new int[all.size()];
        Arrays.fill(places, chosen.size());
        IntStream.range(0, chosen.size()).forEach(place -> places[chosen.get(place)] = place);
    }

    /** Gives each allocation the number of its site. Equal sites are mostly the same object, which is quicker to look up. */
    private int[] number() {
        Lifetimes lifetimes = evidence.lifetimes();
        IdentityHashMap<Site, Integer> bySelf = new IdentityHashMap<>();
        Map<Owned, Integer> byValue = new HashMap<>();
        int[] numbers = new int[lifetimes.count()];
        for (int allocation = 0; allocation < numbers.length; allocation++) {
            Site site = finder.site(allocation);
            Part part = culprits.isEmpty() ? null : part(allocation);
            Integer known = part == null ? bySelf.get(site) : null;
            if (known == null) {
                known = byValue.computeIfAbsent(new Owned(site, part), this::add);
            }
            if (part == null) {
                bySelf.put(site, known);
            }
            numbers[allocation] = known;
        }
        return numbers;
    }

    private @Nullable Part part(int allocation) {
        Finding finding = culprits.finding(allocation);
        return finding == null ? null : new Part(finding.kind(), finding.site());
    }

    private Integer add(Owned owned) {
        all.add(owned);
        return all.size() - 1;
    }

    private long[] maxima() {
        Lifetimes lifetimes = evidence.lifetimes();
        long[] live = new long[all.size()];
        long[] maxima = new long[all.size()];
        for (IntCursor older : lifetimes.older()) {
            raise(live, maxima, older.value);
        }
        MemoryCurve curve = new MemoryCurve(evidence.columns(), lifetimes);
        while (curve.next()) {
            if (curve.ended() != Lifetimes.NONE) {
                live[sites[curve.ended()]] -= lifetimes.held(curve.ended());
            }
            if (curve.started() != Lifetimes.NONE) {
                raise(live, maxima, curve.started());
            }
        }
        return maxima;
    }

    private void raise(long[] live, long[] maxima, int allocation) {
        int site = sites[allocation];
        live[site] += evidence.lifetimes().held(allocation);
        if (live[site] > maxima[site]) {
            maxima[site] = live[site];
            examples[site] = allocation;
        }
    }

    /** Sites of the picture, the one for all others included. */
    int count() {
        return chosen.size() + 1;
    }

    /** The number of an allocation's site. */
    int of(int allocation) {
        return places[sites[allocation]];
    }

    /** The sites in their order. */
    List<Owner> owners(PictureFrames frames) {
        List<Owner> owners = new ArrayList<>();
        for (int site : chosen) {
            int stack = examples[site] == NONE ? 0 : finder.stack(examples[site]);
            owners.add(new Owner(all.get(site).site, frames.frames(stack), all.get(site).part));
        }
        owners.add(new Owner(null, frames.frames(0), null));
        return owners;
    }
}
