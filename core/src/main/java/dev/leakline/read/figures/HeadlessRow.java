package dev.leakline.read.figures;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of {@code nvidia-smi --format=csv,noheader}: what each cell is, its form tells. Of two sizes the larger is taken for all the memory of a
 * device, the smaller for what is in use; more than two nobody can tell apart. A row of a process begins with its number and has one size.
 */
final class HeadlessRow {
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
