package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.read.terms.Amount;
import dev.leakline.read.terms.FigureName;
import dev.leakline.read.terms.Role;
import dev.leakline.read.terms.TimeText;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows: names and values of a line of a table, or of an object of JSON with what is nested in it by dotted names. What a row means, its
 * names tell, so one reader serves gpumemprof's and stormlog's files, memory_stats, nvidia-smi and the logs of trainers.
 */
public final class RowReader {
    /** Names of which the meaning is kept; files have a few dozens. */
    private static final int MOST_NAMES = 10_000;
    /** Characters of a label; names of processes are paths. */
    static final int MOST_LABEL = 120;

    /** Names of devices that are kept; no machine has as many. */
    static final int MOST_DEVICES = 4096;

    /** Names that telemetry has, and statistics of a tracker, an out-of-memory bundle and a diagnosis; nothing else is known to. */
    private static final Set<String> TELEMETRY = Set.of(
            "event_type",
            "collector",
            "alert_count",
            "custom_metadata.sample_allocated_bytes",
            "risk_flags.oom_occurred");

    private static final Set<String> TELEMETRY_TIMELINE = Set.of("timestamps", "allocated", "reserved");
    private static final Pattern ORDINAL =
            Pattern.compile("(?i)(?:/?(?:device:)?(?:cuda|gpu|hip|xpu|nvidia|device|card)[:\\s#]?\\s?)?(\\d{1,4})");

    private final SeriesBook book;
    private final ProfiledCallRows calls;
    private final Map<String, Field> fields = new HashMap<>();
    /** Ordinals of devices by their other names, from rows that have both. */
    private final Map<String, Integer> devices = new HashMap<>();

    /** A reader of rows into a book. */
    public RowReader(SeriesBook book) {
        this.book = book;
        this.calls = new ProfiledCallRows(book);
    }

    /** Reads a row; what is neither a figure nor says where one belongs is passed over. A row that does not say where it belongs is where its speaker is. */
    public void read(Map<String, Object> row, Utterance speech) {
        if (!calls.read(row)) {
            new Reading(row, speech).run();
        }
    }

    /** Calls of profiled functions, in the order of their rows. */
    public List<ProfiledCall> calls() {
        return calls.found();
    }

    /** Notes on what rows of calls leave open, in sentences. */
    public List<String> notes() {
        return calls.notes();
    }

    Field field(String name) {
        Field known = fields.get(name);
        if (known != null) {
            return known;
        }
        Field field = Field.of(name);
        if (fields.size() < MOST_NAMES) {
            fields.put(name, field);
        }
        return field;
    }

    /** One row. */
    private final class Reading {
        private final Map<String, Object> row;
        private final Map<Role, Object> roles = new EnumMap<>(Role.class);
        private final String speaker;
        private final Whereabouts whereabouts;
        private final Source source;
        private final Map<Quantity, String> first = new EnumMap<>(Quantity.class);

        private int device = -1;
        private boolean isSure;

        Reading(Map<String, Object> row, Utterance speech) {
            this.row = row;
            this.speaker = speech.speaker();
            this.whereabouts = speech.whereabouts();
            boolean isStatistic = false;
            boolean isNvidia = false;
            for (Map.Entry<String, Object> entry : row.entrySet()) {
                Field field = field(entry.getKey());
                if (field.role() != null) {
                    roles.putIfAbsent(field.role(), entry.getValue());
                    device = field.role() == Role.DEVICE && device < 0 ? ordinal(entry.getValue()) : device;
                }
                if (field.figure() != null) {
                    isSure |= field.figure().isSure();
                    isStatistic |= field.figure().isStatistic();
                    isNvidia |= field.figure().isNvidia();
                }
            }
            this.source = source(isStatistic, isNvidia || roles.containsKey(Role.MONITOR));
        }

        private Source source(boolean isStatistic, boolean isMonitor) {
            if (row.keySet().stream().anyMatch(TELEMETRY::contains)
                    || row.keySet().equals(TELEMETRY_TIMELINE)) {
                return Source.TELEMETRY;
            }
            if (row.containsKey("allocated_memory") && row.containsKey("reserved_memory")) {
                return Source.PROFILER;
            }
            return isStatistic ? Source.MEMORY_STATS : isMonitor ? Source.NVIDIA_SMI : Source.LOG;
        }

        void run() {
            whereabouts.begin();
            tellPlace();
            tellDevice();
            if (isSure) {
                Place place = whereabouts.ofRow();
                row.forEach((name, value) -> add(name, value, place));
            }
        }

        private void tellPlace() {
            Amount epoch = amount(Role.EPOCH);
            if (epoch != null) {
                whereabouts.epoch(epoch.number());
            }
            Amount step = amount(Role.STEP);
            if (step != null) {
                whereabouts.step(step.number(), 0);
            }
            TimeText moment = moment();
            if (moment != null) {
                whereabouts.time(moment);
            }
        }

        private @Nullable TimeText moment() {
            Object time = roles.get(Role.TIME);
            if (time instanceof String text) {
                TimeText written =
                        TimeText.find(roles.get(Role.DATE) instanceof String date ? date + " " + text : text);
                if (written != null) {
                    return written;
                }
            }
            Amount number = amount(Role.TIME);
            TimeText unix = number == null ? null : TimeText.of(number.number());
            Amount elapsed = amount(Role.ELAPSED);
            boolean isUnix = unix != null && (unix.axis() == Axis.TIME || source == Source.TELEMETRY);
            return isUnix ? unix : elapsed == null ? null : TimeText.of(elapsed.number());
        }

        private @Nullable Amount amount(Role role) {
            Object value = roles.get(role);
            return value == null ? null : Amount.of(value);
        }

        /** Rows that have the ordinal and another name of a device teach it to those that have the name only. */
        private void tellDevice() {
            if (!(roles.get(Role.DEVICE_ID) instanceof String name) || devices.size() >= MOST_DEVICES) {
                return;
            }
            if (device >= 0) {
                devices.put(name, device);
            } else {
                device = devices.getOrDefault(name, -1);
            }
        }

        private void add(String name, Object value, Place place) {
            FigureName figure = field(name).figure();
            Amount amount = figure == null ? null : Amount.of(value);
            Quantity quantity = figure == null ? null : quantity(figure, name);
            Source source = source(name);
            boolean isSecond = quantity != null && source != Source.LOG && first.putIfAbsent(quantity, name) != null;
            if (figure == null || amount == null || quantity == null || isSecond) {
                return;
            }
            long said = amount.unit() == 0 ? figure.unit() : amount.unit();
            boolean isBytes = source == Source.TELEMETRY || source == Source.PROFILER || source == Source.MEMORY_STATS;
            int ordinal = figure.device() < 0 ? device : figure.device();
            Subject subject =
                    new Subject(source, quantity, place.axis(), ordinal, process(), label(source, name, ordinal));
            book.add(subject, place, amount.number(), said == 0 && isBytes ? 1 : said);
        }

        /** The source of a figure: beside what a monitor says, a job may have written what its allocator does. */
        private Source source(String name) {
            boolean isOfJob = source == Source.NVIDIA_SMI && name.contains("lloc");
            return isOfJob ? Source.LOG : source;
        }

        private @Nullable Quantity quantity(FigureName figure, String name) {
            Quantity quantity = figure.quantity();
            Source source = source(name);
            if (source == Source.LOG) {
                Quantity convention = Convention.of(name, row::containsKey);
                return convention == null ? quantity : convention;
            }
            if (source == Source.NVIDIA_SMI) {
                return ofDevice(quantity);
            }
            if (source == Source.TELEMETRY && isHost()) {
                return quantity == Quantity.ALLOCATED ? Quantity.HOST_USED : null;
            }
            return quantity;
        }

        /** The quantity of a monitor of devices, whose own names mostly do not say that it is of the device. */
        private Quantity ofDevice(Quantity quantity) {
            return switch (quantity) {
                case ALLOCATED -> roles.containsKey(Role.PROCESS) ? Quantity.PROCESS_USED : Quantity.DEVICE_USED;
                case PEAK_ALLOCATED -> Quantity.DEVICE_TOTAL;
                default -> quantity;
            };
        }

        /** Returns whether a tracker watched the host, whose memory it calls allocated. */
        private boolean isHost() {
            return String.valueOf(row.get("collector")).contains("cpu")
                    || "cpu".equals(row.get("device"))
                    || isMinusOne(row.get("device_id"));
        }

        private static boolean isMinusOne(@Nullable Object value) {
            Amount amount = value == null ? null : Amount.of(value);
            return amount != null && amount.number() == -1;
        }

        private long process() {
            Amount process = amount(Role.PROCESS);
            return process == null || process.number() < 0 ? -1 : (long) process.number();
        }

        private String label(Source source, String name, int ordinal) {
            StringBuilder label = new StringBuilder(speaker);
            Object rank = roles.get(Role.RANK);
            append(label, rank == null || !speaker.isEmpty() ? null : "rank " + rank);
            append(label, roles.get(Role.PROCESS_NAME));
            append(label, ordinal < 0 ? roles.get(Role.DEVICE_ID) : null);
            append(label, source == Source.LOG ? name.strip() : null);
            return label.substring(0, Math.min(label.length(), MOST_LABEL));
        }

        private static void append(StringBuilder label, @Nullable Object part) {
            if (part != null) {
                label.append(label.isEmpty() ? "" : ", ").append(part);
            }
        }
    }

    /** The ordinal that a value names, -1 where it names none. */
    static int ordinal(Object value) {
        if (value instanceof Number number) {
            return number.doubleValue() >= 0 && number.doubleValue() < MOST_DEVICES ? number.intValue() : -1;
        }
        Matcher name = ORDINAL.matcher(String.valueOf(value).strip());
        return name.matches() ? Integer.parseInt(name.group(1)) : -1;
    }

    /**
     * The meaning of a column or key: a figure, a role, or neither.
     *
     * @param figure what is measured, or null
     * @param role what it says of the figures beside it, or null
     */
    record Field(@Nullable FigureName figure, @Nullable Role role) {
        /** A name that says nothing. */
        static final Field NONE = new Field(null, null);

        static Field of(String name) {
            Role role = Role.of(name);
            FigureName figure = role == null || role == Role.MONITOR ? FigureName.of(name) : null;
            return role == null && figure == null ? NONE : new Field(figure, role);
        }
    }

    /**
     * A trainer's meaning of an ambiguous name, recognised by another name that the trainer prints beside it.
     *
     * @param name the name, in small letters
     * @param companion the other name
     * @param quantity what is printed
     */
    record Convention(String name, String companion, Quantity quantity) {
        private static final Map<String, List<Convention>> ALL = Stream.of(
                        new Convention(
                                "memory",
                                "data_time",
                                Quantity.PEAK_ALLOCATED), // mmcv and mmengine: max_memory_allocated() in MiB
                        new Convention(
                                "mem",
                                "grad_norm",
                                Quantity.PEAK_ALLOCATED), // Swin Transformer and its heirs: the same
                        new Convention("memory", "tps", Quantity.PEAK_RESERVED), // torchtitan: since the last line
                        new Convention("avail mem", "", Quantity.DEVICE_FREE), // SGLang
                        new Convention("VRAM Free", "", Quantity.DEVICE_FREE), // ComfyUI
                        new Convention("VRAM Total", "", Quantity.DEVICE_TOTAL),
                        new Convention("Memory usage", "bytes total", Quantity.DEVICE_FREE), // XLA
                        new Convention("MA", "Max_MA", Quantity.ALLOCATED), // DeepSpeed's see_memory_usage
                        new Convention("Max_MA", "MA", Quantity.PEAK_ALLOCATED),
                        new Convention("CA", "Max_CA", Quantity.RESERVED),
                        new Convention("Max_CA", "CA", Quantity.PEAK_RESERVED),
                        new Convention("used", "CPU Virtual Memory", Quantity.HOST_USED),
                        new Convention(
                                "usage",
                                "failcnt",
                                Quantity.HOST_USED), // the kernel's, of a control group at its limit
                        new Convention(
                                "Memory Utilized",
                                "",
                                Quantity.HOST_USED)) // Slurm's seff: of a job, and not of a device
                .collect(Collectors.groupingBy(
                        Convention::name, () -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER), Collectors.toList()));

        /** The quantity that a name means by convention, or null; {@code isThere} tells whether another name stands beside it. */
        static @Nullable Quantity of(String name, Predicate<String> isThere) {
            for (Convention convention : ALL.getOrDefault(name, List.of())) {
                if (isThere.test(convention.companion)) {
                    return convention.quantity;
                }
            }
            return null;
        }
    }
}
