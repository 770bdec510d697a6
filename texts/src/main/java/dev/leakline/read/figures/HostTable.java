package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what monitors of the host print, where it stands in a text: {@code ps}, {@code top}, {@code pidstat}, {@code smem}, {@code sstat},
 * {@code kubectl top}, {@code docker stats}, {@code free}, {@code sar}. A head names the columns; one that is known to be memory is read in every line that
 * has as many cells. Columns are parted by blanks, or by two where names and values have blanks of their own.
 */
final class HostTable {
    /** Longer lines are no rows. */
    static final int MOST = 400;

    /** Columns of memory in use, with the unit of bare numbers; of several in a head the first of these counts. */
    private static final List<Map.Entry<String, Long>> COLUMNS = List.of(
            Map.entry("MEM USAGE / LIMIT", 1L),
            Map.entry("MEM USAGE", 1L),
            Map.entry("MEMORY(bytes)", 1L),
            Map.entry("MEM(GB)", ByteSize.GIB), // Ray's list of the largest, which divides by 2^30
            Map.entry("RSS", ByteSize.KIB),
            Map.entry("RSZ", ByteSize.KIB),
            Map.entry("RES", ByteSize.KIB),
            Map.entry("PSS", ByteSize.KIB),
            Map.entry("MaxRSS", 1L),
            Map.entry("AveRSS", 1L),
            Map.entry("kbmemused", ByteSize.KIB));

    /** Names of columns whose cells may have blanks. */
    private static final List<String> COMMANDS = List.of("COMMAND", "CMD", "Command");

    private static final List<String> NAMES = List.of("COMMAND", "CMD", "Command", "NAME", "POD", "JobID", "NODE");
    private static final Pattern BLANK = Pattern.compile("\\s+");
    private static final Pattern RULE = Pattern.compile("\\s*-{3,}(?: +-{3,})+\\s*");
    private static final Pattern BLANKS = Pattern.compile("\\s{2,}");
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s?([KMGTkmgt]?)i?[Bb]?\\b.*");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,10}");
    /** A row of {@code kubectl top} without its head. */
    private static final Pattern POD =
            Pattern.compile("(\\S{1,100})(?:\\s+(\\S{1,100}))?\\s+\\d+m\\s+(\\d+[KMG]i)\\s*");

    /** A row of {@code docker stats} without its head, which may have a time before it. */
    private static final Pattern CONTAINER = Pattern.compile(
            "(?:.*\\s)?(\\S{1,100})\\s+\\d[\\d.]*%\\s+(\\d[\\d.]*[KMGT]?i?B)\\s*/\\s*\\d[\\d.]*[KMGT]?i?B\\s+\\d[\\d.]*%(?:\\s.*)?");

    private static final Pattern FREE_HEAD = Pattern.compile("\\s+total\\s+used\\s+free\\b.*");
    private static final Pattern FREE_ROW = Pattern.compile("Mem:\\s+(\\S+)\\s+(\\S+)\\s+\\S+.*");
    private static final Pattern TOP =
            Pattern.compile("([KMG])iB Mem\\s*:\\s*[\\d.,]+\\+?\\s*total,.*?([\\d.]+)\\+?\\s*used\\b.*");
    /** A line that says what the numbers below it are. */
    private static final Pattern HEADING =
            Pattern.compile("(?i).*?\\b(?:(vm)?rss\\b|(memory\\.(?:current|usage_in_bytes))|(memory\\.used)).*");

    private static final Pattern HEADING_UNIT = Pattern.compile("(?i).*[\\s(\\[]([kmg])i?b\\b.*");
    private static final Pattern ALONE = Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*");
    /** A machine has between a gibibyte and some tebibytes: below, {@code free} counts larger units. */
    private static final double MOST_GIB = 1 << 13;

    private static final double MOST_MIB = 1 << 23;

    private final SeriesBook book;
    private List<String> head = List.of();
    private Pattern parting = BLANK;
    private List<Integer> rule = List.of();
    private int memory = -1;
    private long unit;
    private int name = -1;
    private int pid = -1;
    private boolean isFree;
    /** The last line of words; null where its meaning is known. */
    private @Nullable String words;

    private @Nullable Quantity below;
    private long belowUnit;

    HostTable(SeriesBook book) {
        this.book = book;
    }

    /** Whether there was no table so far. */
    boolean isIdle() {
        return head.isEmpty() && !isFree;
    }

    /** Passes over a line of words that was not taken before. */
    void pass(String line) {
        words = line;
    }

    /** Takes a line if it is the head of a table or a row of the last one. */
    boolean take(String line, Utterance speech) {
        if (line.length() > MOST) {
            return false;
        }
        return row(line, speech) || head(line) || special(line, speech);
    }

    private boolean head(String line) {
        boolean mayBe =
                line.contains("RSS") || line.contains("MEM") || line.contains("RES ") || line.contains("kbmemused");
        return mayBe && line.indexOf('=') < 0 && (begin(line, BLANK) || begin(line, BLANKS));
    }

    private boolean begin(String line, Pattern blanks) {
        List<String> cells = List.of(blanks.split(line.strip(), -1));
        for (Map.Entry<String, Long> column : COLUMNS) {
            if (cells.size() > 1 && cells.contains(column.getKey()) && mayBeHead(cells)) {
                head = cells;
                rule = List.of();
                parting = blanks;
                memory = cells.indexOf(column.getKey());
                unit = column.getValue();
                name = NAMES.stream()
                        .mapToInt(cells::indexOf)
                        .filter(at -> at >= 0)
                        .findFirst()
                        .orElse(-1);
                pid = cells.indexOf("PID");
                return true;
            }
        }
        return false;
    }

    /** Heads are names; pidstat alone puts the time before. */
    private static boolean mayBeHead(List<String> cells) {
        long numbers = cells.stream()
                .skip(1)
                .filter(cell -> LineReader.isDigit(cell.isEmpty() ? ' ' : cell.charAt(0)))
                .count();
        return numbers == 0 && !cells.getFirst().endsWith(":");
    }

    private boolean row(String line, Utterance speech) {
        if (head.isEmpty() || line.isBlank()) {
            return false;
        }
        if (RULE.matcher(line).matches()) {
            rule = rule(line, head.size());
            return false;
        }
        List<String> cells = isRuled(line) ? cells(line) : List.of(parting.split(line.strip(), -1));
        int extra = cells.size() - head.size();
        boolean isText = name >= 0 && name < memory && parting == BLANK;
        int at = memory + (isText ? Math.max(extra, 0) : 0);
        Matcher size = extra >= 0 && at < cells.size() ? SIZE.matcher(cells.get(at)) : null;
        if (size == null || !size.matches() || (isText && extra > 0 && !COMMANDS.contains(head.get(name)))) {
            return false;
        }
        add(size(size, unit), process(cells), label(cells, extra), Quantity.HOST_USED, speech);
        return true;
    }

    /** Where columns begin, by the line of dashes below their head: {@code sacct} leaves cells empty. */
    private static List<Integer> rule(String line, int columns) {
        List<Integer> starts = new ArrayList<>();
        for (int at = 0; at < line.length(); at++) {
            if (line.charAt(at) == '-' && (at == 0 || line.charAt(at - 1) == ' ')) {
                starts.add(at);
            }
        }
        return starts.size() == columns ? starts : List.of();
    }

    /** Whether a blank stands before each column, so that no cell is cut. */
    private boolean isRuled(String line) {
        return !rule.isEmpty()
                && rule.stream().allMatch(from -> from == 0 || from > line.length() || line.charAt(from - 1) == ' ');
    }

    private List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < rule.size(); i++) {
            int from = Math.min(rule.get(i), line.length());
            int to = i + 1 < rule.size() ? Math.min(rule.get(i + 1), line.length()) : line.length();
            cells.add(line.substring(from, to).strip());
        }
        return cells;
    }

    private long process(List<String> cells) {
        return pid >= 0 && DIGITS.matcher(cells.get(pid)).matches() ? Long.parseLong(cells.get(pid)) : -1;
    }

    /** The name of what a row is about; one that comes last has the rest of the line. */
    private String label(List<String> cells, int extra) {
        if (name < 0) {
            return "";
        }
        boolean isLast = name == head.size() - 1;
        String label = String.join(
                " ",
                cells.subList(
                        name, isLast ? cells.size() : name + 1 + (name < memory && parting == BLANK ? extra : 0)));
        return label.substring(0, Math.min(label.length(), RowReader.MOST_LABEL));
    }

    private static double size(Matcher size, long bare) {
        double number = Double.parseDouble(size.group(1));
        return size.group(2).isEmpty() ? number * bare : number * unit(size.group(2));
    }

    private static long unit(String letter) {
        return switch (letter.charAt(0)) {
            case 'K', 'k' -> ByteSize.KIB;
            case 'M', 'm' -> ByteSize.MIB;
            case 'G', 'g' -> ByteSize.GIB;
            default -> ByteSize.GIB << 10;
        };
    }

    private boolean special(String line, Utterance speech) {
        if (line.isBlank()) {
            return false;
        }
        char first = line.charAt(0);
        if (first == 'M' && isFree && free(line, speech)) {
            return true;
        }
        if ((first == ' ' || LineReader.isDigit(first)) && ALONE.matcher(line).matches()) {
            return below(line, speech);
        }
        if (first == ' ' && FREE_HEAD.matcher(line).matches()) {
            isFree = true;
            return true;
        }
        if (line.endsWith("i") || line.endsWith("i ")) {
            return pod(line, speech);
        }
        if (line.indexOf('%') != line.lastIndexOf('%') && line.contains("B / ") && container(line, speech)) {
            return true;
        }
        words = line.startsWith("```") ? words : line;
        return line.startsWith("iB Mem", 1) && top(line, speech);
    }

    private boolean free(String line, Utterance speech) {
        Matcher row = FREE_ROW.matcher(line);
        Matcher total = row.matches() ? SIZE.matcher(row.group(1)) : null;
        Matcher used = total != null && total.matches() ? SIZE.matcher(row.group(2)) : null;
        if (total == null || used == null || !used.matches()) {
            return false;
        }
        double number = Double.parseDouble(total.group(1));
        long bare = number < MOST_GIB ? ByteSize.GIB : number < MOST_MIB ? ByteSize.MIB : ByteSize.KIB;
        add(size(used, bare), -1, "free", Quantity.HOST_USED, speech);
        return true;
    }

    private boolean pod(String line, Utterance speech) {
        Matcher pod = POD.matcher(line);
        Matcher size = pod.matches() ? SIZE.matcher(pod.group(3)) : null;
        if (size == null || !size.matches()) {
            return false;
        }
        add(size(size, 1), -1, pod.group(1), Quantity.HOST_USED, speech);
        return true;
    }

    private boolean container(String line, Utterance speech) {
        Matcher container = CONTAINER.matcher(line);
        Matcher size = container.matches() ? SIZE.matcher(container.group(2)) : null;
        if (size == null || !size.matches()) {
            return false;
        }
        add(size(size, 1), -1, container.group(1), Quantity.HOST_USED, speech);
        return true;
    }

    private boolean top(String line, Utterance speech) {
        Matcher top = TOP.matcher(line);
        if (top.matches()) {
            add(Double.parseDouble(top.group(2)) * unit(top.group(1)), -1, "top", Quantity.HOST_USED, speech);
        }
        return top.matches();
    }

    /** Numbers by themselves belong to the last line of words, if that names them; it is looked at closely only then. */
    private boolean below(String line, Utterance speech) {
        if (words != null) {
            heading(words);
            words = null;
        }
        if (below == null) {
            return false;
        }
        add(Double.parseDouble(line.strip()) * belowUnit, -1, "", below, speech);
        return true;
    }

    private void heading(String line) {
        Matcher heading = HEADING.matcher(line);
        boolean isNamed = heading.matches();
        Matcher own = HEADING_UNIT.matcher(line);
        boolean isDevice = isNamed && heading.group(3) != null;
        below = !isNamed ? null : isDevice ? Quantity.DEVICE_USED : Quantity.HOST_USED;
        belowUnit = own.matches()
                ? unit(own.group(1))
                : isDevice ? ByteSize.MIB : isNamed && heading.group(2) != null ? 1 : ByteSize.KIB;
    }

    private void add(double bytes, long process, String label, Quantity quantity, Utterance speech) {
        Place place = speech.whereabouts().ofRow();
        String named = speech.speaker().isEmpty() || label.isEmpty()
                ? speech.speaker() + label
                : speech.speaker() + ", " + label;
        book.add(new Subject(Source.MONITOR, quantity, place.axis(), -1, process, named), place, bytes, 1);
    }
}
