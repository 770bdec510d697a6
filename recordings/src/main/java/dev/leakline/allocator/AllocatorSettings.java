package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;

import dev.leakline.lifetime.RoundedSize;
import dev.leakline.primitive.Ints;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The settings of PYTORCH_CUDA_ALLOC_CONF (PYTORCH_ALLOC_CONF since 2.9).
 *
 * @param maxSplitSize bytes from which blocks are not split and not given to smaller requests; {@link #UNLIMITED} for no such limit
 * @param roundupDivisions into how many parts the way to the next power of two is divided, for requests from 1 MiB, 2 MiB, ... to 32 GiB:
 *     16 powers of two, 0 where requests are only rounded to 512 bytes
 * @param garbageCollectionThreshold the share of the memory limit above which cached segments that went unused are released; 0 for never
 * @param expandableSegments whether new memory is mapped page by page into segments that grow
 * @param maxNonSplitRounding by how many bytes a block that must not be split may exceed a request
 * @param largeSegmentSize bytes of the segments for requests from 1 to 10 MiB, and of a large expandable segment's pages
 * @param perProcessMemoryFraction the share of the device's memory that may be used; 1 for no limit
 * @param others settings without effect on where blocks lie, as written
 */
public record AllocatorSettings(
        long maxSplitSize,
        Ints roundupDivisions,
        double garbageCollectionThreshold,
        boolean expandableSegments,
        long maxNonSplitRounding,
        long largeSegmentSize,
        double perProcessMemoryFraction,
        SortedMap<String, String> others) {
    /** No limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Bytes of a large segment ({@code kLargeBuffer}), and the rounding of blocks that are not split, unless set otherwise. */
    static final long LARGE_SEGMENT = 20 * MIB;

    /** The defaults of the allocator. */
    public static final AllocatorSettings DEFAULTS = new AllocatorSettings(
            UNLIMITED,
            Ints.of(new int[RoundedSize.DIVISIONS]),
            0,
            false,
            LARGE_SEGMENT,
            LARGE_SEGMENT,
            1,
            Collections.emptySortedMap());

    /** Keeps its own copy of the map. Throws {@link IllegalArgumentException} unless there are 16 divisions. */
    public AllocatorSettings {
        if (roundupDivisions.size() != RoundedSize.DIVISIONS) {
            throw new IllegalArgumentException(
                    "expected " + RoundedSize.DIVISIONS + " divisions, found " + roundupDivisions.size());
        }
        others = Collections.unmodifiableSortedMap(new TreeMap<>(others));
    }

    /**
     * The settings that a text of the environment variable makes, under the newest rules.
     *
     * @throws SettingsException where the allocator would refuse it
     */
    public static AllocatorSettings parse(String text) {
        return parse(text, AllocatorRules.CURRENT);
    }

    /**
     * The settings that a text of the environment variable makes.
     *
     * @throws SettingsException where the allocator of that version would refuse it
     */
    public static AllocatorSettings parse(String text, AllocatorRules rules) {
        return new SettingsParser(rules).parse(text);
    }

    /**
     * The settings that a snapshot's {@code allocator_settings} hold, which has none before torch 2.3. The text of the environment
     * variable supplies what the map has no key for; values that no allocator would have are passed over.
     */
    public static AllocatorSettings of(Map<String, Object> settings) {
        return RecordedSettings.of(settings);
    }

    /** The shortest text that {@link #parse(String)} makes these settings of; empty for the defaults. */
    public String conf() {
        return ConfText.of(this);
    }

    /** The rounding of requests. */
    public RoundedSize rounding() {
        return RoundedSize.of(roundupDivisions);
    }

    /** A copy with another size from which blocks are not split. */
    public AllocatorSettings withMaxSplitSize(long bytes) {
        return with(draft -> draft.maxSplitSize = bytes);
    }

    /** A copy with other divisions; 16 of them. */
    public AllocatorSettings withRoundupDivisions(Ints divisions) {
        return with(draft -> draft.roundupDivisions = divisions);
    }

    /** A copy with one division for all sizes. */
    public AllocatorSettings withRoundupDivisions(int divisions) {
        int[] table = new int[RoundedSize.DIVISIONS];
        Arrays.fill(table, divisions);
        return withRoundupDivisions(Ints.of(table));
    }

    /** A copy with another share of the limit above which unused segments are released. */
    public AllocatorSettings withGarbageCollectionThreshold(double share) {
        return with(draft -> draft.garbageCollectionThreshold = share);
    }

    /** A copy with or without expandable segments. */
    public AllocatorSettings withExpandableSegments(boolean expandable) {
        return with(draft -> draft.expandableSegments = expandable);
    }

    /** A copy with another excess that a block that is not split may have. */
    public AllocatorSettings withMaxNonSplitRounding(long bytes) {
        return with(draft -> draft.maxNonSplitRounding = bytes);
    }

    /** A copy with another size of large segments. */
    public AllocatorSettings withLargeSegmentSize(long bytes) {
        return with(draft -> draft.largeSegmentSize = bytes);
    }

    /** A copy with another share of the device's memory. */
    public AllocatorSettings withPerProcessMemoryFraction(double fraction) {
        return with(draft -> draft.perProcessMemoryFraction = fraction);
    }

    /** A copy with one setting more that has no effect on where blocks lie. */
    AllocatorSettings withOther(String key, String value) {
        return with(draft -> draft.others.put(key, value));
    }

    private AllocatorSettings with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.settings();
    }

    /** Settings while they are changed. */
    private static final class Draft {
        private long maxSplitSize;
        private Ints roundupDivisions;
        private double garbageCollectionThreshold;
        private boolean expandableSegments;
        private long maxNonSplitRounding;
        private long largeSegmentSize;
        private double perProcessMemoryFraction;
        private final SortedMap<String, String> others;

        private Draft(AllocatorSettings settings) {
            this.maxSplitSize = settings.maxSplitSize;
            this.roundupDivisions = settings.roundupDivisions;
            this.garbageCollectionThreshold = settings.garbageCollectionThreshold;
            this.expandableSegments = settings.expandableSegments;
            this.maxNonSplitRounding = settings.maxNonSplitRounding;
            this.largeSegmentSize = settings.largeSegmentSize;
            this.perProcessMemoryFraction = settings.perProcessMemoryFraction;
            this.others = new TreeMap<>(settings.others);
        }

        private AllocatorSettings settings() {
            return new AllocatorSettings(
                    maxSplitSize,
                    roundupDivisions,
                    garbageCollectionThreshold,
                    expandableSegments,
                    maxNonSplitRounding,
                    largeSegmentSize,
                    perProcessMemoryFraction,
                    others);
        }
    }

    @Override
    public String toString() {
        return conf();
    }
}
