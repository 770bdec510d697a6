package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists the settings worth trying for a job that ran under others: each option alone in a range of values that people use, and the pairs
 * that help against two problems at once. Large blocks that must not be split and expandable segments are never paired; PyTorch's own
 * issues tell of memory that grows without end under both.
 */
final class SettingsGrid {
    /** From a little above the smallest that is allowed to where only the largest activations are kept whole. */
    private static final int[] MAX_SPLIT_MIB = {32, 64, 128, 256, 512};
    /** Finer divisions waste less and match less often; below 4 a request may waste a third of itself. */
    private static final int[] DIVISIONS = {4, 8, 16};
    /** Shares of the limit. PyTorch's own documentation names 0.8; lower ones release more often. */
    private static final double[] THRESHOLDS = {0.8, 0.6};

    private SettingsGrid() {}

    /** The settings to try, without those of the recording. */
    static List<AllocatorSettings> around(AllocatorSettings recorded) {
        AllocatorSettings plain = plain(recorded);
        AllocatorSettings expandable = plain.withExpandableSegments(true);
        List<AllocatorSettings> grid = new ArrayList<>(List.of(plain, expandable));
        for (int mebibytes : MAX_SPLIT_MIB) {
            grid.add(plain.withMaxSplitSize(mebibytes * MIB));
        }
        for (int divisions : DIVISIONS) {
            grid.add(plain.withRoundupDivisions(divisions));
        }
        grid.add(expandable.withRoundupDivisions(4));
        grid.add(expandable.withRoundupDivisions(8));
        grid.add(plain.withMaxSplitSize(128 * MIB).withRoundupDivisions(8));
        grid.add(plain.withMaxSplitSize(256 * MIB).withRoundupDivisions(8));
        if (recorded.perProcessMemoryFraction() < 1) {
            for (double threshold : THRESHOLDS) {
                grid.add(plain.withGarbageCollectionThreshold(threshold));
            }
        }
        grid.removeIf(settings -> settings.conf().equals(recorded.conf()));
        return grid;
    }

    /** The few that help most often: one against pieces, one against pieces of large blocks, one against sizes that never match. */
    static List<AllocatorSettings> likeliest(AllocatorSettings recorded) {
        AllocatorSettings plain = plain(recorded);
        List<AllocatorSettings> few = new ArrayList<>(List.of(
                plain.withExpandableSegments(true), plain.withMaxSplitSize(128 * MIB), plain.withRoundupDivisions(8)));
        few.removeIf(settings -> settings.conf().equals(recorded.conf()));
        return few;
    }

    /** The defaults, with what a recording set besides where blocks lie. */
    private static AllocatorSettings plain(AllocatorSettings recorded) {
        return recorded.withMaxSplitSize(AllocatorSettings.UNLIMITED)
                .withRoundupDivisions(AllocatorSettings.DEFAULTS.roundupDivisions())
                .withGarbageCollectionThreshold(0)
                .withExpandableSegments(false)
                .withMaxNonSplitRounding(AllocatorSettings.DEFAULTS.maxNonSplitRounding());
    }
}
