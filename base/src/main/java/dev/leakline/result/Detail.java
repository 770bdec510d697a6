package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a result or of a recording, as rows of which so many are here.
 *
 * @param schema {@link #SCHEMA}
 * @param part the part, as it was asked for
 * @param sentence what it is, in a sentence
 * @param rows figures and texts by their names, the same names in the same order in each row
 * @param cursor the number of the first row
 * @param of how many rows there are; of a query, how many were looked for
 * @param nextCommand the command that shows the rows that follow, else that goes on from here; empty where that is not said yet
 */
public record Detail(
        String schema,
        String part,
        String sentence,
        List<Map<String, @Nullable Object>> rows,
        int cursor,
        int of,
        String nextCommand) {
    /** The schema of this as JSON. */
    public static final String SCHEMA = "leakline.detail/1";

    /** All rows of a part. */
    public static Detail of(String part, String sentence, List<Map<String, @Nullable Object>> rows) {
        return new Detail(SCHEMA, part, sentence, rows, 0, rows.size(), "");
    }

    /** A copy with the command that goes on from here. */
    public Detail then(String command) {
        return new Detail(schema, part, sentence, rows, cursor, of, command);
    }

    /** A copy with so many rows at most, from one of these on. */
    public Detail page(int from, int limit) {
        List<Map<String, @Nullable Object>> page =
                rows.stream().skip(from).limit(limit).toList();
        return new Detail(schema, part, sentence, page, cursor + Math.min(from, rows.size()), of, nextCommand);
    }

    /** The cursor of the rows that follow; null after the last. */
    @Json.Property("next")
    public @Nullable Integer next() {
        int end = cursor + rows.size();
        return end < of ? end : null;
    }
}
