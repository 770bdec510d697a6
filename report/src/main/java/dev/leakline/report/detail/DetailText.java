package dev.leakline.report.detail;

import dev.leakline.codec.Codec;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Detail;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A detail for people, as a table, and for agents, in so many bytes of JSON. */
public final class DetailText {
    /** Characters of a cell that others stand beside. */
    private static final int CELL = 60;

    private DetailText() {}

    /** The table, with a line feed after each line, and the next command. */
    public static String of(Detail detail, Style style) {
        StringBuilder text = new StringBuilder(style.bold(Printable.of(detail.sentence()))).append('\n');
        List<String> names = detail.rows().isEmpty()
                ? List.of()
                : List.copyOf(detail.rows().getFirst().keySet());
        List<List<String>> table = new ArrayList<>();
        table.add(names);
        for (Map<String, @Nullable Object> row : detail.rows()) {
            table.add(names.stream().map(name -> cell(name, row.get(name))).toList());
        }
        for (List<String> row : names.isEmpty() ? List.<List<String>>of() : table) {
            text.append(line(row, table)).append('\n');
        }
        if (detail.next() != null) {
            text.append("rows ").append(detail.cursor()).append(" to ").append(detail.next() - 1);
            text.append("; ");
        }
        return text.append(detail.next() == null ? "next: " : "more: ")
                .append(detail.nextCommand())
                .append('\n')
                .toString();
    }

    private static String cell(String name, @Nullable Object value) {
        return name.endsWith("bytes") && value instanceof Number bytes
                ? ByteSize.format(bytes.longValue())
                : value == null ? "-" : lines(value.toString());
    }

    /** A text made printable line by line: a patch keeps its lines. */
    private static String lines(String text) {
        return String.join("\n", text.lines().map(Printable::of).toList());
    }

    private static String line(List<String> row, List<List<String>> table) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size() - 1; i++) {
            int column = i;
            int width = table.stream()
                    .mapToInt(each -> each.get(column).length())
                    .max()
                    .orElse(0);
            line.append(String.format("%-" + Math.max(Math.min(width, CELL), 1) + "s  ", row.get(i)));
        }
        String last = row.getLast();
        return line.append(last.contains("\n") ? "\n" + last : last).toString().stripTrailing();
    }

    /** The detail as one line of JSON of at most so many bytes: with as many rows, then as much of each text, as there is room for. */
    public static String of(Detail detail, int bytes) {
        for (int rows = detail.rows().size(); rows > 1; rows--) {
            String line = Codec.line(detail.page(0, rows));
            if (fits(line, bytes)) {
                return line;
            }
        }
        String line = "";
        for (int room = bytes; room > 0; room /= 2) {
            line = Codec.line(cut(detail, room));
            if (fits(line, bytes)) {
                break;
            }
        }
        return line;
    }

    private static boolean fits(String line, int bytes) {
        return line.getBytes(StandardCharsets.UTF_8).length <= bytes;
    }

    private static Detail cut(Detail detail, int room) {
        List<Map<String, @Nullable Object>> rows = detail.rows().stream()
                .limit(1)
                .map(row -> {
                    Map<String, @Nullable Object> shorter = new LinkedHashMap<>();
                    row.forEach((name, value) ->
                            shorter.put(name, value instanceof String text ? Printable.cut(text, room + 2) : value));
                    return shorter;
                })
                .toList();
        return new Detail(
                detail.schema(),
                detail.part(),
                Printable.cut(detail.sentence(), room + 2),
                rows,
                detail.cursor(),
                detail.of(),
                detail.nextCommand());
    }
}
