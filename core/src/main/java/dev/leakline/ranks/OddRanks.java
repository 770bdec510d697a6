package dev.leakline.ranks;

import dev.leakline.ranks.PeerRank.Measure;
import dev.leakline.ranks.PeerRank.Measures;
import dev.leakline.result.Finding;
import dev.leakline.result.JobComparison.LineDifference;
import dev.leakline.result.JobComparison.Odd;
import dev.leakline.result.JobComparison.OddKind;
import dev.leakline.result.ProcessSummary.LineMemory;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells at which line a rank holds more than its peers, and what that looks like. */
final class OddRanks {
    /** The part of the whole difference that a call has to cover to be named for all of it. */
    private static final double MOST = 0.8;
    /** The part of the largest difference of a line that others need to be worth listing. */
    private static final double NOTABLE = 0.1;

    private static final int MOST_LINES = 10;
    /** Blocks of the sizes of parameters by chance are few. */
    private static final double PARAMETERS = 0.8;
    /** Lines of a model that have to hold a multiple before it is the input that is larger: two may be one layer's. */
    private static final int LINES_OF_MODEL = 3;

    private static final double LARGER = 1.1;
    /** Where more than one output is kept with its graph, nearly all lines of the model hold more; without graphs, only the last. */
    private static final double HALF = 0.5;

    /** A measure in which the rank holds more. */
    private record Excess(int number, Measure measure, long bytes, long peers) {
        double ratio() {
            return peers == 0 ? 0 : (double) (bytes + peers) / peers;
        }
    }

    private final Measures measures;
    private final PeerRank rank;
    private final List<PeerRank> peers;
    private final PeerGroups groups;
    private final int group;
    private final List<Excess> excesses = new ArrayList<>();

    /** Compares a rank with its peers; {@code group} is their place among the groups of the job. */
    OddRanks(Measures measures, PeerRank rank, List<PeerRank> peers, PeerGroups groups, int group) {
        this.measures = measures;
        this.rank = rank;
        this.peers = peers;
        this.groups = groups;
        this.group = group;
        boolean hasKept = !rank.isLate() && peers.stream().noneMatch(PeerRank::isLate);
        int steps = peers.stream().mapToInt(PeerRank::steps).max().orElse(Integer.MAX_VALUE);
        for (int number = 0; number < measures.count(); number++) {
            long theirs = PeerGroups.median(peers, number, hasKept);
            long more = rank.mostWithin(number, steps, hasKept) - theirs;
            if (more > 0) {
                excesses.add(new Excess(number, measures.get(number), more, theirs));
            }
        }
        excesses.sort(Comparator.comparingLong(Excess::bytes).reversed().thenComparingInt(Excess::number));
    }

    /** The outlier with a larger model than its peers, at the line that made most of the difference; null where there is none. */
    static @Nullable Odd ofModel(Measures measures, PeerRank rank, List<PeerRank> peers, int group) {
        Excess largest = null;
        for (int number = 1; number < measures.count(); number += 2) {
            long theirs = peers.getFirst().model(number);
            long more = rank.model(number) - theirs;
            if (more > (largest == null ? 0 : largest.bytes)) {
                largest = new Excess(number, measures.get(number), more, theirs);
            }
        }
        Site site = largest == null ? null : largest.measure.site();
        return largest == null || site == null
                ? null
                : new Odd(
                        rank.rank(),
                        OddKind.EXTRA_MODEL,
                        site,
                        largest.bytes,
                        group,
                        null,
                        0,
                        largest.ratio(),
                        0,
                        rank.process().steps(),
                        0,
                        List.of(new LineDifference(site, largest.bytes + largest.peers, largest.peers)));
    }

    /** The outlier; null where no line holds more. */
    @Nullable
    Odd odd() {
        Excess own = own();
        if (own == null || own.measure.site() == null) {
            return null;
        }
        Site site = own.measure.site();
        Finding leak = leak();
        Excess call = call();
        OddKind kind = kind(own, call, leak);
        Site through = call == null
                        || call.measure.site() == null
                        || call.measure.site().equals(site)
                ? null
                : call.measure.site();
        Site active = through == null || kind == OddKind.LEAK ? site : through;
        return new Odd(
                rank.rank(),
                kind,
                site,
                own.bytes,
                group,
                through,
                through == null || call == null ? 0 : call.bytes,
                kind == OddKind.LARGER_INPUT && through != null && call != null ? call.ratio() : own.ratio(),
                activeSteps(active),
                rank.process().steps(),
                kind == OddKind.LEAK && leak != null ? leak.bytesPerStep() : 0,
                lines(own));
    }

    private List<LineDifference> lines(Excess largest) {
        List<LineDifference> lines = new ArrayList<>();
        for (Excess excess : excesses) {
            Site site = excess.measure.site();
            if (site != null
                    && excess.measure.isOwn()
                    && excess.bytes >= NOTABLE * largest.bytes
                    && lines.size() < MOST_LINES) {
                lines.add(new LineDifference(site, excess.bytes + excess.peers, excess.peers));
            }
        }
        return lines;
    }

    /** The line that itself holds most of the difference; one of the program where there is one, as a backward pass says nothing. */
    private @Nullable Excess own() {
        return excesses.stream()
                .filter(excess -> excess.measure.isOwn() && isKind(excess, Site.Kind.USER))
                .findFirst()
                .orElseGet(() -> excesses.stream()
                        .filter(excess -> excess.measure.isOwn())
                        .findFirst()
                        .orElse(null));
    }

    private static boolean isKind(Excess excess, Site.Kind kind) {
        Site site = excess.measure.site();
        return site != null && site.kind() == kind;
    }

    /** The innermost call through which most of the difference was allocated. */
    private @Nullable Excess call() {
        List<Excess> calls = excesses.stream()
                .filter(excess -> !excess.measure.isOwn() && isKind(excess, Site.Kind.USER))
                .toList();
        if (calls.isEmpty()) {
            return null;
        }
        double least = MOST * calls.getFirst().bytes;
        return calls.stream()
                .filter(excess -> excess.bytes >= least)
                .max(Comparator.comparingInt((Excess excess) -> depth(excess.measure.site()))
                        .thenComparingLong(Excess::bytes)
                        .thenComparing(Comparator.comparingInt(Excess::number).reversed()))
                .orElse(null);
    }

    private @Nullable Finding leak() {
        return peers.stream().allMatch(peer -> groups.leaksAlone(rank, peer))
                ? rank.leaks().getFirst()
                : null;
    }

    private OddKind kind(Excess own, @Nullable Excess call, @Nullable Finding leak) {
        if (leak != null && isLargest(leak, own)) {
            return OddKind.LEAK;
        }
        boolean isNew = isUnknown(call == null ? own : call);
        LineMemory line = line(own.measure.site());
        LineMemory way = call == null ? line : line(call.measure.site());
        if (isKept(own)) {
            return OddKind.KEPT;
        }
        if (isNew && line != null && line.parameterShare() >= PARAMETERS) {
            return OddKind.GATHER;
        }
        if (isNew && way != null && way.isInModel() && largerShareOfModel() >= HALF) {
            return OddKind.EXTRA_RUN;
        }
        if (isNew) {
            return OddKind.EXTRA_LINE;
        }
        return ratioOfModel() >= LARGER ? OddKind.LARGER_INPUT : OddKind.MORE;
    }

    /** Returns whether most of what is more at a line is live when steps have ended, and in the peers is not. */
    private boolean isKept(Excess own) {
        long theirs = PeerGroups.middle(peers, peer -> peer.floor(own.number));
        return rank.floor(own.number) - theirs > own.bytes / 2;
    }

    private int depth(@Nullable Site site) {
        LineMemory line = line(site);
        return line == null ? 0 : line.depth();
    }

    /** Returns whether the line that differs most is that of the leak, or the leak is what is told of a difference that is no larger elsewhere. */
    private boolean isLargest(Finding leak, Excess own) {
        Site site = own.measure.site();
        return leak.site().equals(site)
                || leak.stack().stream().anyMatch(frame -> site != null && frame.equals(site.frame()))
                || leak.bytes() >= own.bytes;
    }

    /** Returns whether peers never allocated there. */
    private boolean isUnknown(Excess excess) {
        return excess.peers == 0 && peers.stream().noneMatch(peer -> peer.has(excess.number));
    }

    /** The share of the peers' models at lines that hold a multiple in this rank. */
    private double largerShareOfModel() {
        long larger = 0;
        long all = 0;
        for (int number = 1; number < measures.count(); number += 2) {
            LineMemory line = line(measures.get(number).site());
            if (line != null && line.isInModel()) {
                long theirs = PeerGroups.median(peers, number, false);
                all += theirs;
                larger += rank.most(number, false) >= LARGER * theirs ? theirs : 0;
            }
        }
        return all == 0 ? 0 : (double) larger / all;
    }

    /** How many times as much the lines of the model hold, the middle of them; 0 where fewer than a few do. */
    private double ratioOfModel() {
        double[] ratios = excesses.stream()
                .filter(excess -> excess.measure.isOwn() && excess.peers > 0)
                .filter(excess -> {
                    LineMemory line = line(excess.measure.site());
                    return line != null && line.isInModel();
                })
                .mapToDouble(Excess::ratio)
                .sorted()
                .toArray();
        return ratios.length < LINES_OF_MODEL ? 0 : ratios[(ratios.length - 1) / 2];
    }

    private int activeSteps(Site site) {
        LineMemory line = line(site);
        return line == null ? 0 : line.activeSteps();
    }

    private @Nullable LineMemory line(@Nullable Site site) {
        int own = site == null ? -1 : measures.own(site);
        return rank.process().lines().stream()
                .filter(line -> own >= 0 && measures.own(line.site()) == own)
                .findFirst()
                .orElse(null);
    }
}
