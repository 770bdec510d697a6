package dev.leakline.result;

import dev.leakline.result.Holders.Verdict;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The match of a process's holder dumps with a snapshot, and the owners of the memory outside of findings.
 *
 * @param inputs the indices of the dumps among the inputs, oldest first; all else is of the last
 * @param snapshot the index of the snapshot of the same process, null where none is
 * @param storages storages of the dump that are on devices
 * @param matched how many of those are blocks of the snapshot
 * @param bytes what was live on those devices when the dump was made; without a snapshot, what the dump has
 * @param unseenBytes how much of that no storage of the dump accounts for
 * @param rest who holds what no leak or cycle is made of, the largest first; without a snapshot, who holds what
 * @param notes what the dump cannot tell, in sentences
 */
public record JoinedDump(
        List<Integer> inputs,
        @Nullable Integer snapshot,
        int storages,
        int matched,
        long bytes,
        long unseenBytes,
        List<Held> rest,
        List<String> notes) {
    /** How the last dump and the snapshot fit, in a sentence without their names; empty where nothing is known. */
    @Json.Property("sentence")
    public String sentence() {
        if (snapshot != null) {
            return Numbers.grouped(matched) + " of " + Numbers.counted(storages, "storage")
                    + " are blocks of the snapshot; of "
                    + ByteSize.format(bytes) + " that were live then, " + ByteSize.format(unseenBytes)
                    + " belong to no tensor";
        }
        return rest.isEmpty() ? "" : Numbers.amount(bytes, storages, "storage");
    }

    /**
     * Blocks that are held in the same way.
     *
     * @param signature the fingerprint of their group
     * @param title who holds them, in a few words
     * @param verdict whether they should be there
     * @param reason why
     * @param bytes what they take
     * @param blocks how many they are
     * @param steps how many steps allocated them, 0 where no recording tells
     * @param site the line that allocated most of them
     */
    public record Held(
            String signature,
            String title,
            Verdict verdict,
            String reason,
            long bytes,
            int blocks,
            @Json.Serializer(UnknownIfZero.class) long steps,
            @Nullable Site site) {
        /** The holder in a line. */
        @Json.Property("sentence")
        public String sentence() {
            String why = reason.isEmpty() ? "" : " (" + reason + ")";
            String where = site == null || !site.isLine() ? "" : ", allocated at " + site.brief();
            return ByteSize.format(bytes) + " " + verdict.name().toLowerCase(Locale.ROOT) + ": " + title + why + where;
        }
    }
}
