package dev.leakline.host;

import dev.leakline.known.source.SourceFiles;
import dev.leakline.objects.HostLook;
import dev.leakline.objects.HostPile;
import dev.leakline.result.HostMemory.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The collections of a process that have grown over the looks at it, to the last one: what shrank before, as a cache that is full does, has stopped. */
final class GrownPiles {
    private final List<HostPile> piles;
    private final Map<HostPile, PileSite> sites = new HashMap<>();
    private final SourceFiles files;

    GrownPiles(List<HostLook> looks, SourceFiles files) {
        this.files = files;
        this.piles = looks.getLast().piles();
    }

    /** The one with most bytes of a part; empty where that has less than {@code least}, or is none of the sorts that objects show. */
    Optional<HostPile> largest(Kind kind, double least) {
        return piles.stream()
                .filter(pile -> pile.bytes(kind) >= Math.max(1, least / piles.size()))
                .max(Comparator.comparingLong(pile -> pile.bytes(kind)));
    }

    /** Returns whether those without a bound have so many bytes of a part. */
    boolean explains(Kind kind, double least) {
        return sum(kind, false) >= least;
    }

    /** Returns whether those with a bound have so many bytes of a part. */
    boolean isBounded(Kind kind, double least) {
        return sum(kind, true) >= Math.max(1, least);
    }

    private long sum(Kind kind, boolean isBounded) {
        return piles.stream()
                .filter(pile -> pile.bytes(kind) > 0 && isBounded(pile) == isBounded)
                .mapToLong(pile -> pile.bytes(kind))
                .sum();
    }

    private boolean isBounded(HostPile pile) {
        return pile.most() > 0 || site(pile).isGuarded();
    }

    PileSite site(HostPile pile) {
        return sites.computeIfAbsent(pile, one -> new PileSite(one, files));
    }
}
