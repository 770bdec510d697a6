package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.columns.ProfiledCall.Sample;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.read.terms.Amount;
import dev.leakline.source.ReadLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls that gpumemprof saves: rows of JSON with counters before, after and at the peak, and rows of its CSV, which has only the change
 * and the peak. Those levels begin at 0, their times are not known, and a note says so.
 */
final class ProfiledCallRows {
    /** Calls; each takes some 400 bytes here and 2,000 in the file. */
    private static final int MOST = 1 << 19;
    /** All figures together, so that no sum of them runs over. */
    private static final double MOST_TOGETHER = 1L << 62;

    private final SeriesBook book;
    private final List<ProfiledCall> found = new ArrayList<>();
    private long omitted;
    private long impossible;
    private double sum;
    private boolean isChangeOnly;

    /** A reader of calls; what is known of each but for its time is a figure in a book, too. */
    ProfiledCallRows(SeriesBook book) {
        this.book = book;
    }

    /** Takes a row if it is that of a call. */
    boolean read(Map<String, Object> row) {
        if (!(row.get("function_name") instanceof String function) || !row.containsKey("memory_allocated")) {
            return false;
        }
        if (found.size() == MOST) {
            omitted++;
            return true;
        }
        boolean isChange = !row.containsKey("memory_after.allocated_memory");
        isChangeOnly |= isChange;
        found.add(isChange ? change(function, row) : call(function, row));
        return true;
    }

    private ProfiledCall call(String function, Map<String, Object> row) {
        return call(
                function,
                row,
                sample("memory_before.", row),
                sample("memory_after.", row),
                sample("memory_peak.", row));
    }

    private ProfiledCall change(String function, Map<String, Object> row) {
        long change = number(row, "memory_diff", number(row, "memory_allocated", 0) - number(row, "memory_freed", 0));
        if (row.containsKey("peak_memory")) {
            Subject peak = new Subject(Source.PROFILER, Quantity.PEAK_ALLOCATED, Axis.INDEX, -1, -1, function);
            book.add(peak, Place.NOWHERE, (double) number(row, "peak_memory", 0), 1);
        }
        return call(
                function,
                row,
                level(Math.max(-change, 0)),
                level(Math.max(change, 0)),
                level(number(row, "peak_memory", Math.max(change, 0))));
    }

    private ProfiledCall call(String function, Map<String, Object> row, Sample before, Sample after, Sample peak) {
        return new ProfiledCall(
                function,
                real(row, "execution_time"),
                before,
                after,
                peak,
                number(row, "memory_allocated", 0),
                number(row, "memory_freed", 0),
                (int) number(row, "tensors_created", 0),
                (int) number(row, "tensors_deleted", 0),
                (int) number(row, "call_count", 1));
    }

    private Sample sample(String prefix, Map<String, Object> row) {
        return new Sample(
                real(row, prefix + "timestamp"),
                number(row, prefix + "allocated_memory", 0),
                number(row, prefix + "reserved_memory", 0),
                number(row, prefix + "max_memory_allocated", 0),
                number(row, prefix + "max_memory_reserved", 0),
                number(row, prefix + "active_memory", 0),
                number(row, prefix + "inactive_memory", 0),
                number(row, prefix + "cpu_memory", 0),
                (int) number(row, prefix + "device_id", 0),
                row.get(prefix + "operation") instanceof String operation ? operation : null);
    }

    private static Sample level(long allocated) {
        return new Sample(Double.NaN, allocated, 0, allocated, 0, allocated, 0, 0, 0, null);
    }

    private long number(Map<String, Object> row, String name, long otherwise) {
        Amount amount = amount(row, name);
        if (amount == null) {
            return otherwise;
        }
        double size = Math.abs(amount.number());
        if (!(size <= ReadLimits.DEFAULT.sizeBytes()) || sum + size > MOST_TOGETHER) {
            impossible++;
            return otherwise;
        }
        sum += size;
        return Math.round(amount.number());
    }

    private static double real(Map<String, Object> row, String name) {
        Amount amount = amount(row, name);
        return amount == null ? Double.NaN : amount.number();
    }

    private static @Nullable Amount amount(Map<String, Object> row, String name) {
        Object value = row.get(name);
        return value == null ? null : Amount.of(value);
    }

    List<ProfiledCall> found() {
        return found;
    }

    /** The missing parts, in sentences. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (impossible > 0) {
            notes.add(impossible + " figures of calls that are more than memory can have are left out");
        }
        if (isChangeOnly) {
            notes.add("the rows of calls have neither times nor the memory allocated before; the JSON file has both");
        }
        if (omitted > 0) {
            notes.add(omitted + " calls after the first " + MOST + " were left out");
        }
        return notes;
    }
}
