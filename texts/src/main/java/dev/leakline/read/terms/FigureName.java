package dev.leakline.read.terms;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.text.Ascii;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of the name of a column, key or metric, if it names a memory figure.
 *
 * @param quantity what is measured
 * @param unit bytes of a unit of it, 0 where the name does not say
 * @param isSure whether the name says by itself that it is about memory; {@code total_bytes} may be about anything
 * @param isStatistic whether it is a key of {@code torch.cuda.memory_stats()}
 * @param isNvidia whether it is a name that nvidia-smi gives
 * @param device the ordinal of the device in the name, -1 where there is none
 */
public record FigureName(
        Quantity quantity, long unit, boolean isSure, boolean isStatistic, boolean isNvidia, int device) {
    /** Names are short; what is longer is text. */
    private static final int MOST = 120;

    private static final int MOST_DEVICE_DIGITS = 3;
    private static final int KIB_BITS = 10;

    /** A key of {@code memory_stats()}, behind whatever a logger puts before it; of its pools, all together count. */
    private static final Pattern STATISTIC = Pattern.compile(
            "(?:.*[/.])?(?:(?<stat>allocated_bytes|reserved_bytes|active_bytes"
                    + "|requested_bytes|inactive_split_bytes)\\.(?<pool>\\w+)\\.(?<metric>\\w+)|(?<count>num_ooms|num_alloc_retries))");

    /** Names of nvidia-smi's query, as it prints them. */
    private static final Pattern NVIDIA = Pattern.compile(
            "(?i)(?:memory\\.(?:used|free|total)|fb_memory_usage\\.(?:used|free|total)|(?<process>used_(?:gpu_)?memory))\\s*(?:[\\[(]Mi?B[\\])])?");

    /** Sums over calls (gpumemprof), estimates of what a model will need (Ollama), shares (W&B, whose {@code gpu.0.memory} is the time that memory was accessed), memory the driver keeps, counters of a pool, files of a program ({@code memory.cc:212}). */
    private static final Pattern NO_LEVEL =
            Pattern.compile("(?:.*\\.)?(?:total_memory_(?:allocated|freed|from_repeated)|total_(?:de)?allocation_bytes"
                    + "|avg_memory_allocated|memory_from_repeated)|.*gpu\\.\\d+\\.(?:process\\.)?memory(?:Allocated)?|(?:.*\\.)?(?:requests|limits)\\.memory|ReqMem|memory\\.(?:reserved|weights|graph|required|gpu_overhead).*|.*\\.(?:all|small_pool|large_pool)\\.\\w+"
                    + "|.*\\.(?:cc|cpp|cxx|cu|cuh|c|h|hpp|py|rs|go|java|js|ts)");

    /** Figures whose names say too little to be understood by their words: fairseq's. */
    private static final Set<String> FREE_GIB = Set.of("gb_free", "train_gb_free", "valid_gb_free");
    /** Files of a control group, of which the name is all there is. */
    private static final Set<String> CGROUP =
            Set.of("memory.current", "memory.usage_in_bytes", "memory.rss", "memory.anon");

    /** The figure that a name stands for; null if none. */
    public static @Nullable FigureName of(String name) {
        if (name.length() > MOST) {
            return null;
        }
        FigureName byHeart = byHeart(name);
        if (byHeart != null) {
            return byHeart;
        }
        Matcher nvidia = NVIDIA.matcher(name);
        return nvidia.matches()
                ? nvidia(name, nvidia.group("process") != null)
                : NO_LEVEL.matcher(name).matches() ? null : ofWords(name);
    }

    /** The meaning of a name that is known as a whole, since its words do not tell; null for any other. */
    public static @Nullable FigureName byHeart(String name) {
        if (FREE_GIB.contains(name)) {
            return new FigureName(Quantity.DEVICE_FREE, unit(3), true, false, false, -1);
        }
        if (CGROUP.contains(name) || Subject.isOfProbe(name)) {
            return new FigureName(Quantity.HOST_USED, 1, true, false, false, -1);
        }
        if (!name.contains("_bytes.") && !name.contains("num_")) {
            return null;
        }
        Matcher statistic = STATISTIC.matcher(name);
        return statistic.matches() ? statistic(statistic) : null;
    }

    /** Returns whether a name is that of a file of a control group, behind which its value may stand without a mark. */
    public static boolean isOfGroup(String name) {
        return CGROUP.contains(name);
    }

    /** Returns whether a name is surely that of a figure of memory. */
    public static boolean isSure(String name) {
        FigureName figure = of(name);
        return figure != null && figure.isSure;
    }

    private static @Nullable FigureName statistic(Matcher key) {
        Quantity quantity = key.group("count") == null
                ? statistic(key.group("stat"), key.group("pool"), key.group("metric"))
                : key.group("count").equals("num_ooms") ? Quantity.OUT_OF_MEMORY : Quantity.RETRIES;
        return quantity == null ? null : new FigureName(quantity, 1, true, true, false, -1);
    }

    private static @Nullable Quantity statistic(String stat, String pool, String metric) {
        if (!pool.equals("all")) {
            return null;
        }
        return switch (metric) {
            case "current" ->
                switch (stat) {
                    case "allocated_bytes" -> Quantity.ALLOCATED;
                    case "reserved_bytes" -> Quantity.RESERVED;
                    case "active_bytes" -> Quantity.ACTIVE;
                    case "requested_bytes" -> Quantity.REQUESTED;
                    default -> Quantity.INACTIVE_SPLIT;
                };
            case "peak" ->
                switch (stat) {
                    case "allocated_bytes" -> Quantity.PEAK_ALLOCATED;
                    case "reserved_bytes" -> Quantity.PEAK_RESERVED;
                    default -> null;
                };
            default -> null;
        };
    }

    private static FigureName nvidia(String name, boolean isProcess) {
        String small = name.toLowerCase(Locale.ROOT);
        Quantity quantity = isProcess
                ? Quantity.PROCESS_USED
                : small.contains("free")
                        ? Quantity.DEVICE_FREE
                        : small.contains("total") ? Quantity.DEVICE_TOTAL : Quantity.DEVICE_USED;
        return new FigureName(
                quantity, small.endsWith("]") || small.endsWith(")") ? unit(2) : 0, true, false, true, -1);
    }

    private static @Nullable FigureName ofWords(String name) {
        char[] text = name.toCharArray();
        int senses = 0;
        int power = name.endsWith("(B)") ? 0 : -1; // rocm-smi's bytes
        int device = -1;
        for (int at = 0; at < text.length; ) {
            int to = endOfWord(text, at, text.length);
            int word = to == at ? 0 : WordSenses.of(text, at, to);
            power = WordSenses.power(word) < 0 ? power : WordSenses.power(word);
            senses |= word;
            device = WordSenses.has(word, WordSenses.DEVICE) && device < 0 ? deviceBehind(text, to) : device;
            at = Math.max(to, at + 1);
        }
        boolean isOfMemory = WordSenses.isSizeOfPlace(senses)
                || WordSenses.has(senses, WordSenses.MEMORY | WordSenses.STATE | WordSenses.PEAK);
        boolean isRead = name.indexOf('%') < 0 && isOfMemory;
        Quantity quantity = isRead ? WordSenses.quantity(senses) : null;
        return quantity == null
                ? null
                : new FigureName(
                        quantity, power < 0 ? 0 : unit(power), WordSenses.isSure(senses), false, false, device);
    }

    /** The end of the run of letters that begins at a place; the place itself where none does. */
    public static int endOfWord(char[] text, int from, int length) {
        int to = from;
        while (to < length && Ascii.isLetter(text[to])) {
            to++;
        }
        return to;
    }

    /** The number behind the word for a device, as in {@code gpu.0.memory}. */
    private static int deviceBehind(char[] text, int from) {
        int at = from;
        while (at < text.length && at <= from + 1 && !Character.isLetterOrDigit(text[at])) {
            at++;
        }
        int to = at;
        while (to < text.length && to <= at + MOST_DEVICE_DIGITS && text[to] >= '0' && text[to] <= '9') {
            to++;
        }
        boolean isNumber = to > at && to - at <= MOST_DEVICE_DIGITS;
        return isNumber ? Integer.parseInt(new String(text, at, to - at)) : -1;
    }

    /** Bytes of a power of 1024. */
    public static long unit(int power) {
        return 1L << (KIB_BITS * power);
    }
}
