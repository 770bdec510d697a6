package dev.leakline.report.export;

import dev.leakline.report.document.Csv;
import dev.leakline.report.parquet.Column;
import dev.leakline.report.parquet.ParquetFile;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.Allocation;
import dev.leakline.result.Site;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The allocations of a recording as a table in Parquet, a row each. */
final class AllocationTable {
    private record Row(RecordedProfile device, Allocation allocation) {}

    private AllocationTable() {}

    /** Writes the allocations of all devices, and closes nothing. */
    static void write(List<RecordedProfile> devices, String version, OutputStream out) throws IOException {
        ParquetFile<Row> file = new ParquetFile<>(columns(), out);
        for (RecordedProfile device : devices) {
            for (Allocation allocation : device.allocations()) {
                file.add(new Row(device, allocation));
            }
        }
        file.end("leakline version " + version);
    }

    private static List<Column<Row>> columns() {
        return List.of(
                Column.of("device", Column.Type.INT32, row -> row.device.device()),
                of("address", Column.Type.INT64, Allocation::address),
                of("bytes", Column.Type.INT64, Allocation::bytes),
                of("requested_bytes", Column.Type.INT64, Allocation::requestedBytes),
                of("born_event", Column.Type.INT32, Allocation::born),
                of("freed_event", Column.Type.INT32, Allocation::freed),
                of("born_time", Column.Type.TIMESTAMP, Allocation::bornTimeUs),
                of("freed_time", Column.Type.TIMESTAMP, Allocation::freedTimeUs),
                of("step", Column.Type.INT32, Allocation::step),
                of("stream", Column.Type.INT64, Allocation::stream),
                of("live_at_peak", Column.Type.BOOLEAN, Allocation::isLiveAtPeak),
                name("category", Allocation::category),
                name("site", allocation -> allocation.site().kind()),
                text("file", allocation -> allocation.site().file()),
                of("line", Column.Type.INT32, allocation -> line(allocation.site())),
                text("function", allocation -> allocation.site().function()),
                Column.texts("stack", row -> row.allocation.stack(), AllocationTable::stack));
    }

    private static Column<Row> of(
            String name, Column.Type type, Function<Allocation, ? extends @Nullable Object> value) {
        return Column.of(name, type, row -> value.apply(row.allocation));
    }

    private static Column<Row> name(String name, Function<Allocation, ? extends @Nullable Enum<?>> value) {
        return Column.texts(
                name,
                row -> value.apply(row.allocation),
                row -> String.valueOf(value.apply(row.allocation)).toLowerCase(Locale.ROOT));
    }

    /** A text that is missing where it is empty. */
    private static Column<Row> text(String name, Function<Allocation, String> value) {
        return Column.texts(
                name,
                row -> {
                    String text = value.apply(row.allocation);
                    return text.isEmpty() ? null : text;
                },
                row -> value.apply(row.allocation));
    }

    private static @Nullable Integer line(Site site) {
        return site.isLine() ? site.line() : null;
    }

    private static String stack(Row row) {
        int stack = Objects.requireNonNull(row.allocation.stack());
        return Csv.stack(row.device.frames().apply(stack));
    }
}
