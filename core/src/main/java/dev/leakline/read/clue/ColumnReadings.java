package dev.leakline.read.clue;

import dev.leakline.read.clue.Readings.Reading;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a table of two columns that somebody typed: what is counted, and the memory in use with its unit in the head, {@code pages   used MiB}. */
final class ColumnReadings {
    private static final Pattern HEAD = Pattern.compile(
            "[\\s|]*([a-z]{2,20})(?: [a-z]{1,12})?(?:\\s{2,}|\\s*\\|\\s*|\\t)((?:[a-z]{1,12} )?(?:used|memory|mem|rss|vram|ram|allocated|reserved)[a-z ]{0,20})[ (\\[]{1,2}([mg]i?b)[)\\]]?[\\s|]*");
    private static final Pattern ROW =
            Pattern.compile("[\\s|]*(\\d[\\d,]{0,11})(?:\\s+|\\s*\\|\\s*)(\\d[\\d,]{0,11}(?:\\.\\d{1,6})?)[\\s|]*");
    /** What stands between a head and its rows. */
    private static final Pattern RULE = Pattern.compile("[\\s|=+:-]*");
    /** Fewer rises may be those of a warm-up: a cache, then a larger input. */
    private static final int FEWEST = 3;
    /** Rows of a table that somebody typed. */
    private static final int MOST = 10_000;

    private final Consumer<Clue> found;
    private final List<Reading> rows = new ArrayList<>();
    private String unit = "";
    private boolean isOfHost;

    ColumnReadings(Consumer<Clue> found) {
        this.found = found;
    }

    /** Whether a table is open, of which each row counts. */
    boolean isOpen() {
        return !unit.isEmpty();
    }

    /** Takes a line in small letters. */
    void take(String small, long number) {
        Matcher head = HEAD.matcher(small);
        Matcher row = ROW.matcher(small);
        if (head.matches()) {
            finish();
            unit = head.group(3);
            isOfHost = Prose.resource(head.group(2)) == Resource.HOST;
        } else if (isOpen() && row.matches() && rows.size() < MOST) {
            long bytes = Amounts.bytes(row.group(2), unit);
            rows.add(new Reading(Amounts.number(row.group(1)), bytes, number, small.strip()));
        } else if (isOpen() && !RULE.matcher(small).matches()) {
            finish();
        }
    }

    /** Says by how much the rows rise that never fall, in several steps. */
    void finish() {
        int rises = 0;
        boolean falls = false;
        for (int i = 1; i < rows.size(); i++) {
            long more = rows.get(i).bytes() - rows.get(i - 1).bytes();
            rises += more > 0 ? 1 : 0;
            falls |= more < 0;
        }
        if (rises >= FEWEST && !falls) {
            say(rows.getLast(), rows.getLast().bytes() - rows.getFirst().bytes());
        }
        rows.clear();
        unit = "";
    }

    private void say(Reading last, long total) {
        Resource resource = isOfHost ? Resource.HOST : null;
        found.accept(new Clue(Kind.ROSE, resource, total, last.line(), last.text()));
        found.accept(new Clue(Kind.ROSE_TO, resource, last.bytes(), last.line(), last.text()));
    }
}
