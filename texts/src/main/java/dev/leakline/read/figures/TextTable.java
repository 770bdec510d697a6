package dev.leakline.read.figures;

import dev.leakline.read.terms.FigureName;
import dev.leakline.read.terms.Role;
import dev.leakline.read.terms.TimeText;
import dev.leakline.text.Ascii;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables that stand in a text: CSV under a line of names, as {@code nvidia-smi --format=csv}, gpumemprof and scripts of all kinds write it,
 * and columns parted by blanks, as {@code nvidia-smi dmon} and ultralytics' trainers print them. A line that has as many cells as there are names is a
 * row; blank lines may stand between, and any other line ends the table.
 */
final class TextTable {
    /** A name of a column is short, and there are not many. */
    private static final int MOST_NAME = 80;

    private static final int MOST_COLUMNS = 512;
    private static final String UNITS = "KMGTBkmgtb";

    private static final List<String> ORDINALS = List.of("gpu", "cuda", "rank", "device");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    /** Between columns whose names have blanks of their own. */
    private static final Pattern GAPS = Pattern.compile("\\t|\\s{2,}");
    /** A line drawn under a head. */
    private static final Pattern RULE = Pattern.compile("(?=.*?[-=]{3})[\\s|+:=-]*+");
    /** dmon's and pmon's columns that matter, by the names that nvidia-smi's CSV has for them; its {@code mem} is a share of time. */
    private static final Map<String, String> MONITOR =
            Map.of("gpu", "gpu", "pid", "pid", "command", "process_name", "date", "date", "time", "time");

    /** Parts of words in a head of figures; {@link FigureName} then tells which of its columns are memory. */
    private static final List<String> NAMES_OF_MEMORY = List.of(
            "mem", "ram", "alloc", "reserv", "resv", "rsvd", "rss", "gpu", "cuda", "gb", "gib", "mb", "mib", "bytes");

    /** Words in the name of what is set for a run: rows that begin with it are of one run each, and no measurements of one in time. */
    private static final Set<String> SETTINGS = Set.of(
            ("version release size length len tokens context params parameters layers width model config configuration precision dtype users"
                            + " concurrency framework method variant")
                    .split(" "));

    private static final Pattern WORDS = Pattern.compile("[\\s_-]+");
    private static final Pattern DEVICE = Pattern.compile("(?i)(?:gpu|cuda|rank|device|card)[ :_]?\\d{1,4}");
    private static final Pattern UNIT = Pattern.compile("\\b([KMG]i?B)\\b");

    private final RowReader rows;
    /** The last line that is no row of a table. */
    private String title = "";

    private List<@Nullable String> names = List.of();
    private char delimiter;

    TextTable(RowReader rows) {
        this.rows = rows;
    }

    /** Returns whether no table is open. */
    boolean isIdle() {
        return names.isEmpty();
    }

    /** Passes over a line of words that was not taken before. */
    void pass(String line) {
        title = line;
    }

    /** Takes a line if it is the head of a table or a row of the last one. */
    boolean take(String line, Utterance speech) {
        if (line.isBlank()) {
            return false;
        }
        return isHead(line) || row(line, speech) || headless(line, speech);
    }

    private boolean isHead(String line) {
        if (line.startsWith("#")) {
            return isMonitorHead(line);
        }
        boolean isFramed = line.startsWith("|") && line.endsWith("|"); // as in Markdown
        if (isFramed && isHeadOfDevices(cells(line, '|'))) {
            return true;
        }
        if (hasNumber(line) || !mayName(line)) {
            title = line.startsWith("|") ? title : line;
            return false;
        }
        title = line;
        for (char candidate : isFramed ? new char[] {'|'} : new char[] {'|', ',', ';'}) {
            List<String> cells = cells(line, candidate);
            if (cells.size() > 1 && isHead(cells)) {
                begin(new ArrayList<>(cells), candidate);
                return true;
            }
        }
        return isBlankParted(line);
    }

    /** Columns that are devices, as in {@code | step | gpu0 | gpu1 |}: the line before says that they are memory, and in which unit. */
    private boolean isHeadOfDevices(List<String> cells) {
        List<String> inner = cells.subList(Math.min(1, cells.size()), Math.max(cells.size() - 1, 0));
        boolean isOfDevices = inner.size() > 1
                && isPlace(inner.getFirst())
                && inner.stream().skip(1).allMatch(cell -> DEVICE.matcher(cell).matches());
        Matcher unit = UNIT.matcher(title);
        if (!isOfDevices || !mayName(title) || !unit.find()) {
            return false;
        }
        List<@Nullable String> all = new ArrayList<>(cells);
        for (int i = 2; i < cells.size() - 1; i++) {
            all.set(i, cells.get(i) + " memory used (" + unit.group(1) + ")");
        }
        begin(all, '|');
        return true;
    }

    /** Returns whether there is a number by itself, which heads do not have, and nearly all other lines do; {@code GPU 0} is none. */
    private static boolean hasNumber(String line) {
        for (int i = 0; i < line.length(); i++) {
            char before = i == 0 ? ' ' : line.charAt(i - 1);
            boolean isPart = Character.isLetterOrDigit(before) || before == '_' || before == '.';
            char after = i + 1 < line.length() ? line.charAt(i + 1) : ' ';
            boolean isOfWord = Ascii.isLetter(after) && !UNITS.contains(String.valueOf(after)); // 3D
            if (Ascii.isDigit(line.charAt(i)) && !isPart && !isOfWord && !isOrdinal(line, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOrdinal(String line, int at) {
        for (String word : ORDINALS) {
            if (line.regionMatches(true, at - 1 - word.length(), word, 0, word.length())) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayName(String line) {
        String small = line.toLowerCase(Locale.ROOT);
        return NAMES_OF_MEMORY.stream().anyMatch(small::contains);
    }

    private boolean isHead(List<String> cells) {
        boolean isShort = cells.size() <= MOST_COLUMNS && cells.stream().allMatch(cell -> cell.length() <= MOST_NAME);
        return isShort && cells.stream().anyMatch(this::isFigure) && !isOfSettings(cells);
    }

    /** Returns whether rows begin with a setting, and no column says when they were. */
    private boolean isOfSettings(List<String> cells) {
        return cells.stream()
                        .filter(cell -> !cell.isEmpty())
                        .limit(1)
                        .anyMatch(name -> rows.field(name).equals(RowReader.Field.NONE)
                                && WORDS.splitAsStream(name.toLowerCase(Locale.ROOT))
                                        .anyMatch(SETTINGS::contains))
                && cells.stream().noneMatch(this::isPlace);
    }

    private boolean isFigure(String name) {
        FigureName figure = rows.field(name).figure();
        return figure != null && figure.isSure();
    }

    /** Ultralytics' head, under which {@code memory_reserved()} stands. */
    private boolean isBlankParted(String line) {
        List<String> cells = List.of(BLANKS.split(line.strip(), MOST_COLUMNS));
        boolean isTrainer = cells.size() > 2
                && cells.get(0).equalsIgnoreCase("epoch")
                && cells.get(1).equalsIgnoreCase("gpu_mem");
        if (isTrainer) {
            begin(new ArrayList<>(List.of("epoch", "GPU_mem (reserved)")), ' ');
        }
        return isTrainer || isCounted(List.of(GAPS.split(line.strip(), MOST_COLUMNS))) || isCounted(cells);
    }

    /** Returns whether columns begin with what counts the rows. */
    private boolean isCounted(List<String> cells) {
        boolean isCounted = cells.size() > 1 && isPlace(cells.getFirst()) && isHead(cells);
        if (isCounted) {
            begin(new ArrayList<>(cells), ' ');
        }
        return isCounted;
    }

    /** Returns whether a column says where the others belong. */
    private boolean isPlace(String name) {
        Role role = rows.field(name).role();
        return role == Role.STEP || role == Role.EPOCH || role == Role.TIME || role == Role.ELAPSED;
    }

    private boolean isMonitorHead(String line) {
        List<String> cells = List.of(BLANKS.split(line.substring(1).strip().toLowerCase(Locale.ROOT), MOST_COLUMNS));
        if (cells.contains("entity") && (cells.contains("fbusd") || cells.contains("fbused"))) {
            List<@Nullable String> dcgmi = new ArrayList<>(List.of("entity", "gpu"));
            cells.stream()
                    .skip(1)
                    .map(cell -> cell.startsWith("fbus") ? "memory.used [MiB]" : null)
                    .forEach(dcgmi::add);
            begin(dcgmi, ' ');
            return true;
        }
        if (!cells.contains("gpu") || !cells.contains("fb")) {
            return delimiter == ' ' && cells.contains("idx");
        }
        String memory = cells.contains("pid") ? "used_gpu_memory [MiB]" : "memory.used [MiB]";
        begin(
                cells.stream()
                        .map(cell -> cell.equals("fb") ? memory : MONITOR.get(cell))
                        .toList(),
                ' ');
        return true;
    }

    private void begin(List<@Nullable String> head, char delimiter) {
        this.names = head;
        this.delimiter = delimiter;
    }

    private boolean row(String line, Utterance speech) {
        List<String> cells =
                names.isEmpty() ? List.of() : delimiter == ' ' ? blankParted(line) : cells(line, delimiter);
        boolean isRow = !cells.isEmpty() && (delimiter == ' ' ? isBlankParted(cells) : cells.size() == names.size());
        boolean isRule = !names.isEmpty() && (RULE.matcher(line).matches() || isUnits(line));
        if (isRow && !isRule) {
            rows.read(row(cells), speech);
        } else if (!isRule) {
            names = List.of();
        }
        return isRow || isRule;
    }

    /** Returns whether it is the line of units below the head of {@code dcgmi dmon}. */
    private boolean isUnits(String line) {
        return "entity".equals(names.getFirst()) && line.startsWith("ID");
    }

    private boolean headless(String line, Utterance speech) {
        Map<String, Object> row = HeadlessRow.of(line);
        if (row != null) {
            rows.read(row, speech);
        }
        return row != null;
    }

    private List<String> blankParted(String line) {
        return List.of(BLANKS.split(line.strip(), names.size() + 1));
    }

    /** Such rows begin with a number; sentences have blanks too. */
    private boolean isBlankParted(List<String> cells) {
        return cells.size() >= names.size()
                && (Ascii.isDigit(cells.getFirst().charAt(0))
                        || cells.getFirst().equals("GPU"));
    }

    private Map<String, Object> row(List<String> cells) {
        Map<String, Object> row = LinkedHashMap.newLinkedHashMap(cells.size());
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i) != null) {
                row.put(names.get(i), cells.get(i));
            }
        }
        return row;
    }

    /** The cells of a line without blanks around them; a delimiter within quotes is none, and two quotes are one. */
    static List<String> cells(String line, char delimiter) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char character = line.charAt(i);
            if (character == '"') {
                isQuoted = !isQuoted;
            } else if (character == delimiter && !isQuoted) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                cell.append(character);
            }
        }
        cells.add(cell.toString().strip());
        return cells;
    }

    /**
     * Reads rows of {@code nvidia-smi --format=csv,noheader}: what each cell is, its form tells. Of two sizes the larger is taken for all the memory of a
     * device, the smaller for what is in use; more than two nobody can tell apart. A row of a process begins with its number and has one size.
     */
    private static final class HeadlessRow {
        private static final Pattern SIZE = Pattern.compile("\\d{1,9} MiB");
        private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");
        private static final Pattern IDENTITY = Pattern.compile("(?:GPU|MIG)-[\\w/-]{1,60}");
        /** Any other cell of a device: shares, watts, clocks, states, what is not there, names of products, addresses on the bus. */
        private static final Pattern OTHER = Pattern.compile(
                "[\\d.]{1,12} (?:%|W|MHz)|P\\d{1,2}|\\[.{0,40}\\]|N/A|[0-9A-F]{8}:\\S{1,20}"
                        + "|\\d{4}[/-]\\d\\d[/-]\\d\\d.{0,40}|(?:NVIDIA|Tesla|GeForce|Quadro|GRID|RTX|GTX|[AHBLVP]\\d{2,4}).{0,60}");

        private static final int MOST_SIZES = 2;

        private HeadlessRow() {}

        /** A row with the names that a head would give, null where a line is none. */
        static @Nullable Map<String, Object> of(String line) {
            if (!line.contains(" MiB")) {
                return null;
            }
            List<String> cells = TextTable.cells(line, ',');
            List<String> sizes =
                    cells.stream().filter(cell -> SIZE.matcher(cell).matches()).toList();
            if (sizes.isEmpty() || sizes.size() > MOST_SIZES) {
                return null;
            }
            boolean isProcess = sizes.size() == 1 && cells.size() > 1 && isProcess(cells);
            return isProcess ? process(cells, sizes.getFirst()) : device(cells, sizes);
        }

        /** Its number comes first, or behind the device's identity, and its name, if there, is none of a device's cells. */
        private static boolean isProcess(List<String> cells) {
            int number = IDENTITY.matcher(cells.getFirst()).matches() ? 1 : 0;
            boolean hasName = cells.size() == number + 3 && !isOfDevice(cells.get(number + 1));
            return NUMBER.matcher(cells.get(number)).matches() && (hasName || (number == 1 && cells.size() == 3));
        }

        private static Map<String, Object> process(List<String> cells, String size) {
            Map<String, Object> row = new LinkedHashMap<>();
            int number = IDENTITY.matcher(cells.getFirst()).matches() ? 1 : 0;
            if (number == 1) {
                row.put("uuid", cells.getFirst());
            }
            row.put("pid", cells.get(number));
            if (cells.size() == number + 3) {
                row.put("process_name", cells.get(number + 1));
            }
            row.put("used_gpu_memory [MiB]", size);
            return row;
        }

        private static @Nullable Map<String, Object> device(List<String> cells, List<String> sizes) {
            if (!cells.stream().allMatch(HeadlessRow::isOfDevice)) {
                return null;
            }
            Map<String, Object> row = new LinkedHashMap<>();
            for (String cell : cells) {
                row.putIfAbsent(name(cell), cell);
            }
            boolean isFirstLess = mebibytes(sizes.getFirst()) <= mebibytes(sizes.getLast());
            row.put("memory.used [MiB]", isFirstLess ? sizes.getFirst() : sizes.getLast());
            if (sizes.size() > 1) {
                row.put("memory.total [MiB]", isFirstLess ? sizes.getLast() : sizes.getFirst());
            }
            return row;
        }

        private static String name(String cell) {
            if (IDENTITY.matcher(cell).matches()) {
                return "uuid";
            }
            return NUMBER.matcher(cell).matches() ? "index" : TimeText.find(cell) != null ? "timestamp" : "utilization";
        }

        private static boolean isOfDevice(String cell) {
            return List.of(SIZE, NUMBER, IDENTITY, OTHER).stream()
                    .anyMatch(form -> form.matcher(cell).matches());
        }

        private static long mebibytes(String size) {
            return Long.parseLong(size.substring(0, size.indexOf(' ')));
        }
    }
}
