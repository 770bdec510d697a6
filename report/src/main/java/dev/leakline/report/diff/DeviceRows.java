package dev.leakline.report.diff;

import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Use;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A device before and after, as rows: its figures, and the lines that account for the difference of its peaks. */
final class DeviceRows {
    /** The title of the uses. */
    static final String USES = "live at the peak, by use: changes (an estimate)";
    /** The title of the lines. */
    static final String LINES = "live at the peak, by line: largest changes";

    private final DeviceChange change;
    private final int top;
    private final List<SiteChange> changed;

    DeviceRows(DeviceChange change, int top) {
        this.change = change;
        this.top = top;
        this.changed =
                change.sites().stream().filter(site -> site.change() != 0).toList();
    }

    /** The figures of the device. */
    List<ChangeRow> figures() {
        List<ChangeRow> rows = new ArrayList<>();
        rows.add(bytes("live at the peak", device -> device.peak().bytes()));
        rows.add(bytes("reserved at that moment", device -> device.peak().reservedBytes()));
        rows.add(bytes("reserved at the end", DeviceResult::endReservedBytes));
        rows.add(bytes("live at the end", DeviceResult::endBytes));
        if (of(change.before(), DeviceRows::older) != of(change.after(), DeviceRows::older)) {
            rows.add(bytes("of it allocated before the recording", DeviceRows::older));
        }
        String was = share(change.before());
        String is = share(change.after());
        if (!was.equals(is)) {
            rows.add(ChangeRow.values("of the peak has a line of code", was, is));
        }
        rows.add(count("steps", device -> device.steps().count()));
        rows.add(count("events", DeviceResult::events));
        return rows;
    }

    /** The uses that changed, largest first; none where a side does not tell them. */
    List<ChangeRow> uses() {
        Map<Category, Long> was = uses(change.before());
        Map<Category, Long> is = uses(change.after());
        return was.isEmpty() || is.isEmpty()
                ? List.of()
                : Arrays.stream(Category.values())
                        .map(category -> ChangeRow.bytes(
                                category.words(), was.getOrDefault(category, 0L), is.getOrDefault(category, 0L)))
                        .filter(row -> row.rise() != 0)
                        .sorted(Comparator.comparingLong((ChangeRow row) -> -Math.abs(row.rise())))
                        .toList();
    }

    private static Map<Category, Long> uses(@Nullable DeviceResult device) {
        return device == null
                ? Map.of()
                : device.peak().byCategory().stream().collect(Collectors.toMap(Use::category, Use::bytes));
    }

    private static long older(DeviceResult device) {
        return device.coverage().olderLiveBytes();
    }

    private static String share(@Nullable DeviceResult device) {
        return device == null || device.peak().bytes() == 0
                ? ""
                : Numbers.percent(device.coverage().explainedShare());
    }

    private ChangeRow bytes(String label, ToLongFunction<DeviceResult> figure) {
        return ChangeRow.bytesWithShare(label, of(change.before(), figure), of(change.after(), figure));
    }

    private ChangeRow count(String label, ToLongFunction<DeviceResult> figure) {
        return ChangeRow.count(label, of(change.before(), figure), of(change.after(), figure));
    }

    private static long of(@Nullable DeviceResult device, ToLongFunction<DeviceResult> figure) {
        return device == null ? 0 : figure.applyAsLong(device);
    }

    /** Returns whether any line explains a difference. */
    boolean hasChanges() {
        return !changed.isEmpty() || change.unlistedBefore() != change.unlistedAfter();
    }

    /** The lines that changed most. */
    List<SiteChange> sites() {
        return changed.subList(0, Math.min(top, changed.size()));
    }

    /** Where a line was, if elsewhere. */
    static String moved(SiteChange site) {
        return site.hasMoved() && site.before() != null
                ? " (was line " + site.before().site().frame().line() + ")"
                : "";
    }

    /** All the other lines, in sums; where anything changed, also what did not, so that the rows add up to the peaks. */
    List<ChangeRow> others() {
        List<ChangeRow> rows = new ArrayList<>();
        if (changed.size() > top) {
            String more = Numbers.counted(changed.size() - (long) top, "more line");
            rows.add(sum(
                    "at " + more + " (--top " + changed.size() + " shows all)", changed.subList(top, changed.size())));
        }
        if (change.unlistedBefore() != 0 || change.unlistedAfter() != 0) {
            rows.add(ChangeRow.bytes(
                    "at lines not listed in the reports", change.unlistedBefore(), change.unlistedAfter()));
        }
        List<SiteChange> same =
                change.sites().stream().filter(site -> site.change() == 0).toList();
        if (!same.isEmpty() && same.size() < change.sites().size()) {
            rows.add(sum("at " + Numbers.counted(same.size(), "line") + " unchanged", same));
        }
        return rows;
    }

    private static ChangeRow sum(String label, List<SiteChange> sites) {
        long was = sites.stream().mapToLong(SiteChange::bytesBefore).sum();
        long is = sites.stream().mapToLong(SiteChange::bytesAfter).sum();
        return ChangeRow.bytes(label, was, is);
    }
}
