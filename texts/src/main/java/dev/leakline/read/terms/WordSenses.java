package dev.leakline.read.terms;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.source.WordTable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Senses of words in the names of figures, as data: {@code max_memory_allocated}, {@code MaxMemAllocated} and {@code peak GPU memory
 * allocation} have the same senses, and senses make a quantity.
 *
 * <p>Senses are bits, so those of a name are their union, whatever their order. Names come from torch.cuda, nvidia-smi, DCGM, gpumemprof,
 * DeepSpeed, Megatron, Lightning, mmcv, detectron2, torchtitan, torchtune and what people print. A word that tells of something other than a
 * level of memory, such as a share, a change or a limit, is {@link #NEVER}, and no figure has it in its name.
 */
public final class WordSenses {
    public static final int MEMORY = 1;
    public static final int DEVICE = 1 << 1;
    public static final int HOST = 1 << 2;
    public static final int ALLOCATED = 1 << 3;
    static final int RESERVED = 1 << 4;
    public static final int PEAK = 1 << 5;
    static final int ACTIVE = 1 << 6;
    static final int INACTIVE = 1 << 7;
    static final int REQUESTED = 1 << 8;
    public static final int USED = 1 << 9;
    static final int FREE = 1 << 10;
    public static final int TOTAL = 1 << 11;
    public static final int NEVER = 1 << 12;
    public static final int STEP = 1 << 13;
    /** A step by a less usual name, which counts where no other stands beside it. */
    public static final int BATCH = 1 << 14;

    public static final int EPOCH = 1 << 15;
    public static final int RANK = 1 << 16;
    /** With a step: the number of something else. */
    public static final int NO_STEP = 1 << 17;
    /** Before a number of steps. */
    public static final int AFTER = 1 << 18;
    /** A unit; the power of 1024 stands from {@link #POWER} on. */
    static final int UNIT = 1 << 19;
    /** Address space, whose memory need not be used, and psutil's name for all of a host's. */
    static final int VIRTUAL = 1 << 20;
    /** Something that is moved or stored: sizes beside it are those of files. */
    public static final int MOVED = 1 << 21;

    /** Before the name of a moment: what follows tells when, and not what. */
    public static final int MOMENT = 1 << 22;
    /** Gives memory back. */
    public static final int RELEASES = 1 << 23;

    public static final int POWER = 24;

    /** The senses that say what a figure is of, as distinct from where it is and in which unit. */
    public static final int STATE = ALLOCATED | RESERVED | ACTIVE | INACTIVE | REQUESTED | USED | FREE | TOTAL;

    private static final List<String> UNITS = List.of("byte bytes", "kb kib ki", "mb mib mi", "gb gib gi", "tb tib ti");

    private static final Map<Integer, String> WORDS = Map.ofEntries(
            Map.entry(MEMORY, "mem memory"),
            Map.entry(MEMORY | DEVICE, "vram hbm gpumem gmem cudamem gpumemory fb framebuffer"),
            Map.entry(MEMORY | PEAK, "maxmem peakmem maxmemory peakmemory"),
            Map.entry(DEVICE, "gpu gpus cuda device card hip rocm"),
            Map.entry(HOST, "cpu host pinned system"),
            Map.entry(MEMORY | HOST, "ram rss resident"),
            Map.entry(ALLOCATED, "allocated alloc allocation"),
            Map.entry(RESERVED, "reserved reserve resv rsvd cached cache caching"),
            Map.entry(PEAK, "peak max maximum highest"),
            Map.entry(ACTIVE, "active"),
            Map.entry(INACTIVE, "inactive"),
            Map.entry(REQUESTED, "requested"),
            Map.entry(USED, "used usage use consumed consumption"),
            Map.entry(FREE, "free available avail"),
            Map.entry(TOTAL | NO_STEP, "total capacity"),
            Map.entry(STEP, "step iter iteration iterations steps iters"),
            Map.entry(
                    BATCH,
                    "batch update updates prediction predictions request requests call calls prompt query inference generation"
                            + " fold episode rollout cycle round trial image frame"),
            Map.entry(EPOCH, "epoch epochs"),
            Map.entry(RANK, "rank"),
            Map.entry(VIRTUAL, "virtual"),
            Map.entry(
                    MOVED,
                    "download downloading downloaded upload uploading uploaded fetching fetched pulling pulled copying copied transferred"
                            + " extracting writing written reading disk storage file files dataset shard shards safetensors checkpoint net network"),
            Map.entry(AFTER | MOMENT, "after"),
            Map.entry(MOMENT, "before"),
            Map.entry(
                    RELEASES, "cleanup clean gc collect empty del delete deleting unload unloading offload offloading"),
            Map.entry(RELEASES | NEVER | NO_STEP, "release released freed"),
            Map.entry(NO_STEP, "per warmup save log every samples times train val eval micro accumulation ms s"),
            Map.entry(
                    NEVER | NO_STEP,
                    "num fraction ratio util utilization utilisation percent percentage pct perc delta diff difference change changed"
                            + " sec second seconds growth grown climb climbs leak leaks leaked leaking missing tot increase increased decrease saved saving savings limit limits threshold budget"
                            + " efficient efficiency format bandwidth clock clocks count counts retries retry split fragmentation fragmented"
                            + " segments segment blocks block allocations deallocation deallocations swap shared kv estimated"
                            + " estimate expected required requires needed needs params parameter parameters size interval time speed rate throughput address"
                            + " bus overhead wasted waste freq temperature temp power draw fan page pages region regions ready bank optimizer level type name version pin bin chunk chunks entries entry history"));

    /** DeepSpeed's marks; in capitals only. */
    private static final Map<String, Integer> CAPITALS = Map.of("MA", MEMORY | ALLOCATED, "CA", MEMORY | RESERVED);

    private static final WordTable TABLE = table();

    private WordSenses() {}

    private static WordTable table() {
        WordTable table = new WordTable();
        WORDS.forEach((senses, words) -> List.of(words.split(" ", -1)).forEach(word -> table.put(word, senses)));
        for (int power = 0; power < UNITS.size(); power++) {
            for (String unit : UNITS.get(power).split(" ", -1)) {
                table.put(unit, UNIT | (power << POWER));
            }
        }
        return table;
    }

    /** The senses of a run of letters; of several words where capitals begin them, as in {@code MaxMemAllocated}. */
    public static int of(char[] text, int from, int to) {
        int whole = TABLE.get(text, from, to);
        return whole == WordTable.OTHER ? ofParts(text, from, to) : whole;
    }

    private static int ofParts(char[] text, int from, int to) {
        if (to - from == 2 && Character.isUpperCase(text[from])) {
            return CAPITALS.getOrDefault(new String(text, from, 2), 0);
        }
        int senses = 0;
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || isBoundary(text, i, to)) {
                senses |= TABLE.get(text, start, i);
                start = i;
            }
        }
        return senses;
    }

    private static boolean isBoundary(char[] text, int at, int to) {
        return isCapital(text[at]) && (!isCapital(text[at - 1]) || (at + 1 < to && !isCapital(text[at + 1])));
    }

    private static boolean isCapital(char letter) {
        return letter <= 'Z';
    }

    /** The power of 1024 of a unit, -1 where the senses have none. */
    public static int power(int senses) {
        return (senses & UNIT) == 0 ? -1 : senses >>> POWER;
    }

    /** The quantity that a name with these senses stands for; null if it is not a level of memory. */
    public static @Nullable Quantity quantity(int senses) {
        if (has(senses, NEVER) || (has(senses, VIRTUAL) && !has(senses, USED))) {
            return null;
        }
        if (has(senses, HOST) && !has(senses, DEVICE)) {
            return has(senses, FREE | TOTAL) ? null : Quantity.HOST_USED;
        }
        return has(senses, PEAK) ? peak(senses) : level(senses);
    }

    private static Quantity peak(int senses) {
        return has(senses, RESERVED) ? Quantity.PEAK_RESERVED : Quantity.PEAK_ALLOCATED;
    }

    private static @Nullable Quantity level(int senses) {
        if (has(senses, FREE)) {
            return Quantity.DEVICE_FREE;
        }
        if (has(senses, INACTIVE)) {
            return Quantity.INACTIVE_SPLIT;
        }
        if (has(senses, REQUESTED)) {
            return Quantity.REQUESTED;
        }
        if (has(senses, RESERVED)) {
            return Quantity.RESERVED;
        }
        if (has(senses, ALLOCATED)) {
            return Quantity.ALLOCATED;
        }
        return has(senses, ACTIVE) ? Quantity.ACTIVE : use(senses);
    }

    /** A unit beside a device or the host says that it is memory: {@code gpu_gb}; with {@code per} or {@code s} it is a rate. */
    public static boolean isSizeOfPlace(int senses) {
        return has(senses, UNIT) && has(senses, DEVICE | HOST) && !has(senses, NEVER | MOVED | NO_STEP);
    }

    private static @Nullable Quantity use(int senses) {
        if (has(senses, USED)) {
            return has(senses, DEVICE) ? Quantity.DEVICE_USED : Quantity.ALLOCATED;
        }
        if (has(senses, TOTAL)) {
            return Quantity.DEVICE_TOTAL;
        }
        return has(senses, MEMORY) || isSizeOfPlace(senses) ? Quantity.ALLOCATED : null;
    }

    /** Returns whether any of some senses is among others. */
    public static boolean has(int senses, int any) {
        return (senses & any) != 0;
    }

    /** Returns whether a name says by itself that it is about memory. */
    static boolean isSure(int senses) {
        boolean isSize = has(senses, UNIT) && has(senses, RESERVED | ACTIVE | DEVICE);
        return isSize || isSizeOfPlace(senses) || has(senses, MEMORY | ALLOCATED);
    }
}
