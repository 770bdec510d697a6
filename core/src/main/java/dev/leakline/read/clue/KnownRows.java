package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.DataRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lines of monitors and kernels that have sizes of one moment, by the rows of {@code tables.txt}, which explains its form. */
final class KnownRows {
    /** Lines below an opening one. */
    private static final int MOST_BELOW = 8;
    /** Longer lines are of no monitor. */
    private static final int MOST_LENGTH = 1000;
    /** More than any device or host has: 64 TiB. */
    private static final long MOST_BYTES = 1L << 46;

    private static final Pattern PART = Pattern.compile("\\{(\\.\\.|\\w+)}|(\\s+)|([^{\\s]+|\\{)");
    private static final List<Row> ROWS = DataRow.read(KnownRows.class, "tables.txt", Set.of("row")).stream()
            .map(KnownRows::row)
            .toList();

    /** A form of a line; {@code isAlone} where nobody else is to read it. */
    private record Row(Resource resource, String unit, boolean isAlone, String open, Pattern form, List<Kind> sizes) {}

    private final Consumer<Clue> found;
    private String opened = "";
    private int below;

    KnownRows(Consumer<Clue> found) {
        this.found = found;
    }

    private static Row row(DataRow data) {
        String[] head = data.head().split(" ", -1);
        StringBuilder form = new StringBuilder();
        List<Kind> sizes = new ArrayList<>();
        String text = data.says("row");
        for (Matcher part = PART.matcher(text); part.find(); ) {
            String slot = part.group(1);
            if (part.group(2) != null) {
                form.append("\\s*");
            } else if (slot == null) {
                form.append(Pattern.quote(part.group(3)));
            } else if (slot.equals("..")) {
                form.append(part.end() == text.length() ? ".*" : ".{0,160}?");
            } else if (slot.equals("_")) {
                form.append("\\S{1,80}?");
            } else {
                form.append("(\\d{1,18}(?:\\.\\d{1,9})? ?(?:[KMGTkmgt]?i?[Bb])?)");
                sizes.add(Kind.valueOf(slot.toUpperCase(Locale.ROOT)));
            }
        }
        return new Row(
                Resource.valueOf(head[0]),
                head[1],
                head.length > 2,
                data.says("open"),
                Pattern.compile(form.toString()),
                sizes);
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
            if (row.open.equals(bare)) {
                opened = bare;
                below = MOST_BELOW;
                return false;
            }
            if (row.open.isEmpty() || (below > 0 && row.open.equals(opened))) {
                Matcher match = row.form.matcher(bare);
                if (match.matches()) {
                    say(row, match, bare, number);
                    return row.isAlone;
                }
            }
        }
        return false;
    }

    private void say(Row row, Matcher match, String text, long number) {
        for (int i = 0; i < row.sizes.size(); i++) {
            String size = match.group(i + 1).strip();
            boolean isBare = Character.isDigit(size.charAt(size.length() - 1));
            long bytes = Amounts.of(isBare ? size + row.unit : size);
            if (bytes <= MOST_BYTES) {
                found.accept(new Clue(row.sizes.get(i), row.resource, bytes, number, text));
            }
        }
    }
}
