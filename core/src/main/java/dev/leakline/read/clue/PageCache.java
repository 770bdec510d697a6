package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how much of a host's memory caches files, from the table of {@code free} of any age. */
final class PageCache {
    private static final Pattern HEAD = Pattern.compile("\\s+total\\s+used\\s+free\\b.*");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern SWAP = Pattern.compile("^swap:\\s+(\\d\\S*)\\s+(\\d\\S*)\\s+\\d");
    /** From here on a host is as good as full: earlyoom and Ray act at 90 and 95 %. */
    private static final double NEARLY_FULL = 0.9;
    /** A machine has less than eight tebibytes: larger numbers count smaller units. */
    private static final double MOST = 1 << 13;

    private final Consumer<Clue> found;
    private List<String> head = List.of();

    PageCache(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters. */
    void take(String small, long number) {
        if (HEAD.matcher(small).matches()) {
            head = List.of(BLANKS.split(small.strip(), -1));
        } else if (small.startsWith("mem:") && !head.isEmpty()) {
            List<String> cells = List.of(BLANKS.split(small.substring(4).strip(), -1));
            row(cells.subList(0, Math.min(cells.size(), head.size())), small, number);
            head = List.of();
        }
        swap(small, number);
    }

    private void swap(String small, long number) {
        Matcher swap = SWAP.matcher(small);
        if (swap.find() && size(swap.group(1)) > 0 && size(swap.group(2)) >= NEARLY_FULL * size(swap.group(1))) {
            found.accept(new Clue(Kind.SWAP_FULL, Resource.HOST, 0, number, small.strip()));
        }
    }

    /** A size of a cell in any unit, to be compared with others of its row. */
    private static double size(String cell) {
        return bytes(cell, 1);
    }

    private void row(List<String> cells, String line, long number) {
        double unit = bare(cells.getFirst());
        say(Kind.TOTAL, bytes(cells.getFirst(), unit), line, number);
        for (int i = 1; i < cells.size(); i++) {
            String name = head.get(i);
            boolean isCache = name.equals("buff/cache") || name.equals("cached") || name.equals("cache");
            if (isCache || name.equals("free")) {
                say(isCache ? Kind.PAGE_CACHE : Kind.FREE, bytes(cells.get(i), unit), line, number);
            }
        }
    }

    private static double bare(String total) {
        double number = total.chars().allMatch(Character::isDigit) ? Double.parseDouble(total) : 0;
        return number < MOST ? ByteSize.GIB : number < MOST * ByteSize.KIB ? ByteSize.MIB : ByteSize.KIB;
    }

    private static long bytes(String cell, double unit) {
        boolean isBare = !cell.isEmpty() && cell.chars().allMatch(Character::isDigit);
        return isBare ? Math.round(Double.parseDouble(cell) * unit) : Amounts.of(cell);
    }

    private void say(Kind kind, long bytes, String line, long number) {
        if (bytes > 0) {
            found.accept(new Clue(kind, Resource.HOST, bytes, number, line.strip()));
        }
    }
}
