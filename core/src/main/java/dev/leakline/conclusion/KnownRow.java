package dev.leakline.conclusion;

import dev.leakline.result.Finding.Advice;
import dev.leakline.text.DataFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A piece of advice in a file of what is known: {@code = HEAD}, then {@code field : text} in lines, of which {@code why} is the last. Fields hold until
 * they are said anew, or until the next head.
 *
 * @param head when it holds
 */
record KnownRow(String head, Map<String, String> fields) {
    /** All of a file that lies beside this class. */
    static List<KnownRow> read(String file) {
        List<KnownRow> rows = new ArrayList<>();
        Map<String, String> fields = new HashMap<>();
        String head = "";
        for (String line : DataFile.read(KnownRow.class, file).lines().toList()) {
            int colon = line.indexOf(" : ");
            if (line.startsWith("= ")) {
                head = line.substring(2);
                fields.clear();
            } else if (colon > 0 && !line.startsWith("#")) {
                fields.put(line.substring(0, colon), line.substring(colon + 3));
                if (line.startsWith("why")) {
                    rows.add(new KnownRow(head, Map.copyOf(fields)));
                }
            }
        }
        return List.copyOf(rows);
    }

    /** What a field says; empty where it is not there. */
    String says(String field) {
        return fields.getOrDefault(field, "");
    }

    Advice advice() {
        return Advice.of(says("do"), says("why"), 0);
    }
}
