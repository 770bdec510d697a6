package dev.leakline.ranks;

import dev.leakline.ranks.PeerRank.Measures;
import dev.leakline.result.ProcessSummary.BlockSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which groups of ranks are odd: few that hold more than the many with the same model, or one that holds another model beside it. */
final class OddGroups {
    /**
     * A group, and those that it should equal.
     *
     * @param ranks its ranks, in order
     * @param part the number of its part
     * @param peers the ranks that it should equal; null where there are none
     * @param isOdd whether it does not
     * @param isModel whether it is its model that is larger
     * @param compared how it was compared
     */
    record Grouped(
            List<PeerRank> ranks,
            int part,
            @Nullable List<PeerRank> peers,
            boolean isOdd,
            boolean isModel,
            PeerGroups compared) {
        /** Returns whether those that it should equal hold another model by its size. */
        boolean isAside() {
            return peers != null && !compared.part().contains(peers.getFirst());
        }
    }

    /** A part of less than this share of the largest, and of no other size, is no stage: stages have as many ranks as each other. */
    private static final double FEW = 0.25;
    /** The least share by which a second copy of a model is the same: buffers and padding may differ. */
    private static final double SAME = 0.99;

    private final Measures measures;
    private final List<List<PeerRank>> parts;
    private final int part;
    private final PeerGroups compared;
    private final List<List<PeerRank>> groups;

    private OddGroups(Measures measures, List<List<PeerRank>> parts, int part) {
        this.measures = measures;
        this.parts = parts;
        this.part = part;
        this.compared = new PeerGroups(measures, parts.get(part));
        this.groups = compared.groups();
    }

    /** The groups of a part. */
    static List<Grouped> of(Measures measures, List<List<PeerRank>> parts, int part) {
        return new OddGroups(measures, parts, part).grouped();
    }

    private List<Grouped> grouped() {
        List<PeerRank> norm = groups.stream()
                .max(Comparator.comparingInt((List<PeerRank> group) -> group.size())
                        .thenComparingLong(group -> -group.getFirst().process().peak()))
                .orElseThrow();
        List<PeerRank> others = isAside() && holdsTheirModel() ? parts.get(1 - part) : null;
        List<Grouped> all = new ArrayList<>();
        for (List<PeerRank> group : groups) {
            boolean isNorm = group.equals(norm);
            all.add(isNorm && others != null ? aside(group, others) : grouped(group, isNorm ? null : norm));
        }
        return all;
    }

    private Grouped grouped(List<PeerRank> group, @Nullable List<PeerRank> norm) {
        return new Grouped(group, part, norm, norm != null && isOdd(group, norm), false, compared);
    }

    /** Few ranks that are like the others but for what they hold beside: another model, or what another line makes. */
    private Grouped aside(List<PeerRank> group, List<PeerRank> others) {
        PeerRank first = group.getFirst();
        boolean isModel = ModelParts.bytes(first.process().model())
                        > ModelParts.bytes(others.getFirst().process().model()) / SAME
                && !compared.leaksAlone(first, others.getFirst());
        boolean isOdd = isModel || group.stream().allMatch(rank -> compared.holdsMore(rank, others));
        return new Grouped(group, part, others, isOdd, isModel, compared);
    }

    private boolean isOdd(List<PeerRank> group, List<PeerRank> norm) {
        boolean leaks =
                group.stream().allMatch(rank -> norm.stream().allMatch(other -> compared.leaksAlone(rank, other)));
        boolean holdsMore = group.stream().allMatch(rank -> compared.holdsMore(rank, norm));
        return leaks || (holdsMore && (isFew(group, norm) || isPairBroken(group, norm)));
    }

    /** Returns whether a group is small beside another, and no regular share of its part, as the first ranks of all machines would be. */
    private boolean isFew(List<PeerRank> group, List<PeerRank> norm) {
        return 2 * group.size() <= norm.size() && !isRegular(group);
    }

    /** Returns whether one of two is an outlier, since the ranks of other parts equal each other. */
    private boolean isPairBroken(List<PeerRank> group, List<PeerRank> norm) {
        return group.size() == norm.size()
                && group.size() == 1
                && parts.stream()
                        .filter(other -> !other.equals(parts.get(part)) && other.size() > 1)
                        .anyMatch(other ->
                                new PeerGroups(measures, other).groups().size() == 1);
    }

    /** Returns whether the ranks of a group come at equal distances through the whole part. */
    private boolean isRegular(List<PeerRank> group) {
        List<PeerRank> all = parts.get(part);
        int period = all.size() / group.size();
        if (group.size() == 1 || all.size() % group.size() != 0) {
            return false;
        }
        int first = all.indexOf(group.getFirst());
        for (int i = 0; i < group.size(); i++) {
            int place = first + i * period;
            if (place >= all.size() || !all.get(place).equals(group.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether this part is a few ranks beside all others, which are alike; a pipeline has two ends that differ. */
    private boolean isAside() {
        return parts.size() == 2
                && parts.get(part).size() <= FEW * parts.get(1 - part).size();
    }

    /** Returns whether these hold the model of the others, and something beside it or nothing. */
    private boolean holdsTheirModel() {
        List<BlockSize> theirs = parts.get(1 - part).getFirst().process().model();
        return ModelParts.contained(theirs, parts.get(part).getFirst().process().resident()) >= SAME;
    }
}
