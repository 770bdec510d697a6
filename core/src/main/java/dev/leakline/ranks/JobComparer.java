package dev.leakline.ranks;

import dev.leakline.finding.SharedFindings;
import dev.leakline.ranks.PeerRank.Measures;
import dev.leakline.ranks.RankNames.RankName;
import dev.leakline.result.Finding;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobComparison.FirstOom;
import dev.leakline.result.JobComparison.Group;
import dev.leakline.result.JobComparison.LineAcross;
import dev.leakline.result.JobComparison.Odd;
import dev.leakline.result.JobComparison.Parallelism;
import dev.leakline.result.JobComparison.Rank;
import dev.leakline.result.JobComparison.Replaced;
import dev.leakline.result.JobComparison.Unread;
import dev.leakline.result.JobSummary;
import dev.leakline.result.JobSummary.UnreadableFile;
import dev.leakline.result.ProcessSummary;
import dev.leakline.result.Site;
import dev.leakline.result.Tool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lays the processes of a job side by side. First by the model that they hold ({@link ModelParts}), since stages of a pipeline differ and are
 * none the worse for it; then, within a part, by what they do ({@link PeerGroups}). A group that is small beside another of its part is odd.
 */
public final class JobComparer {
    /** Lines of the picture of all ranks: more than a screen has room for. */
    private static final int MOST_LINES = 40;

    private final JobSummary summary;
    private final long deviceBytes;
    private final List<Unread> unread = new ArrayList<>();
    private final List<Replaced> replaced = new ArrayList<>();
    private final Map<Integer, RankName> names = new TreeMap<>();
    private final List<PeerRank> ranks = new ArrayList<>();
    private final Measures measures = new Measures();
    private final List<Group> groups = new ArrayList<>();
    private final Map<Integer, Integer> groupOf = new TreeMap<>();
    private final List<Odd> odd = new ArrayList<>();

    private JobComparer(JobSummary summary, long deviceBytes) {
        this.summary = summary;
        this.deviceBytes = deviceBytes;
    }

    /** Compares processes; {@code deviceBytes} is the memory of each device, 0 where only the recordings may tell. */
    public static JobComparison compare(JobSummary summary, long deviceBytes) {
        return new JobComparer(summary, deviceBytes).compare();
    }

    private JobComparison compare() {
        nameRanks();
        List<List<PeerRank>> parts = ModelParts.of(ranks);
        List<OddGroups.Grouped> grouped = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            grouped.addAll(OddGroups.of(measures, parts, part));
        }
        grouped.sort(Comparator.comparingInt(group -> group.ranks().getFirst().rank()));
        grouped.forEach(group -> add(group, grouped));
        odd.sort(Comparator.comparingInt(Odd::rank));
        return new JobComparison(
                JobComparison.SCHEMA,
                Tool.leakline(summary.tool().version()),
                memory(),
                ranks.stream().map(this::rank).toList(),
                groups,
                odd,
                leaking().map(PeerRank::rank).toList(),
                firstOom(),
                imbalance(),
                parallelism(grouped),
                missing(),
                unread,
                replaced,
                findings(),
                lines());
    }

    /** Gives each process its rank; of several files of a rank the latest counts. */
    private void nameRanks() {
        List<String> paths = Stream.concat(
                        summary.processes().stream().map(ProcessSummary::path),
                        summary.unreadable().stream().map(UnreadableFile::path))
                .toList();
        List<RankName> all = RankNames.of(paths);
        Map<Integer, ProcessSummary> latest = new TreeMap<>();
        for (int i = 0; i < summary.processes().size(); i++) {
            take(all.get(i), summary.processes().get(i), latest);
        }
        for (int i = summary.processes().size(); i < all.size(); i++) {
            RankName name = all.get(i);
            UnreadableFile file =
                    summary.unreadable().get(i - summary.processes().size());
            unread.add(new Unread(name.rank(), name.file(), file.reason()));
        }
        unread.sort(Comparator.comparingInt(Unread::rank).thenComparing(Unread::file));
        replaced.sort(Comparator.comparingInt(Replaced::rank).thenComparing(Replaced::file));
        latest.values().forEach(measures::add);
        latest.forEach((rank, process) -> ranks.add(measures.of(rank, process)));
    }

    private void take(RankName name, ProcessSummary process, Map<Integer, ProcessSummary> latest) {
        RankName other = names.get(name.rank());
        boolean isLater = other == null || RankNames.byIteration().compare(name.file(), other.file()) > 0;
        if (isLater) {
            names.put(name.rank(), name);
            latest.put(name.rank(), process);
            replaced.replaceAll(
                    each -> each.rank() == name.rank() ? new Replaced(each.rank(), each.file(), name.file()) : each);
        }
        if (other != null) {
            String older = isLater ? other.file() : name.file();
            String newer = isLater ? name.file() : other.file();
            replaced.add(new Replaced(name.rank(), older, newer));
        }
    }

    private void add(OddGroups.Grouped grouped, List<OddGroups.Grouped> all) {
        int number = groups.size();
        List<Integer> numbers = grouped.ranks().stream().map(PeerRank::rank).toList();
        long peak = grouped.ranks().stream()
                .mapToLong(rank -> rank.process().peak())
                .max()
                .orElse(0);
        long model = ModelParts.bytes(grouped.ranks().getFirst().process().model());
        groups.add(new Group(numbers, peak, grouped.part(), model, grouped.isOdd()));
        numbers.forEach(rank -> groupOf.put(rank, number));
        List<PeerRank> peers = grouped.peers();
        if (grouped.isOdd() && peers != null) {
            int theirs = placeOf(peers, all);
            for (PeerRank rank : grouped.ranks()) {
                Odd found = grouped.isModel()
                        ? OddRanks.ofModel(measures, rank, peers, theirs)
                        : new OddRanks(measures, rank, peers, grouped.compared(), theirs).odd();
                if (found != null) {
                    odd.add(found);
                }
            }
        }
    }

    private static int placeOf(List<PeerRank> peers, List<OddGroups.Grouped> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).ranks().equals(peers)) {
                return i;
            }
        }
        return -1;
    }

    private Rank rank(PeerRank rank) {
        RankName name = names.get(rank.rank());
        ProcessSummary process = rank.process();
        return new Rank(
                rank.rank(),
                name == null ? "" : name.host(),
                name == null ? process.path() : name.file(),
                process.peak(),
                process.reserved(),
                process.end(),
                process.steps(),
                groupOf.getOrDefault(rank.rank(), 0),
                process.composition(),
                note(rank));
    }

    /** The gaps of a recording beside those of the others. */
    private String note(PeerRank rank) {
        int most = ranks.stream().mapToInt(each -> each.process().steps()).max().orElse(0);
        int steps = rank.process().steps();
        String fewer = steps < most ? "recorded " + steps + " of " + most + " steps" : "";
        String late = rank.isLate() ? "recording began after memory was allocated" : "";
        return Stream.of(fewer, late)
                .filter(text -> !text.isEmpty())
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
    }

    private Stream<PeerRank> leaking() {
        return ranks.stream().filter(rank -> !rank.leaks().isEmpty());
    }

    /** The memory of a device, as somebody said, or as the recordings tell. */
    private long memory() {
        return deviceBytes > 0
                ? deviceBytes
                : ranks.stream()
                        .mapToLong(rank -> rank.process().deviceBytes())
                        .max()
                        .orElse(0);
    }

    private @Nullable FirstOom firstOom() {
        List<MemoryEnd> ends = ranks.stream()
                .flatMap(rank -> MemoryEnd.of(rank, deviceBytes).stream())
                .toList();
        return ends.stream()
                .min(Comparator.comparingLong(MemoryEnd::steps))
                .map(first -> new FirstOom(
                        first.rank().rank(),
                        first.steps(),
                        first.rank().process().reservedPerStep(),
                        ends.stream()
                                .filter(first::isAlike)
                                .map(end -> end.rank().rank())
                                .toList(),
                        first.rank().process().failure()))
                .orElse(null);
    }

    private double imbalance() {
        double sum = ranks.stream().mapToDouble(rank -> rank.process().peak()).sum();
        long most =
                ranks.stream().mapToLong(rank -> rank.process().peak()).max().orElse(0);
        return sum == 0 ? 0 : most * ranks.size() / sum;
    }

    /** An additional model on some ranks says nothing of how the one of all is shared out. */
    private Parallelism parallelism(List<OddGroups.Grouped> grouped) {
        Map<Integer, Integer> partOf = new TreeMap<>();
        for (OddGroups.Grouped group : grouped) {
            int part = group.isOdd() && group.isAside() ? 1 - group.part() : group.part();
            group.ranks().forEach(rank -> partOf.put(rank.rank(), part));
        }
        return ParallelLayout.of(
                partOf.values().stream().mapToInt(Integer::intValue).toArray());
    }

    /** Ranks of which there is no file, where most have one; of every so-manieth rank only that one was dumped. */
    private List<Integer> missing() {
        List<Integer> known = Stream.concat(
                        ranks.stream().map(PeerRank::rank), unread.stream().map(Unread::rank))
                .distinct()
                .sorted()
                .toList();
        List<Integer> missing = new ArrayList<>();
        int last = known.isEmpty() ? -1 : known.getLast();
        for (int rank = first(known); rank < last; rank++) {
            if (!known.contains(rank)) {
                missing.add(rank);
            }
        }
        return missing.size() < known.size() ? missing : List.of();
    }

    /** Jobs that count from 1 have a round number of ranks in the end. */
    private static int first(List<Integer> known) {
        boolean isFromOne = !known.isEmpty() && known.getFirst() == 1 && Integer.bitCount(known.getLast()) == 1;
        return isFromOne ? 1 : 0;
    }

    /** The leaks, each once: as found in the rank in which it grows fastest. */
    private List<Finding> findings() {
        List<Finding> leaks = new ArrayList<>();
        for (int input = 0; input < ranks.size(); input++) {
            for (Finding leak : ranks.get(input).process().leaks()) {
                leaks.add(leak.foundIn(input, List.of(), List.of()));
            }
        }
        leaks.sort(Comparator.comparingDouble(Finding::bytesPerStep).reversed().thenComparing(Finding::id));
        return SharedFindings.of(leaks, input -> ranks.get(input).rank());
    }

    /** The lines that hold most in any rank. */
    private List<LineAcross> lines() {
        List<LineAcross> lines = new ArrayList<>();
        for (int number = 1; number < measures.count(); number += 2) {
            List<Long> bytes = new ArrayList<>();
            List<Long> floor = new ArrayList<>();
            for (PeerRank rank : ranks) {
                bytes.add(rank.most(number, true) + rank.model(number));
                floor.add(rank.floor(number) + rank.model(number));
            }
            Site site = measures.get(number).site();
            if (site != null) {
                lines.add(new LineAcross(site, bytes, floor));
            }
        }
        lines.removeIf(line -> most(line) == 0); // those that only call others
        lines.sort(Comparator.comparingLong((LineAcross line) -> -most(line)).thenComparing(LineAcross::site));
        return List.copyOf(lines.subList(0, Math.min(lines.size(), MOST_LINES)));
    }

    private static long most(LineAcross line) {
        return line.bytes().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
