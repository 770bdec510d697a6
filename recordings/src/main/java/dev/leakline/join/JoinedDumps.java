package dev.leakline.join;

import dev.leakline.join.HeldBlocks.Sum;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.JoinedDump.Held;
import dev.leakline.result.Site;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins the dumps of a process with the devices of a snapshot. */
public final class JoinedDumps {
    /** Groups that are kept beside the findings; nobody reads on. */
    private static final int MOST = 100;
    /** A dump and a snapshot that were written one right after the other have nearly all in common; other moments have less. */
    private static final double SAME_MOMENT = 0.95;

    private static final String ENDED = "it grew, and no more at the end of the recording";
    private static final String LEFT = "only the cycle refers to it, since the program's functions have returned";
    private static final String UNJOINED = "not joined: ";
    private static final String EARLIER =
            ". To see who held the memory, take a dump while the job runs: use leakline attach, or call"
                    + " leakline_probe.step() in the loop, so that leakline run takes dumps while memory grows";

    private final ProcessDump dump;
    private final List<DeviceJoin> devices;
    /** True where there are findings whose holders are wanted. */
    private final boolean isWanted;

    private final int storages;
    private final int matched;

    private JoinedDumps(ProcessDump dump, List<DeviceJoin> devices, boolean isWanted) {
        this.dump = dump;
        this.devices = devices;
        this.isWanted = isWanted;
        this.storages = devices.stream().mapToInt(DeviceJoin::storages).sum();
        this.matched = devices.stream().mapToInt(DeviceJoin::matched).sum();
    }

    /**
     * Matches dumps with a snapshot.
     *
     * @param input the index of the snapshot
     * @param devices what they have to do with each of its devices
     * @param isWanted whether there are findings whose holders are wanted
     */
    public static JoinedDump of(ProcessDump dump, int input, List<DeviceJoin> devices, boolean isWanted) {
        return new JoinedDumps(dump, devices, isWanted).join(input);
    }

    /** Makes the result of dumps without a matching snapshot: the owners, without the lines that allocated. */
    public static JoinedDump alone(ProcessDump dump) {
        List<String> notes = new ArrayList<>(List.of(UNJOINED + "no snapshot of the same process was given"));
        notes.addAll(dump.holders().coverage());
        return new JoinedDump(
                dump.inputs(),
                null,
                dump.holders().totals().storages(),
                0,
                dump.holders().totals().bytes(),
                0,
                dump.holders().groups().stream()
                        .limit(MOST)
                        .map(group -> new Held(
                                group.signature(),
                                group.title(),
                                group.verdict(),
                                reason(group),
                                group.bytes(),
                                group.storages(),
                                0,
                                null))
                        .toList(),
                notes);
    }

    /** Makes the result of a dump that was written when most memory of an earlier one was already freed. */
    public static JoinedDump late(int number, int storages) {
        String note =
                UNJOINED + "an earlier dump says more; since then functions had returned, or most memory was freed";
        return new JoinedDump(List.of(number), null, storages, 0, 0, 0, List.of(), List.of(note));
    }

    private JoinedDump join(int input) {
        boolean fits = devices.stream().anyMatch(DeviceJoin::fits);
        HeldBlocks all = new HeldBlocks();
        HeldBlocks rest = new HeldBlocks();
        devices.forEach(device -> all.addAll(device.all()));
        devices.forEach(device -> rest.addAll(device.rest()));
        return new JoinedDump(
                dump.inputs(),
                fits ? input : null,
                storages,
                matched,
                all.bytes(),
                all.unseen().bytes(),
                rest.groups().stream().limit(MOST).map(this::held).toList(),
                notes(fits));
    }

    /**
     * The memory of a group. Dumps that were made while it grew say no more where the recording shows that its growth ended, as a window of results with
     * their graphs has them, nor does a cycle that a program left when its functions returned.
     */
    private Held held(Sum sum) {
        Group group = dump.holders().groups().get(sum.group());
        @Nullable Site site = sum.site();
        boolean hasEnded = site != null
                && group.verdict() == Verdict.STUCK
                && devices.stream().anyMatch(device -> device.ended().contains(site));
        boolean isLeft = dump.process().isOver() && group.owner() == Owner.CYCLE;
        return new Held(
                group.signature(),
                group.title(),
                hasEnded || isLeft ? Verdict.UNKNOWN : group.verdict(),
                hasEnded ? ENDED : isLeft ? LEFT : reason(group),
                sum.bytes(),
                sum.blocks(),
                sum.steps(),
                site);
    }

    /** Why a group is judged as it is; where nothing else is known, that it grew from dump to dump. */
    private static String reason(Group group) {
        String known = group.path().getLast().reason();
        Growth growth = group.growth();
        return known.isEmpty() && growth != null && growth.newStorages() > 0 && growth.hasGrown()
                ? "it grew: " + growth.sentence()
                : known;
    }

    private List<String> notes(boolean fits) {
        List<String> notes = new ArrayList<>();
        if (!fits) {
            notes.add(UNJOINED + stranger());
        } else if (matched < SAME_MOMENT * storages) {
            notes.add(Numbers.counted(storages - matched, "storage")
                    + " of the dump were not live at the same time as the others: the dump was taken at a"
                    + " moment that the snapshot does not record");
        }
        devices.forEach(device -> notes.addAll(device.notes()));
        notes.addAll(dump.holders().coverage());
        return notes;
    }

    private String stranger() {
        if (storages == 0) {
            return dump.process().storages().size() == 0
                    ? "no tensor was left on a device when it was written" + (isWanted ? EARLIER : "")
                    : "its tensors are not on a device of the snapshot; leakline run --target chooses the device type";
        }
        return "at most " + matched + " of its " + Numbers.counted(storages, "storage")
                + " were live in the snapshot at the same time: the dump is from another process, or from a time that is not recorded";
    }
}
