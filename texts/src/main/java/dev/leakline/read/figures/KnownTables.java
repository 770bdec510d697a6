package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.RowForm.Slot;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.source.lines.FormMemo;
import dev.leakline.text.Alternatives;
import dev.leakline.text.DataRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of monitors, kernels and servers that have sizes, by the rows of {@code tables.txt}, which explains its form. Sizes are notes of one moment,
 * measurements of a series, or both.
 */
final class KnownTables {
    /** Lines below an opening one: a node has so many devices and processes. */
    private static final int MOST_BELOW = 64;
    /** Longer lines are of no monitor. */
    private static final int MOST_LENGTH = 4000;
    /** Notes of one form of line; behind them a log repeats, of which the series tell more. */
    private static final int MOST_ALIKE = 256;

    private static final int MOST_NOTES = 2000;

    /** More than any device or host has: 64 TiB. */
    private static final long MOST_BYTES = 1L << 46;

    /** Hundredths of a per cent in what a share is printed in. */
    private static final Map<String, Integer> SHARES = Map.of("share", 100, "fraction", 10_000);

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    /** Characters that tables are drawn with in place of a bar. */
    private static final Pattern BARS = Pattern.compile("[\u2502\u2503\u2551]");
    /** The kinds of sizes that tell how full a memory is; by other names a size is a part. */
    private static final Set<String> KINDS =
            Set.of("used", "free", "total", "limit", "allocated", "reserved", "process", "heap", "heap_site");

    private static final Map<String, Quantity> OF_DEVICE = Map.of(
            "used", Quantity.DEVICE_USED,
            "free", Quantity.DEVICE_FREE,
            "total", Quantity.DEVICE_TOTAL,
            "process", Quantity.PROCESS_USED);

    /** All rows, and the rows of columns, which {@link ColumnTable} reads. */
    private static final List<Row> ROWS =
            DataRow.read(KnownTables.class, "tables.txt", Set.of("row", "each", "open", "column")).stream()
                    .flatMap(KnownTables::rows)
                    .toList();

    private static final RowIndex INDEX = new RowIndex(
            ROWS.stream().filter(row -> row.is("row") || row.is("open")).toList());

    /**
     * A form of a line, or a column.
     *
     * @param end row, each, open or column
     * @param flags start, shared, readings; see the file
     * @param source who measures; null where sizes are of one moment
     * @param label what measurements are called, apart from names in the line
     * @param open the form that opens the table; empty where lines stand by themselves
     * @param frame the characters with which all lines of the table begin; empty where others may stand between
     * @param text what the file says
     * @param form the form
     */
    record Row(
            String table,
            String end,
            Resource resource,
            String unit,
            Set<String> flags,
            @Nullable Source source,
            String label,
            String open,
            String frame,
            String text,
            RowForm form) {
        boolean is(String kind) {
            return end.equals(kind);
        }

        /** The name of a column, without its slot. */
        String column() {
            return text.substring(0, text.lastIndexOf(" {"));
        }
    }

    /** The owner of a size: the device, the process or -1, its name, and how a monitor calls it. */
    record Whose(int device, long process, String name, String owner) {
        static final Whose NOBODY = new Whose(-1, -1, "", "");
    }

    private final SeriesBook book;
    private final List<Clue> notes = new ArrayList<>();
    private final Map<Row, Integer> counts = new HashMap<>();
    /** Forms of lines that no row takes by itself. */
    private final FormMemo<Boolean> others = new FormMemo<>();

    private String opened = "";
    private String frame = "";
    private int below;
    /** True if the first other line ends the table that is open. */
    private boolean isOfReadings;
    /** True if a row took the last line, or shares it with others. */
    private boolean hasTaken;

    private String table = "";
    private int device = -1;
    /** The unit of a table that names none, by its first size. */
    private String guessed = "";

    KnownTables(SeriesBook book) {
        this.book = book;
    }

    private static Stream<Row> rows(DataRow data) {
        String[] of = BLANKS.split(data.says("of"), -1);
        String[] series = BLANKS.split(data.says("series"), 2);
        boolean isColumn = data.end().equals("column");
        return (isColumn ? Stream.of(data.says("column")) : Alternatives.of(data.says(data.end())).stream())
                .map(text -> new Row(
                        data.head(),
                        data.end(),
                        Resource.valueOf(of[0]),
                        of[1],
                        Set.of(of),
                        series[0].isEmpty() ? null : Source.valueOf(series[0]),
                        series.length > 1 ? series[1] : "",
                        data.says("open"),
                        data.says("frame"),
                        text,
                        RowForm.of(text, data.end().equals("each"))));
    }

    /** The columns of tables whose heads name them, those that count before others first. */
    static List<Row> columns() {
        return ROWS.stream().filter(row -> row.is("column")).toList();
    }

    /** Returns whether the next line means the same wherever it stands. */
    boolean isIdle() {
        return below <= 0 && frame.isEmpty();
    }

    /** The notes, in the order of lines. */
    List<Clue> notes() {
        return notes;
    }

    /** Returns whether the last line has to be read whenever it comes again. */
    boolean hasTaken() {
        return hasTaken;
    }

    /** Takes a line; whether nobody else is to read it. */
    boolean take(String line, Utterance speech, long form) {
        hasTaken = false;
        boolean isIdle = isIdle();
        if (line.length() > MOST_LENGTH || (isIdle && others.get(form) != null)) {
            return false;
        }
        String bare = BARS.matcher(line.strip()).replaceAll("|");
        if (bare.isEmpty() || bare.startsWith("```")) {
            return false;
        }
        below--;
        boolean isFramed = !frame.isEmpty() && frame.indexOf(bare.charAt(0)) >= 0;
        if (!isFramed && !frame.isEmpty()) {
            opened = "";
            frame = "";
            below = 0;
        }
        for (Row row : INDEX.rows(bare)) {
            Matcher match = isInPlace(row) ? row.form.match(bare) : null;
            if (match != null) {
                hasTaken = true;
                begin(row);
                say(row, match, bare, speech);
                each(row, bare, speech);
                return !row.flags.contains("shared");
            }
        }
        below = isOfReadings ? 0 : below;
        if (isIdle) {
            others.put(form, true);
        }
        return isFramed;
    }

    private boolean isInPlace(Row row) {
        boolean isOpen = below > 0 || !frame.isEmpty();
        return row.is("open") || row.open.isEmpty() || (isOpen && row.open.equals(opened));
    }

    private void begin(Row row) {
        device = row.table.equals(table) ? device : -1;
        guessed = row.table.equals(table) ? guessed : "";
        table = row.table;
        if (row.is("open")) {
            opened = row.open;
            frame = row.frame;
            guessed = "";
        }
        isOfReadings = row.flags.contains("readings");
        below = row.is("open") || isOfReadings ? MOST_BELOW : below;
    }

    /** Reads each match of the table's rows that may stand several times in one line. */
    private void each(Row taken, String bare, Utterance speech) {
        for (Row row : ROWS) {
            if (row.is("each") && row.table.equals(taken.table)) {
                for (Matcher match = row.form.form().matcher(bare); match.find(); ) {
                    say(row, match, bare, speech);
                }
            }
        }
    }

    private void say(Row row, Matcher match, String text, Utterance speech) {
        List<Slot> slots = row.form.slots();
        for (int i = 0; i < slots.size(); i++) {
            if (slots.get(i).name().equals("device")) {
                device = Integer.parseInt(match.group(i + 1));
            }
        }
        Whose whose = whose(match, slots);
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            String value = match.group(i + 1).strip();
            if (slot.kind() == RowForm.Kind.COUNT) {
                note(row, Kind.COUNT, slot.name(), Long.parseLong(value), whose, text);
            } else if (slot.kind() == RowForm.Kind.SIZE) {
                add(row, slot, size(row, value + unitOfNext(match, i + 1, text)), whose, text, speech);
            } else if (SHARES.containsKey(slot.name())) {
                long share = Math.round(Double.parseDouble(value) * SHARES.getOrDefault(slot.name(), 0));
                if (slot.isMeasured() && row.source != null) {
                    measure(row.source, row, Quantity.POOL_SHARE, share, whose, text, speech);
                } else {
                    note(row, Kind.SHARE, whose.owner, share, new Whose(device, -1, "", row.table), text);
                }
            }
        }
    }

    private Whose whose(Matcher match, List<Slot> slots) {
        List<String> names = new ArrayList<>();
        long pid = -1;
        for (int i = 0; i < slots.size(); i++) {
            switch (slots.get(i).name()) {
                case "name", "words" -> names.add(match.group(i + 1));
                case "pid" -> pid = Long.parseLong(match.group(i + 1));
                default -> {}
            }
        }
        String name = String.join("/", names);
        String owner = pid < 0 ? name : "process " + pid + (name.isEmpty() ? "" : " (" + name + ")");
        return new Whose(device, pid, name, owner);
    }

    /** The unit behind a slash, which is of both sides: {@code 3.1/191.7 GB}; empty where a size has its own, or none. */
    private static String unitOfNext(Matcher match, int group, String text) {
        boolean isPart = group < match.groupCount()
                && match.start(group + 1) >= 0
                && text.substring(match.end(group), match.start(group + 1))
                        .strip()
                        .equals("/");
        return isPart && PlainSize.unit(match.group(group)).isEmpty() ? PlainSize.unit(match.group(group + 1)) : "";
    }

    private long size(Row row, String value) {
        guessed = guessed.isEmpty() ? PlainSize.guess(value) : guessed;
        return PlainSize.of(value, row.unit.equals("?") ? guessed : row.unit);
    }

    /** Adds a size where its row wants it: to the notes, to the series, or to both. */
    void add(Row row, Slot slot, long bytes, Whose whose, String text, Utterance speech) {
        if (slot.isNoted() && bytes <= MOST_BYTES) {
            Kind kind = KINDS.contains(slot.name()) ? Kind.valueOf(slot.name().toUpperCase(Locale.ROOT)) : Kind.PART;
            note(row, row.flags.contains("start") ? Kind.START : kind, slot.name(), bytes, whose, text);
        }
        if (slot.isMeasured() && row.source != null) {
            Quantity quantity = row.resource == Resource.DEVICE ? quantity(slot.name()) : Quantity.HOST_USED;
            measure(row.source, row, quantity, bytes, whose, text, speech);
        }
    }

    private void note(Row row, Kind kind, String name, long bytes, Whose whose, String text) {
        Resource resource = name.startsWith("host_") ? Resource.HOST : row.resource;
        String owner = whose.owner.isEmpty() ? row.table : whose.owner;
        if (notes.size() < MOST_NOTES && counts.merge(row, 1, Integer::sum) <= MOST_ALIKE) {
            notes.add(new Clue(kind, resource, bytes, book.line(), text, name, whose.device, owner));
        }
    }

    private void measure(
            Source source, Row row, Quantity quantity, long value, Whose whose, String text, Utterance speech) {
        speech.whereabouts().begin();
        speech.whereabouts().timeIn(text);
        Place place = speech.whereabouts().ofRow();
        String label = Stream.of(source == Source.NVIDIA_SMI ? "" : speech.speaker(), row.label, whose.name)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(row.label.isEmpty() ? ", " : " "));
        long process = quantity.isBytes() ? whose.process : -1;
        int device = row.resource == Resource.DEVICE ? whose.device : -1;
        String shown = label.substring(0, Math.min(label.length(), RowReader.MOST_LABEL));
        book.add(new Subject(source, quantity, place.axis(), device, process, shown), place, (double) value, 1);
    }

    private static Quantity quantity(String name) {
        Quantity known = OF_DEVICE.get(name);
        return known == null ? Quantity.valueOf(name.toUpperCase(Locale.ROOT)) : known;
    }

    /** Rows by four characters that stand in all their lines, so that a line is compared with few of them. */
    private static final class RowIndex {
        private static final int KEY = 4;
        private static final int BITS = 13;

        private final List<Row> rows;
        private final long[][] at = new long[1 << BITS][];
        private final long[] always;

        RowIndex(List<Row> rows) {
            this.rows = rows;
            this.always = new long[(rows.size() + 63) / 64];
            for (int i = 0; i < rows.size(); i++) {
                String words = rows.get(i).form.words();
                long[] set = always;
                if (words.length() >= KEY) {
                    int place = place(words, 0);
                    at[place] = at[place] == null ? new long[always.length] : at[place];
                    set = at[place];
                }
                set[i >> 6] |= 1L << i;
            }
        }

        private static int place(String text, int from) {
            int key = (text.charAt(from) * 31 + text.charAt(from + 1)) * 961
                    + text.charAt(from + 2) * 31
                    + text.charAt(from + 3);
            return (key * 0x9E3779B1) >>> (32 - BITS);
        }

        /** The rows that may take a line, in their order. */
        List<Row> rows(String line) {
            long[] some = always.clone();
            for (int from = 0; from + KEY <= line.length(); from++) {
                long[] found = at[place(line, from)];
                for (int i = 0; found != null && i < some.length; i++) {
                    some[i] |= found[i];
                }
            }
            List<Row> may = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                if ((some[i >> 6] & 1L << i) != 0) {
                    may.add(rows.get(i));
                }
            }
            return may;
        }
    }
}
