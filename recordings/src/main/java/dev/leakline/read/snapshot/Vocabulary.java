package dev.leakline.read.snapshot;

import dev.leakline.columns.Action;
import dev.leakline.columns.StringTable;
import java.util.List;

/**
 * The words of the snapshot format. They are the first strings of every table, in this order, so a word is known by its number
 * and never compared as text again.
 */
public final class Vocabulary {
    private static final List<String> KEYS = List.of(
            "action",
            "addr",
            "device_free",
            "size",
            "stream",
            "time_us",
            "compile_context",
            "user_metadata",
            "pool_id",
            "frames",
            "name",
            "filename",
            "line",
            "device",
            "address",
            "total_size",
            "allocated_size",
            "active_size",
            "requested_size",
            "segment_type",
            "segment_pool_id",
            "is_expandable",
            "blocks",
            "state",
            "history",
            "real_size",
            "stage",
            "segments",
            "device_traces",
            "allocator_settings",
            "external_annotations",
            "host_segments",
            "host_traces",
            "fx_original_trace");

    static final int ACTION = 1;
    static final int ADDR = 2;
    static final int DEVICE_FREE = 3;
    static final int SIZE = 4;
    static final int STREAM = 5;
    static final int TIME_US = 6;
    static final int COMPILE_CONTEXT = 7;
    static final int USER_METADATA = 8;
    static final int POOL_ID = 9;
    static final int FRAMES = 10;
    static final int NAME = 11;
    static final int FILENAME = 12;
    static final int LINE = 13;
    static final int DEVICE = 14;
    static final int ADDRESS = 15;
    static final int TOTAL_SIZE = 16;
    static final int ALLOCATED_SIZE = 17;
    static final int ACTIVE_SIZE = 18;
    static final int REQUESTED_SIZE = 19;
    static final int SEGMENT_TYPE = 20;
    static final int SEGMENT_POOL_ID = 21;
    static final int IS_EXPANDABLE = 22;
    static final int BLOCKS = 23;
    static final int STATE = 24;
    static final int HISTORY = 25;
    static final int REAL_SIZE = 26;
    static final int STAGE = 27;
    static final int SEGMENTS = 28;
    static final int DEVICE_TRACES = 29;
    static final int ALLOCATOR_SETTINGS = 30;
    static final int EXTERNAL_ANNOTATIONS = 31;
    static final int HOST_SEGMENTS = 32;
    static final int HOST_TRACES = 33;
    static final int FX_ORIGINAL_TRACE = 34;
    /** Keys are the numbers from 1 to here, exclusive. */
    static final int KEY_END = 35;

    static final int ACTIVE_ALLOCATED = KEY_END;
    static final int ACTIVE_PENDING_FREE = KEY_END + 1;
    /** Never written by PyTorch, but its documentation says it. */
    static final int ACTIVE_AWAITING_FREE = KEY_END + 2;

    static final int INACTIVE = KEY_END + 3;
    static final int LARGE = KEY_END + 4;
    static final int START = KEY_END + 5;
    private static final int FIRST_ACTION = KEY_END + 6;
    private static final int ACTION_END = FIRST_ACTION + Action.UNKNOWN.code();

    private Vocabulary() {}

    /** Returns whether a word is a key of the format. */
    public static boolean isKey(String word) {
        return KEYS.contains(word);
    }

    /** Makes the words the first strings of a new table. */
    static void intern(StringTable strings) {
        KEYS.forEach(strings::intern);
        List.of("active_allocated", "active_pending_free", "active_awaiting_free", "inactive", "large", "START")
                .forEach(strings::intern);
        for (Action action : Action.values()) {
            if (action != Action.UNKNOWN) {
                strings.intern(action.key());
            }
        }
    }

    /** The action whose name has this string number; {@link Action#UNKNOWN} for other strings. */
    static Action action(long string) {
        return string >= FIRST_ACTION && string < ACTION_END ? Action.of((int) string - FIRST_ACTION) : Action.UNKNOWN;
    }
}
