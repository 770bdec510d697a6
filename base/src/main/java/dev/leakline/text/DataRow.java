package dev.leakline.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A row of a data file: {@code = HEAD}, then {@code field : text} in lines, of which certain fields end a row. Fields hold until they are said anew, or
 * until the next head; lines that begin with {@code #} are comments.
 *
 * @param head what it is about
 * @param end the field that ended it
 */
public record DataRow(String head, String end, Map<String, String> fields) {
    /**
     * All rows of the file of that name beside a class, in their order.
     *
     * @param ends the fields that end a row
     */
    public static List<DataRow> read(Class<?> beside, String name, Set<String> ends) {
        return of(DataFile.read(beside, name), ends);
    }

    /** All rows of a text, likewise. */
    public static List<DataRow> of(String text, Set<String> ends) {
        List<DataRow> rows = new ArrayList<>();
        Map<String, String> fields = new HashMap<>();
        String head = "";
        for (String line : text.lines().toList()) {
            int colon = line.indexOf(" : ");
            if (line.startsWith("= ")) {
                head = line.substring(2);
                fields.clear();
            } else if (colon > 0 && !line.startsWith("#")) {
                String field = line.substring(0, colon);
                fields.put(field, line.substring(colon + 3));
                if (ends.contains(field)) {
                    rows.add(new DataRow(head, field, Map.copyOf(fields)));
                }
            }
        }
        return List.copyOf(rows);
    }

    /** The value of a field; empty where it is not there. */
    public String says(String field) {
        return fields.getOrDefault(field, "");
    }
}
