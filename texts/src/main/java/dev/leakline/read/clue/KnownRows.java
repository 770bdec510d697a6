package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.Alternatives;
import dev.leakline.text.ByteSize;
import dev.leakline.text.DataRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lines of monitors, kernels and servers that have sizes of one moment, by the rows of {@code tables.txt}, which explains its form. */
final class KnownRows {
    /** Lines below an opening one: a node has so many devices and processes. */
    private static final int MOST_BELOW = 64;
    /** Longer lines are of no monitor. */
    private static final int MOST_LENGTH = 4000;
    /** More than any device or host has: 64 TiB. */
    private static final long MOST_BYTES = 1L << 46;

    /** A machine has less than eight tebibytes: larger numbers count smaller units. */
    private static final double MOST_GIB = 1 << 13;

    private static final int HUNDREDTHS = 100;
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    /** The kinds of sizes that tell how full a memory is; by other names a size is a part. */
    private static final Map<String, Kind> KINDS = Map.of(
            "used", Kind.USED,
            "free", Kind.FREE,
            "total", Kind.TOTAL,
            "limit", Kind.LIMIT,
            "allocated", Kind.ALLOCATED,
            "reserved", Kind.RESERVED,
            "process", Kind.PROCESS);

    private static final List<Row> ROWS =
            DataRow.read(KnownRows.class, "tables.txt", Set.of("row", "each", "open")).stream()
                    .flatMap(KnownRows::rows)
                    .toList();

    /**
     * A form of a line.
     *
     * @param flags start, shared; see the file
     * @param isEach whether it is looked for in lines that another row of its table took
     */
    private record Row(
            String table,
            Resource resource,
            String unit,
            Set<String> flags,
            String open,
            boolean isEach,
            boolean isOpening,
            RowForm form) {}

    private final Consumer<Clue> found;
    private String opened = "";
    private int below;
    private String table = "";
    private int device = -1;
    /** The unit of a table that names none, by its first size. */
    private String guessed = "";

    KnownRows(Consumer<Clue> found) {
        this.found = found;
    }

    private static Stream<Row> rows(DataRow data) {
        String[] of = BLANKS.split(data.says("of"), -1);
        return Alternatives.of(data.says(data.end())).stream()
                .map(text -> new Row(
                        data.head(),
                        Resource.valueOf(of[0]),
                        of[1],
                        Set.of(of),
                        data.says("open"),
                        data.end().equals("each"),
                        data.end().equals("open"),
                        RowForm.of(text)));
    }

    /** Whether the lines that come have a meaning by the one that opened them. */
    boolean isOpen() {
        return below > 0;
    }

    /** Takes a line; whether nobody else is to read it. */
    boolean take(String text, long number) {
        String bare = text.strip();
        if (bare.isEmpty() || bare.length() > MOST_LENGTH) {
            return false;
        }
        below--;
        for (Row row : ROWS) {
            Matcher match = row.isEach || !isInPlace(row) ? null : row.form.match(bare);
            if (match != null) {
                begin(row);
                say(row, match, bare, number);
                each(row, bare, number);
                return !row.flags.contains("shared");
            }
        }
        return false;
    }

    private boolean isInPlace(Row row) {
        return row.isOpening || row.open.isEmpty() || (below > 0 && row.open.equals(opened));
    }

    private void begin(Row row) {
        device = row.table.equals(table) ? device : -1;
        table = row.table;
        if (row.isOpening) {
            opened = row.open;
            below = MOST_BELOW;
            guessed = "";
        }
    }

    /** What stands several times in one line. */
    private void each(Row taken, String bare, long number) {
        for (Row row : ROWS) {
            if (row.isEach && row.table.equals(taken.table)) {
                for (Matcher match = row.form.form().matcher(bare); match.find(); ) {
                    say(row, match, bare, number);
                }
            }
        }
    }

    private void say(Row row, Matcher match, String text, long number) {
        List<String> slots = row.form.slots();
        if (guessed.isEmpty() && match.groupCount() > 0) {
            guessed = unit(match.group(1));
        }
        String unit = row.unit.equals("?") ? guessed : row.unit;
        String owner = name(match, slots);
        for (int i = 0; i < slots.size(); i++) {
            String value = match.group(i + 1).strip();
            switch (slots.get(i)) {
                case "device" -> device = Integer.parseInt(value);
                case "share" ->
                    found.accept(new Clue(
                            Kind.SHARE,
                            row.resource,
                            Math.round(Double.parseDouble(value) * HUNDREDTHS),
                            number,
                            text,
                            name(match, slots),
                            device,
                            row.table));
                default -> {}
            }
        }
        for (int i = 0; i < slots.size(); i++) {
            if (!RowForm.PLAIN.contains(slots.get(i))) {
                size(
                        row,
                        unit,
                        slots.get(i),
                        match.group(i + 1).strip(),
                        owner.isEmpty() ? row.table : owner,
                        text,
                        number);
            }
        }
    }

    /** A process by its number and its name, or whatever a row is about. */
    private static String name(Matcher match, List<String> slots) {
        int pid = slots.indexOf("pid");
        int name = slots.indexOf("name");
        String number = pid < 0 ? "" : "process " + match.group(pid + 1);
        return name < 0 ? number : pid < 0 ? match.group(name + 1) : number + " (" + match.group(name + 1) + ")";
    }

    /** The unit of a host's total without one: a machine has between a gibibyte and some tebibytes. */
    private static String unit(String total) {
        boolean isNumber = total.chars().allMatch(Character::isDigit);
        double number = isNumber ? Double.parseDouble(total) : 0;
        return number < MOST_GIB ? "G" : number < MOST_GIB * ByteSize.KIB ? "M" : "K";
    }

    private void size(Row row, String unit, String name, String size, String owner, String text, long number) {
        boolean isBare = Character.isDigit(size.charAt(size.length() - 1));
        long bytes = Amounts.of(isBare ? size + unit : size);
        if (bytes <= MOST_BYTES) {
            Kind kind = row.flags.contains("start") ? Kind.START : KINDS.getOrDefault(name, Kind.PART);
            Resource resource = name.startsWith("host_") ? Resource.HOST : row.resource;
            found.accept(new Clue(kind, resource, bytes, number, text, name, device, owner));
        }
    }
}
