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
            PeerGroups compared) {}

    /** A part of less than this share of the largest, and of no other size, is no stage: stages have as many ranks as each other. */
    private static final double FEW = 0.25;
    /** What may differ of a model that is there a second time: buffers, and what was padded. */
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
        List<PeerRank> whole = isExtraModel() ? parts.get(1 - part) : null;
        List<Grouped> all = new ArrayList<>();
        for (List<PeerRank> group : groups) {
            boolean isNorm = group.equals(norm);
            boolean isOdd = !isNorm && isOdd(group, norm);
            boolean isModel = isNorm && whole != null;
            all.add(new Grouped(
                    group, part, isModel ? whole : isNorm ? null : norm, isOdd || isModel, isModel, compared));
        }
        return all;
    }

    private boolean isOdd(List<PeerRank> group, List<PeerRank> norm) {
        boolean leaks =
                group.stream().allMatch(rank -> norm.stream().allMatch(other -> compared.leaksAlone(rank, other)));
        boolean holdsMore = group.stream().allMatch(rank -> compared.holdsMore(rank, norm));
        return leaks || (holdsMore && (isFew(group, norm) || isPairBroken(group, norm)));
    }

    /** Whether a group is small beside another, and no regular share of its part, as the first ranks of all machines would be. */
    private boolean isFew(List<PeerRank> group, List<PeerRank> norm) {
        return 2 * group.size() <= norm.size() && !isRegular(group);
    }

    /** Of two, one is odd where the ranks of other parts equal each other. */
    private boolean isPairBroken(List<PeerRank> group, List<PeerRank> norm) {
        return group.size() == norm.size()
                && group.size() == 1
                && parts.stream()
                        .filter(other -> !other.equals(parts.get(part)) && other.size() > 1)
                        .anyMatch(other ->
                                new PeerGroups(measures, other).groups().size() == 1);
    }

    /** Whether the ranks of a group come at equal distances through the whole part. */
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

    /** Whether this part is a few ranks that hold the model of all others and something beside it; a pipeline has two ends that differ. */
    private boolean isExtraModel() {
        if (parts.size() != 2
                || parts.get(part).size() > FEW * parts.get(1 - part).size()) {
            return false;
        }
        List<BlockSize> mine = parts.get(part).getFirst().process().model();
        List<BlockSize> theirs = parts.get(1 - part).getFirst().process().model();
        long shared = 0;
        for (BlockSize size : theirs) {
            int blocks = mine.stream()
                    .filter(other -> other.bytes() == size.bytes())
                    .mapToInt(BlockSize::blocks)
                    .sum();
            shared += size.bytes() * Math.min(blocks, size.blocks());
        }
        return shared >= SAME * ModelParts.bytes(theirs);
    }
}
