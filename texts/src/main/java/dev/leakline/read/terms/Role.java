package dev.leakline.read.terms;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Roles of columns or keys that are not figures but describe those beside them. */
public enum Role {
    /** A moment; a number that is no Unix time is a duration and says nothing. */
    TIME(
            "timestamp timestamps timestamp_ns timestamp_us timestamp_ms time_ns time_us time ts t datetime date_time wall_time last_memory_check created_at"),
    /** A date beside a column with the time of the day. */
    DATE("date"),
    /** Seconds since a beginning. */
    ELAPSED(
            "elapsed elapsed_s elapsed_sec elapsed_secs elapsed_seconds elapsed_time seconds time_s time_sec time_secs time_seconds runtime relative_time"
                    + " uptime"),
    STEP("steps current_step current_steps iteration_number num_updates global_step/max_steps"),
    EPOCH("epoch cur_epoch current_epoch epoch_num"),
    DEVICE(
            "gpu gpu_id gpu_index gpu_idx gpu_num index idx device device_id deviceid device_index minor_number ordinal"),
    /** A name of a device that is no ordinal. */
    DEVICE_ID("uuid gpu_uuid pci.bus_id gpu_bus_id serial gpu_serial"),
    PROCESS("pid process_id"),
    PROCESS_NAME("process_name command process"),
    RANK("rank global_rank local_rank"),
    /** A figure that only monitors of devices have: what stands beside it is about devices, not about one process. */
    MONITOR("");

    private static final Map<String, Role> NAMES = names();
    private static final Pattern MONITORED =
            Pattern.compile(".*(?:temperature|power|fan|utili[sz]ation|pstate|ecc\\.).*");
    private static final int MOST = 60;

    private final String names;

    Role(String names) {
        this.names = names;
    }

    private static Map<String, Role> names() {
        Map<String, Role> names = new HashMap<>();
        for (Role role : values()) {
            List.of(role.names.split(" ", -1)).forEach(name -> names.put(name, role));
        }
        return names;
    }

    /** The role that a name stands for, null if none; loggers put paths before names, monitors units behind. */
    public static @Nullable Role of(String name) {
        if (name.length() > MOST) {
            return null;
        }
        String small = name.toLowerCase(Locale.ROOT).strip().replaceFirst("^[_@]", "");
        Role whole = NAMES.get(small);
        Role last = whole == null ? NAMES.get(small.substring(small.lastIndexOf('/') + 1)) : whole;
        if (last != null && !small.isEmpty()) {
            return last;
        }
        return MONITORED.matcher(small).matches() ? MONITOR : isStep(name) ? STEP : null;
    }

    private static boolean isStep(String name) {
        char[] text = name.toCharArray();
        int senses = 0;
        for (int at = 0; at < text.length; ) {
            int to = FigureName.endOfWord(text, at, text.length);
            senses |= to == at ? 0 : WordSenses.of(text, at, to);
            at = Math.max(to, at + 1);
        }
        int others = WordSenses.NO_STEP | WordSenses.NEVER | WordSenses.PEAK | WordSenses.MEMORY | WordSenses.UNIT;
        return WordSenses.has(senses, WordSenses.STEP) && !WordSenses.has(senses, others);
    }
}
