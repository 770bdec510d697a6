package dev.leakline.result;

import java.util.List;
import java.util.Locale;

/**
 * The abilities of a machine and its Python for Leakline.
 *
 * @param schema the name and version of this form
 * @param tool what looked
 * @param checks what was looked at, in the order in which it matters
 */
public record DoctorReport(String schema, Tool tool, List<Check> checks) {
    /** The schema of these reports. */
    public static final String SCHEMA = "leakline.doctor/1";

    /** How it stands. */
    public enum State {
        OK,
        /** Works in part, or may stand in the way of a job. */
        LIMITED,
        MISSING
    }

    /**
     * One thing that was looked at.
     *
     * @param name what it is, such as {@code ptrace}
     * @param state how it stands
     * @param says what was found
     * @param remedy what to do about it; empty where nothing needs to be done
     */
    public record Check(String name, State state, String says, String remedy) {
        public static Check ok(String name, String says) {
            return new Check(name, State.OK, says, "");
        }

        public static Check limited(String name, String says, String remedy) {
            return new Check(name, State.LIMITED, says, remedy);
        }

        public static Check missing(String name, String says, String remedy) {
            return new Check(name, State.MISSING, says, remedy);
        }

        /** The state in a word. */
        public String word() {
            return state.name().toLowerCase(Locale.ROOT);
        }
    }
}
