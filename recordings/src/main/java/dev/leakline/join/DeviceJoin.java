package dev.leakline.join;

import dev.leakline.result.Site;
import java.util.List;
import java.util.Set;

/**
 * The match of a dump with a device of a snapshot.
 *
 * @param storages storages of the dump that are on the device
 * @param matched how many of those were blocks when the dump was made
 * @param wanted how many there must have been at least: the storages, or fewer where the snapshot ends before the dump was made
 * @param all all blocks that were live then; empty where the dump does not fit
 * @param rest those of them that no leak or cycle is made of
 * @param ended the lines whose growth ended, as the recording shows
 * @param notes what the dump cannot tell of findings, in sentences
 */
public record DeviceJoin(
        int storages, int matched, int wanted, HeldBlocks all, HeldBlocks rest, Set<Site> ended, List<String> notes) {
    /** For the same process nearly all storages fit; for another one only a random few, since addresses are random. */
    private static final double SAME_PROCESS = 0.5;

    /** A match of which nothing more is known yet. */
    static DeviceJoin match(int storages, int matched, int wanted) {
        return new DeviceJoin(storages, matched, wanted, new HeldBlocks(), new HeldBlocks(), Set.of(), List.of());
    }

    /** The same match with the blocks that it tells of. */
    DeviceJoin of(HeldBlocks all, HeldBlocks rest, Set<Site> ended, List<String> notes) {
        return new DeviceJoin(storages, matched, wanted, all, rest, ended, notes);
    }

    /** Returns whether dump and snapshot are of the same process, as far as this device tells. */
    boolean fits() {
        return storages > 0 && matched >= SAME_PROCESS * wanted;
    }
}
