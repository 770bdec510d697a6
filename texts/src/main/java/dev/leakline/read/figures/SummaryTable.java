package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.read.terms.Amount;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables of {@code torch.cuda.memory_summary()} where they stand in a text: the rows of all pools, which come to the current and
 * to the highest value. Values are rounded down to the unit that their largest is shown in.
 */
final class SummaryTable {
    private record Rows(Quantity current, @Nullable Quantity peak) {}

    /** By the name of the row in torch 1.4 to 2.14; those of the two pools are indented and called by them. */
    private static final Map<String, Rows> ROWS = Map.of(
            "Allocated memory", new Rows(Quantity.ALLOCATED, Quantity.PEAK_ALLOCATED),
            "Active memory", new Rows(Quantity.ACTIVE, null),
            "Requested memory", new Rows(Quantity.REQUESTED, null),
            "GPU reserved memory", new Rows(Quantity.RESERVED, Quantity.PEAK_RESERVED),
            "Non-releasable memory", new Rows(Quantity.INACTIVE_SPLIT, null));

    private static final Pattern TITLE = Pattern.compile("memory summary, device ID (\\d{1,4})");
    private static final Pattern COUNTS = Pattern.compile("OOMs: (\\d{1,18}) +\\| +\\w+ retries: (\\d{1,18})");
    /** Cells of a row, with the empty ones outside. */
    private static final int CELLS = 7;

    private final SeriesBook book;
    private int device = -1;

    SummaryTable(SeriesBook book) {
        this.book = book;
    }

    /** Takes a line if it is one of a table. */
    boolean take(String line, Utterance speech) {
        if (!line.startsWith("|")) {
            return false;
        }
        Matcher title = TITLE.matcher(line);
        Matcher counts = COUNTS.matcher(line);
        if (title.find()) {
            device = Integer.parseInt(title.group(1));
            return true;
        }
        if (counts.find()) {
            add(Quantity.OUT_OF_MEMORY, counts.group(1), speech);
            add(Quantity.RETRIES, counts.group(2), speech);
            return true;
        }
        return row(List.of(line.split("\\|", -1)), speech);
    }

    private boolean row(List<String> cells, Utterance speech) {
        Rows rows = cells.size() == CELLS ? ROWS.get(cells.get(1).strip()) : null;
        if (rows == null) {
            return false;
        }
        add(rows.current, cells.get(2), speech);
        if (rows.peak != null) {
            add(rows.peak, cells.get(3), speech);
        }
        return true;
    }

    private void add(Quantity quantity, String cell, Utterance speech) {
        Amount amount = Amount.of(cell);
        if (amount != null) {
            Place place = speech.whereabouts().ofLine();
            Subject subject = new Subject(Source.MEMORY_STATS, quantity, place.axis(), device, -1, speech.speaker());
            book.add(subject, place, amount.number(), Math.max(amount.unit(), 1));
        }
    }
}
