package dev.leakline.attach;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Growth of a process's device memory, or that it slowed down, as its probe noted it while the job ran.
 *
 * @param hasEnded whether it did; then the other figures are of the time since
 * @param stem what the names of the process's files begin with
 * @param turns what the turns of its loop are, empty where only time passes
 * @param count how many of them there were while it was watched
 * @param bytes by how much it grew meanwhile
 * @param seconds how long that took
 * @param room bytes that are left on its device, -1 where nobody knows
 * @param blocks how many blocks more it has than when growth first showed, -1 also where that is not long ago
 */
public record SeenGrowth(
        boolean hasEnded, Path stem, String turns, long count, long bytes, double seconds, long room, long blocks) {
    private static final String GROWS = "grows";
    private static final String RESTS = "rests";
    private static final int FIELDS = 8;
    /** By the names that the probe gives loops. */
    private static final Map<String, String> TURNS = Map.of(
            "steps", "steps",
            "batches", "batches",
            "no_grad", "no_grad blocks",
            "inference_mode", "inference_mode blocks",
            "time", "");

    private static final double MICROS = 1e6;

    /** Reads a note; nothing where it is about something else. */
    static Optional<SeenGrowth> of(String note) {
        String[] fields = note.split(" ", FIELDS);
        boolean hasEnded = fields[0].equals(RESTS);
        String turns = TURNS.get(fields.length < FIELDS ? "" : fields[1]);
        if (turns == null || !(hasEnded || fields[0].equals(GROWS))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SeenGrowth(
                    hasEnded,
                    Path.of(fields[7]),
                    turns,
                    Long.parseLong(fields[2]),
                    Long.parseLong(fields[3]),
                    Double.parseDouble(fields[4]),
                    Long.parseLong(fields[5]),
                    Long.parseLong(fields[6])));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // half a line, of a disk that was full
        }
    }

    /** Says what grows, by how much, when its device is full, who holds it, where that is known, and what shows more. */
    public String sentence(@Nullable String holder) {
        return stem.getFileName() + ": GPU memory grew by about " + ByteSize.format(bytes) + " in " + span()
                + (blocks != 0 ? "" : ", in as many blocks as before, so tensors are larger and not more")
                + (room < 0 ? "" : "; if it goes on so, " + full())
                + (holder == null ? "" : "; probably held by " + holder) + "; leakline report " + stem + ".growth*"
                + " shows more";
    }

    /** That it slowed down or ended, which takes back what was told before. */
    public String end() {
        String growth = bytes == 0 ? "has not grown" : "has grown by no more than " + ByteSize.format(bytes);
        return stem.getFileName() + ": GPU memory " + growth + " in the last " + turnsOrTime()
                + ", so what was predicted before no longer holds";
    }

    private String span() {
        boolean isCounted = !turns.isEmpty() && count > 0;
        return turnsOrTime() + (isCounted ? " (" + ByteSize.format((double) bytes / count) + " each)" : "");
    }

    private String turnsOrTime() {
        return turns.isEmpty() || count <= 0 ? time(seconds) : Numbers.grouped(count) + " " + turns;
    }

    private String full() {
        return "its GPU is full in about " + time(room * seconds / bytes) + ", as " + ByteSize.format(room)
                + " are left";
    }

    private static String time(double seconds) {
        return Numbers.roughSpan(Math.round(seconds * MICROS));
    }
}
