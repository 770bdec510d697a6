package dev.leakline.join;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A dump beside a device of the same process: the moment at which it was made, and which storage each block is.
 *
 * <p>A storage is a block where it is at the same place and as large, at the moment at which the dump was made ({@link DumpMoment}). A dump of
 * which fewer than half of the storages were ever blocks at once is of another process, and tells nothing; one that was made after the
 * snapshot fits where half of the blocks that were live in that are in it.
 */
public final class DumpMatch {
    /**
     * Blocks that only cycles of one shape keep, to which nothing outside refers.
     *
     * @param cycle the shape
     * @param allocations the blocks, in the order in which they were recorded
     */
    public record Garbage(Cycle cycle, IntArrayList allocations) {}

    private final Lifetimes lifetimes;
    private final ProcessDump dump;
    private final DeviceStorages storages;
    private final DumpMoment moment;
    private final DeviceJoin device;

    private DumpMatch(Lifetimes lifetimes, ProcessDump dump) {
        this.lifetimes = lifetimes;
        this.dump = dump;
        this.storages = new DeviceStorages(dump.process().storages(), lifetimes.device());
        this.moment = DumpMoment.of(lifetimes, storages, dump.timeMicros());
        this.device = DeviceJoin.match(storages.count(), moment.found(), wanted());
    }

    /** Matches a dump with a device. */
    public static DumpMatch of(Evidence evidence, ProcessDump dump) {
        return new DumpMatch(evidence.lifetimes(), dump);
    }

    /** Storages that must have been blocks: where the dump was made after the snapshot, what was allocated between the two cannot be there. */
    private int wanted() {
        int events = lifetimes.events().count();
        boolean isLater = events > 0 && dump.timeMicros() > lifetimes.events().timeMicros(events - 1);
        return isLater ? Math.min(storages.count(), live().size()) : storages.count();
    }

    /** Returns whether dump and device are of the same process. */
    public boolean fits() {
        return device.fits();
    }

    /** The event after which the dump was made. */
    public int event() {
        return moment.event();
    }

    DeviceJoin device() {
        return device;
    }

    ProcessDump dump() {
        return dump;
    }

    /** The allocations that were live when the dump was made. */
    IntArrayList live() {
        return lifetimes.liveAfter(moment.event());
    }

    /** The number of the dump's group that an allocation belongs to, {@link HeldBlocks#UNSEEN} where it is no storage of the dump. */
    int group(int allocation) {
        int storage = storages.of(lifetimes, allocation);
        return storage == DeviceStorages.NONE
                ? HeldBlocks.UNSEEN
                : dump.process().groups().get(storage);
    }

    /** The way to the container in which a block piles up, without its keys; empty where the dump shows none. */
    public String container(int allocation) {
        int number = lifetimes.isLive(allocation, event()) ? group(allocation) : HeldBlocks.UNSEEN;
        Group group =
                number == HeldBlocks.UNSEEN ? null : dump.holders().groups().get(number);
        Accumulation pile = group == null ? null : group.accumulation();
        return group == null || pile == null
                ? ""
                : group.path().subList(0, pile.hop() + 1).stream()
                        .map(hop -> hop.label().startsWith("[") ? "[]" : hop.label())
                        .collect(Collectors.joining(" ", group.path().getFirst().text(), ""));
    }

    /** The blocks that wait for the garbage collector, by the shape of the cycles, those with the most blocks first. */
    public List<Garbage> garbage() {
        Map<Integer, Garbage> byGroup = new TreeMap<>();
        for (IntCursor live : live()) {
            int group = group(live.value);
            Cycle cycle = group == HeldBlocks.UNSEEN ? null : dump.cycle(group);
            if (cycle != null && cycle.isCollectable()) {
                byGroup.computeIfAbsent(group, _ -> new Garbage(cycle, new IntArrayList()))
                        .allocations()
                        .add(live.value);
            }
        }
        return byGroup.values().stream()
                .sorted(Comparator.comparingInt(
                                (Garbage each) -> -each.allocations().size())
                        .thenComparing(each -> each.cycle().signature()))
                .toList();
    }
}
