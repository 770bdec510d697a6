package dev.leakline.read.figures;

import dev.leakline.read.figures.KnownTables.Row;
import dev.leakline.read.figures.KnownTables.Whose;
import dev.leakline.text.Ascii;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads tables of monitors of the host, whose heads name their columns: {@code ps}, {@code top}, {@code pidstat}, {@code smem}, {@code sacct}. A column of
 * {@code tables.txt} is read in every line that has as many cells. Columns are parted by blanks, or by two where names and values have blanks of their own.
 */
final class ColumnTable {
    /** Longer lines are no rows. */
    static final int MOST = 400;

    private static final List<Row> COLUMNS = KnownTables.columns();

    /** Names of columns whose cells may have blanks. */
    private static final List<String> COMMANDS = List.of("COMMAND", "CMD", "Command");

    private static final List<String> NAMES = List.of("COMMAND", "CMD", "Command", "NAME", "POD", "JobID", "NODE");
    private static final Pattern BLANK = Pattern.compile("\\s+");
    private static final Pattern BLANKS = Pattern.compile("\\s{2,}");
    private static final Pattern RULE = Pattern.compile("\\s*-{3,}(?: +-{3,})+\\s*");
    private static final Pattern DASHES = Pattern.compile("-+");
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern SIZE =
            Pattern.compile("(\\d+(?:\\.\\d+)?\\s?(?:[KMGTkmgt]i?[Bb]?|[Bb])?)(?:[cn]|\\b.*|)");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,10}");

    private final KnownTables tables;
    private List<String> head = List.of();
    private Pattern parting = BLANK;
    private List<MatchResult> rule = List.of();
    /** The columns that are read, by their place. */
    private final Map<Integer, Row> columns = new HashMap<>();

    private int memory = -1;
    private int name = -1;
    private int pid = -1;

    ColumnTable(KnownTables tables) {
        this.tables = tables;
    }

    /** Returns whether there was no table so far. */
    boolean isIdle() {
        return head.isEmpty();
    }

    /** Takes a line if it is the head of a table or a row of the last one. */
    boolean take(String line, Utterance speech) {
        return line.length() <= MOST && !line.isBlank() && (row(line, speech) || head(line));
    }

    private boolean head(String line) {
        boolean mayBe = line.indexOf('=') < 0 && COLUMNS.stream().anyMatch(column -> line.contains(column.column()));
        return mayBe && (begin(line, BLANK) || begin(line, BLANKS));
    }

    private boolean begin(String line, Pattern blanks) {
        List<String> cells = List.of(blanks.split(line.strip(), -1));
        Map<Integer, Row> found = new HashMap<>();
        int measured = -1;
        for (Row column : COLUMNS) {
            int at = cells.indexOf(column.column());
            boolean isMeasured = column.form().slots().getFirst().isMeasured();
            if (at >= 0 && (measured < 0 || !isMeasured)) {
                found.put(at, column);
                measured = isMeasured ? at : measured;
            }
        }
        if (found.isEmpty() || cells.size() < 2 || !mayBeHead(cells)) {
            return false;
        }
        head = cells;
        rule = List.of();
        parting = blanks;
        columns.clear();
        columns.putAll(found);
        memory = measured < 0 ? found.keySet().iterator().next() : measured;
        name = NAMES.stream()
                .mapToInt(cells::indexOf)
                .filter(at -> at >= 0)
                .findFirst()
                .orElse(-1);
        pid = cells.indexOf("PID");
        return true;
    }

    /** Heads are names; pidstat alone puts the time before. */
    private static boolean mayBeHead(List<String> cells) {
        return !cells.getFirst().endsWith(":")
                && cells.stream().skip(1).noneMatch(cell -> !cell.isEmpty() && Ascii.isDigit(cell.charAt(0)));
    }

    private boolean row(String line, Utterance speech) {
        if (head.isEmpty()) {
            return false;
        }
        if (RULE.matcher(line).matches()) {
            rule = rule(line, head.size());
            return false;
        }
        List<String> cells = rule.isEmpty() ? List.of(parting.split(line.strip(), -1)) : ruled(line);
        int extra = cells.size() - head.size();
        boolean isText = name >= 0 && name < memory && parting == BLANK;
        if (extra < 0 || (isText && extra > 0 && !COMMANDS.contains(head.get(name)))) {
            return false;
        }
        boolean isRow = false;
        for (Map.Entry<Integer, Row> column : columns.entrySet()) {
            int at = column.getKey() + (isText ? extra : 0);
            Matcher size = at < cells.size() ? SIZE.matcher(cells.get(at)) : null;
            if (size != null && size.matches()) {
                isRow = true;
                Row row = column.getValue();
                String label = label(cells, extra);
                tables.add(
                        row,
                        row.form().slots().getFirst(),
                        PlainSize.of(size.group(1).strip(), row.unit()),
                        new Whose(-1, process(cells), label, ""),
                        line.strip(),
                        speech);
            }
        }
        return isRow;
    }

    /** Where columns stand, by the line of dashes below their head: {@code sacct} leaves cells empty. */
    private static List<MatchResult> rule(String line, int columns) {
        List<MatchResult> dashes = DASHES.matcher(line).results().toList();
        return dashes.size() == columns ? dashes : List.of();
    }

    /** Cells of a line under a rule: each word is of the column that it lies under, most of it. */
    private List<String> ruled(String line) {
        String[] cells = new String[rule.size()];
        Arrays.fill(cells, "");
        WORD.matcher(line).results().forEach(word -> {
            int best = 0;
            for (int i = 1; i < cells.length; i++) {
                best = under(word, rule.get(i)) > under(word, rule.get(best)) ? i : best;
            }
            cells[best] = (cells[best] + " " + word.group()).strip();
        });
        return List.of(cells);
    }

    private static int under(MatchResult word, MatchResult column) {
        return Math.min(word.end(), column.end()) - Math.max(word.start(), column.start());
    }

    private long process(List<String> cells) {
        return pid >= 0 && DIGITS.matcher(cells.get(pid)).matches() ? Long.parseLong(cells.get(pid)) : -1;
    }

    /** The name of what a row is about; one that comes last has the rest of the line. */
    private String label(List<String> cells, int extra) {
        boolean isLast = name == head.size() - 1;
        int end = isLast ? cells.size() : name + 1 + (name < memory && parting == BLANK ? extra : 0);
        return name < 0 ? "" : String.join(" ", cells.subList(name, end));
    }
}
