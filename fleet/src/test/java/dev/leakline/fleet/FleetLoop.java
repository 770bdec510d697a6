package dev.leakline.fleet;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.codec.Codec;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/**
 * What a fleet is measured by ({@code benchmarks/fleet.py}): {@code reports INPUT} writes the JSON of each file to nowhere, one after the
 * other; {@code rows INPUT TABLES LOOPED} makes the rows of all files in a loop and fails where the fleet's tables hold any other;
 * {@code driver INPUT} says what the driver keeps of the files while it lists them.
 */
final class FleetLoop {
    private FleetLoop() {}

    public static void main(String[] arguments) throws IOException {
        Path input = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "reports" -> reports(input);
            case "driver" -> driver(input);
            default -> compare(input, Path.of(arguments[2]), Path.of(arguments[3]));
        }
    }

    /** Bytes of heap a file, after a collection: as it is listed, and as its key is known. */
    private static void driver(Path input) throws IOException {
        FileListing listing = new FileListing(
                new Configuration(),
                PathLabels.of("{team}/{job}/{version}/{host}"),
                new org.apache.hadoop.fs.Path("/none"));
        listing.files(List.of(input.toString()), Set.of()); // what Hadoop loads once
        long before = used();
        List<FleetFile> files = listing.files(List.of(input.toString()), Set.of());
        long listed = used();
        Set<FleetFile.Key> known = files.stream()
                .map(file ->
                        new FleetFile.Key(new String(file.path().toCharArray()), file.bytes(), file.modifiedMicros()))
                .collect(Collectors.toSet());
        System.out.printf(
                "%d files: %d bytes each as listed, %d as known%n",
                known.size(), (listed - before) / files.size(), (used() - listed) / files.size());
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void reports(Path input) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(input)) {
            files = found.filter(Files::isRegularFile).sorted().toList();
        }
        int torn = 0;
        for (Path file : files) {
            try {
                Codec.write(
                        Analysis.run(List.of(Input.open(InputSource.of(file), Demand.EVIDENCE)), Analysis.Options.ALL),
                        Writer.nullWriter());
            } catch (IOException _) {
                torn++;
            }
        }
        Duration used = ProcessHandle.current().info().totalCpuDuration().orElseThrow();
        System.out.printf(
                "%d reports, %d files refused, %.1f s of processors%n",
                files.size() - torn, torn, used.toMillis() / 1e3);
    }

    private static void compare(Path input, Path tables, Path looped) throws IOException {
        try (SparkSession spark = FleetMain.session("local[2]", Map.of("spark.sql.shuffle.partitions", "2"))) {
            Map<String, List<String>> fleet = TableRows.of(spark, tables);
            Map<String, List<String>> loop = TableRows.ofLoop(spark, input, PathLabels.of(""), looped);
            loop.forEach((table, rows) -> System.out.printf(
                    "%s: %d rows, %s%n", table, rows.size(), rows.equals(fleet.get(table)) ? "equal" : "they differ"));
            System.exit(loop.equals(fleet) ? 0 : 1);
        }
    }
}
