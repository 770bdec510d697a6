package dev.leakline.fleet;

import dev.leakline.fleet.FileRow.Status;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Four tables in Parquet, a folder each: runs, processes, sites, findings. Files are added in batches, each a folder {@code batch=N} in every
 * table. The rows of a batch are made once and put down whole ({@code _staging}), then each table gets its own; the runs come last, and a batch
 * whose runs were not written to their end does not count: the next run deletes what is left of it and analyses these files again. Of a
 * file that was written anew since, the rows of the last batch count.
 */
final class Tables {
    /** Rows of files in one Parquet file: some ten megabytes. */
    private static final int FILES_OF_PART = 20_000;

    private static final String BATCH = "batch=";
    private static final String DONE = "_SUCCESS";

    /** A table: which columns of a file's row it has, for which files. */
    private record Table(String name, String where, List<String> columns) {}

    private static final List<String> ORIGIN = Arrays.stream(FileRow.ORIGIN.split(", *"))
            .map(column -> column.substring(0, column.indexOf(' ')))
            .toList();

    /** In the order in which they are written. */
    private static final List<Table> TABLES = List.of(
            new Table("processes", "process IS NOT NULL", with("process.*")),
            new Table("sites", "size(peak_sites) > 0", with("inline(peak_sites)")),
            new Table("findings", "size(found) > 0", with("inline(found)")),
            new Table("runs", "TRUE", List.of("* EXCEPT (process, peak_sites, found)")));

    private final SparkSession spark;
    private final Path folder;
    private final FileSystem system;

    Tables(SparkSession spark, Path folder) throws IOException {
        this.spark = spark;
        this.folder = folder;
        this.system = folder.getFileSystem(spark.sparkContext().hadoopConfiguration());
    }

    private static List<String> with(String more) {
        return Stream.concat(ORIGIN.stream(), Stream.of(more)).toList();
    }

    /** Deletes what runs that were stopped have left. */
    void clean() throws IOException {
        Set<Integer> whole = batches();
        for (Table table : TABLES) {
            for (Path batch : batchesOf(table)) {
                if (!whole.contains(number(batch))) {
                    system.delete(batch, true);
                }
            }
        }
        system.delete(staging(), true);
    }

    /** The files that need not be read again. */
    Set<FleetFile.Key> known() throws IOException {
        if (batches().isEmpty()) {
            return Set.of();
        }
        return table(TABLES.getLast())
                .where("status <> '" + Status.FAILED.inTables() + "'")
                .selectExpr("path", "bytes", "modified_us")
                .collectAsList()
                .stream()
                .map(row -> new FleetFile.Key(row.getString(0), row.getLong(1), row.getLong(2)))
                .collect(Collectors.toSet());
    }

    /** Adds a batch of so many files, with rows as {@link FileRow} makes them. */
    void append(JavaRDD<Row> rows, int files) throws IOException {
        int batch = batches().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
        String staging = staging().toString();
        spark.createDataFrame(rows, FileRow.SCHEMA)
                .write()
                .mode(SaveMode.Overwrite)
                .parquet(staging);
        Dataset<Row> staged = spark.read().schema(FileRow.SCHEMA).parquet(staging);
        for (Table table : TABLES) {
            selected(table, staged)
                    .coalesce(1 + files / FILES_OF_PART)
                    .sortWithinPartitions("path")
                    .write()
                    .parquet(new Path(new Path(folder, table.name), BATCH + batch).toString());
        }
        system.delete(staging(), true);
    }

    /** Makes each table a view of its name. */
    void open() throws IOException {
        if (batches().isEmpty()) {
            throw new IllegalArgumentException(
                    folder + " holds no tables of a fleet; leakline fleet INPUT --out " + folder + " makes them");
        }
        for (Table table : TABLES) {
            table(table).createOrReplaceTempView(table.name);
        }
    }

    /** The rows that count: a path is in a batch once, and of several batches the last that has it. */
    private Dataset<Row> table(Table table) throws IOException {
        Dataset<Row> all = all(table);
        if (batches().size() == 1) {
            return all;
        }
        Dataset<Row> last = all(TABLES.getLast()).groupBy("path").max("batch").toDF("path", "batch");
        return all.join(last, new String[] {"path", "batch"});
    }

    /** Rows of all batches; Spark need not look into files for the columns that they have. */
    private Dataset<Row> all(Table table) throws IOException {
        Path of = new Path(folder, table.name);
        String[] paths = batches().stream()
                .map(batch -> new Path(of, BATCH + batch).toString())
                .toArray(String[]::new);
        StructType columns = selected(table, spark.createDataFrame(List.of(), FileRow.SCHEMA))
                .schema();
        return spark.read().schema(columns).option("basePath", of.toString()).parquet(paths);
    }

    private static Dataset<Row> selected(Table table, Dataset<Row> rows) {
        return rows.where(table.where).selectExpr(table.columns.toArray(String[]::new));
    }

    /** The batches that are whole. */
    private Set<Integer> batches() throws IOException {
        Set<Integer> numbers = new TreeSet<>();
        for (Path batch : batchesOf(TABLES.getLast())) {
            if (system.exists(new Path(batch, DONE))) {
                numbers.add(number(batch));
            }
        }
        return numbers;
    }

    private List<Path> batchesOf(Table table) throws IOException {
        List<Path> batches = new ArrayList<>();
        try {
            for (FileStatus status : system.listStatus(new Path(folder, table.name))) {
                if (status.getPath().getName().matches(BATCH + "\\d{1,9}")) {
                    batches.add(status.getPath());
                }
            }
        } catch (FileNotFoundException e) {
            return batches; // nothing was written yet
        }
        return batches;
    }

    private static int number(Path batch) {
        return Integer.parseInt(batch.getName().substring(BATCH.length()));
    }

    private Path staging() {
        return new Path(folder, "_staging");
    }
}
