package dev.leakline.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;

/** What tables hold, whatever order Spark wrote it in. */
final class TableRows {
    private static final List<String> TABLES = List.of("runs", "processes", "sites", "findings");

    private TableRows() {}

    /** All rows of a fleet's tables, in an order of their own. */
    static Map<String, List<String>> of(SparkSession spark, Path tables) throws IOException {
        new Tables(spark, hadoop(tables)).open();
        Map<String, List<String>> rows = new TreeMap<>();
        for (String table : TABLES) {
            rows.put(
                    table,
                    spark.table(table).drop("batch").toJSON().collectAsList().stream()
                            .sorted()
                            .toList());
        }
        return rows;
    }

    /** The rows that a loop over the files makes, one after the other and without Spark; {@code tables} is where they are written to. */
    static Map<String, List<String>> ofLoop(SparkSession spark, Path input, PathLabels labels, Path tables)
            throws IOException {
        Configuration configuration = spark.sparkContext().hadoopConfiguration();
        FileAnalysis analysis = new FileAnalysis(new SerializableConfiguration(configuration));
        List<Row> loop = new FileListing(configuration, labels, hadoop(tables))
                .files(List.of(input.toString()), Set.of()).stream()
                        .map(analysis::row)
                        .toList();
        new Tables(spark, hadoop(tables))
                .append(new JavaSparkContext(spark.sparkContext()).parallelize(loop, 1), loop.size());
        return of(spark, tables);
    }

    private static org.apache.hadoop.fs.Path hadoop(Path path) {
        return new org.apache.hadoop.fs.Path(path.toString());
    }
}
