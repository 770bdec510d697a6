package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.StackTable;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.floor.StepProfile;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.result.Acquittal;
import dev.leakline.result.Acquittal.Reason;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.result.StepSummary.Phase;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Explains memory that stays or swings but does not leak: for each reason the line with the most, and the sum of all. */
public final class Acquittals {
    /** Requests that differ by this much from step to step follow the input; what is the same in every step makes less. */
    private static final double VARIES = 0.1;

    /** The steps after which all that a step hands on to the next, such as gradients, is there. */
    private static final int CARRIED = 2;
    /** Most of what a line frees must be freed in piles for it to be periodic. */
    private static final double HALF = 0.5;
    /** Memory of a smaller share of the peak nobody takes for a leak. */
    static final double SMALLEST_SHARE = 0.005;

    private static final Site NOWHERE = new Site(Site.Kind.NO_STACK, new Frame("", 0, ""));

    private static final class Sum {
        private long bytes;
        private int lines;
        private long largest = -1;
        private Site site = NOWHERE;
        private String text = "";
    }

    private final Evidence evidence;
    private final Collector collector;
    private final OpenQuestions questions;
    private final Loading loading;
    private final Rolling rolling;
    private final Replacing replacing;
    private final int steps;
    private final Map<Reason, Sum> sums = new EnumMap<>(Reason.class);

    Acquittals(Evidence evidence, Loading loading, Rolling rolling, Replacing replacing) {
        this.evidence = evidence;
        this.collector = new Collector(evidence);
        this.questions = new OpenQuestions(evidence);
        this.loading = loading;
        this.rolling = rolling;
        this.replacing = replacing;
        this.steps = evidence.steps().count();
    }

    /** The reasons, those that look most like leaks first. That peaks follow the input is none beside a leak: some of what is requested stays then. */
    List<Acquittal> list(boolean isLeaking) {
        evidence.groups().all().forEach(this::acquit);
        if (!isLeaking) {
            addInputSize();
        }
        addPhases();
        List<Acquittal> list = new ArrayList<>();
        for (Map.Entry<Reason, Sum> entry : sums.entrySet()) {
            Sum sum = entry.getValue();
            String more = sum.lines == 1
                    ? ""
                    : "; with " + (sum.lines - 1) + (sum.lines == 2 ? " more line, " : " more lines, ")
                            + ByteSize.format(sum.bytes);
            list.add(Acquittal.at(sum.site, entry.getKey(), sum.site.locate(sum.text) + more, sum.bytes));
        }
        return list;
    }

    private void acquit(Group group) {
        Ratchet test = evidence.groups().test(group);
        long[] floor = evidence.groups().floor(group.survivors());
        long high = 0;
        for (long bytes : floor) {
            high = Math.max(high, bytes);
        }
        if (high <= SMALLEST_SHARE * evidence.peakBytes()) {
            return;
        }
        if (test != null && test.shape() == Shape.GROWS) {
            acquitGrowing(group, test, high);
            return;
        }
        Releases releases = new Releases(evidence, group.survivors());
        boolean isCycle = releases.share() >= HALF && collector.made(releases);
        if (isCycle
                || questions.isUncertain(group)
                || questions.isOpen(group, releases)
                || questions.isRegular(group)) {
            return;
        }
        int lastRise = lastRise(floor, high);
        boolean isOfBlas = isOfBlas(group);
        String size = isOfBlas ? Acquittal.ofWorkspaces(ByteSize.format(high)) : ByteSize.format(high);
        int deaths = deathsAfter(group.survivors(), lastRise);
        if (releases.count() > 1 && releases.share() > HALF) {
            add(
                    Reason.PERIODIC,
                    group,
                    releases.largestBytes(),
                    "up to " + ByteSize.format(releases.largestBytes()) + " pile up and are freed " + releases.count()
                            + " times " + freedBy(releases));
        } else if (lastRise > CARRIED && deaths <= 1 && isOfTraining(group)) {
            add(
                    Reason.MODEL_STATE,
                    group,
                    high,
                    size + " of gradients and optimizer state by step " + lastRise
                            + ", stable since, as when layers are trained from some step on");
        } else if (deaths > 1 && lastRise > CARRIED) {
            add(
                    Reason.BOUNDED_CACHE,
                    group,
                    high,
                    size + " by step " + lastRise + "; later allocations replaced earlier ones");
        } else if (lastRise == 0) {
            add(
                    Reason.MODEL_STATE,
                    group,
                    high,
                    size + " allocated before the first step; "
                            + (deaths == 0 ? "live through every step" : "never more since"));
        } else if (lastRise <= Thresholds.WARM_UP_SHARE * steps
                || group.survivors().size() == 1) {
            add(Reason.WARM_UP, group, high, size + " by step " + lastRise + ", stable since");
        } else {
            add(Reason.BOUNDED_CACHE, group, high, size + " by step " + lastRise + " of " + steps + ", stable since");
        }
    }

    private boolean isOfTraining(Group group) {
        return evidence.isOfTraining(
                group.kind(), evidence.survivors().allocation(group.survivors().get(0)));
    }

    /** Names the code that frees piles, as far as it is known. A line that allocates as well does more than call the collector. */
    private String freedBy(Releases releases) {
        if (!collector.canTell()) {
            return "by the program or Python's collector";
        }
        int stack = collector.onlyPlace(releases);
        Site site =
                stack == StackTable.NONE ? NOWHERE : evidence.stacks().of(stack).site();
        if (site.kind() != Site.Kind.USER) {
            return "by the program";
        }
        boolean mayCollect = evidence.profile()
                .steps(other -> evidence.stacks().of(other).site().equals(site))
                .isEmpty();
        return "by " + site.inWords() + (mayCollect ? " (as reference cycles, if that is gc.collect())" : "");
    }

    /** Returns whether a group is what PyTorch gave to cuBLAS. */
    private boolean isOfBlas(Group group) {
        boolean isOfBlas = true;
        for (int i = 0; i < group.survivors().size() && isOfBlas; i++) {
            int allocation = evidence.survivors().allocation(group.survivors().get(i));
            isOfBlas = BlasWorkspace.is(evidence.lifetimes().requested(allocation))
                    || evidence.stacks().of(evidence.sites().stack(allocation)).isForBlas();
        }
        return isOfBlas;
    }

    private void acquitGrowing(Group group, Ratchet test, long high) {
        Grower grower = Grower.of(group, test);
        if (loading.explains(grower)) {
            add(
                    Reason.MODEL_STATE,
                    group,
                    high,
                    ByteSize.format(high) + " by step " + test.lastStep()
                            + ", allocated one after another before the work begins, as when a model or data is loaded");
        } else if (rolling.explains(grower)) {
            add(
                    Reason.BOUNDED_CACHE,
                    group,
                    high,
                    ByteSize.format(high)
                            + " at most; since it is full, an entry goes for each that comes: its entries become larger, not more");
        } else if (replacing.answer(grower) == Replacing.Answer.REPLACED) {
            add(
                    Reason.BOUNDED_CACHE,
                    group,
                    high,
                    ByteSize.format(high) + " replace blocks of the same sizes " + replacing.makers(grower)
                            + ": what is live of those sizes does not grow");
        }
    }

    private static int lastRise(long[] floor, long high) {
        int step = 0;
        while (floor[step] < high) {
            step++;
        }
        return step;
    }

    private int deathsAfter(IntArrayList survivors, int step) {
        int deaths = 0;
        for (int i = 0; i < survivors.size(); i++) {
            int end = evidence.survivors().end(survivors.get(i));
            deaths += end >= step && end < steps ? 1 : 0;
        }
        return deaths;
    }

    private void add(Reason reason, Group group, long bytes, String text) {
        Sum sum = sums.computeIfAbsent(reason, _ -> new Sum());
        sum.bytes += bytes;
        sum.lines++;
        long weight = isOfBlas(group) ? 0 : bytes;
        if (weight > sum.largest) {
            sum.largest = weight;
            sum.text = text;
            int survivor = group.survivors().get(0);
            sum.site = evidence.sites().site(evidence.survivors().allocation(survivor));
        }
    }

    /** Steps that allocate as often, but now more, now less, and give it all back. */
    private void addInputSize() {
        StepProfile profile = evidence.profile();
        long least = profile.usualLeast();
        long most = profile.usualMost();
        boolean isSeen = evidence.survivors().changesInput();
        if (isSeen && most - least >= VARIES * most && profile.spreadOfAllocations() < VARIES) {
            addGeneral(
                    Reason.INPUT_SIZE,
                    most - least,
                    "steps request between " + ByteSize.format(least) + " and " + ByteSize.format(most)
                            + " in all and free it; the peak follows the input, what stays does not");
        }
    }

    private void addPhases() {
        int warm = StepSummaries.warmUp(evidence.groups().floorOfSteady());
        List<Phase> phases = StepSummaries.phases(evidence).stream()
                .filter(phase -> phase.lastStep() >= warm)
                .toList();
        Set<String> names = new HashSet<>();
        phases.forEach(phase -> names.add(phase.name()));
        int longer = (int) phases.stream()
                .filter(phase -> phase.lastStep() > phase.firstStep())
                .count();
        if (names.size() > 1 && longer > 1) {
            addGeneral(
                    Reason.PHASES,
                    0,
                    "the run changes between " + names.size() + " patterns of steps, "
                            + Numbers.counted(phases.size() - 1, "time"));
        }
    }

    private void addGeneral(Reason reason, long bytes, String text) {
        Sum sum = new Sum();
        sum.bytes = bytes;
        sum.lines = 1;
        sum.text = text;
        sums.put(reason, sum);
    }
}
