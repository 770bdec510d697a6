package dev.leakline.fleet;

import dev.leakline.result.FleetReport;
import dev.leakline.result.FleetReport.Question;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/** One run over a fleet: reads what is new, then answers. */
final class FleetRun {
    /** Files of a batch for each core: some minutes of work, of which a run that is stopped loses no more. */
    private static final int FILES_OF_CORE = 4000;

    private final SparkSession spark;
    private final JavaSparkContext context;
    private final Path folder;
    private final Tables tables;
    private final int batchFiles;

    FleetRun(SparkSession spark, String folder) throws IOException {
        this(spark, folder, FILES_OF_CORE * spark.sparkContext().defaultParallelism());
    }

    /** A run with batches of so many files at most. */
    FleetRun(SparkSession spark, String folder, int batchFiles) throws IOException {
        this.spark = spark;
        this.context = new JavaSparkContext(spark.sparkContext());
        Path given = new Path(folder);
        this.folder = given.getFileSystem(context.hadoopConfiguration()).makeQualified(given);
        this.tables = new Tables(spark, this.folder);
        this.batchFiles = batchFiles;
    }

    /** Reads the files that the tables do not hold yet; returns how many those were. */
    int read(List<String> inputs, PathLabels labels) throws IOException {
        tables.clean();
        Configuration hadoop = context.hadoopConfiguration();
        List<FleetFile> files = new FileListing(hadoop, labels, folder).files(inputs, tables.known());
        List<List<FleetFile>> batches = TaskPacking.batches(files, batchFiles);
        for (int i = 0; i < batches.size(); i++) {
            List<FleetFile> batch = batches.get(i);
            say("batch " + (i + 1) + " of " + batches.size() + ": " + Numbers.counted(batch.size(), "file") + ", "
                    + ByteSize.format(batch.stream().mapToLong(FleetFile::bytes).sum()));
            tables.append(rows(batch), batch.size());
        }
        return files.size();
    }

    /** The rows of files, each of which is read when somebody asks for its row. */
    private JavaRDD<Row> rows(List<FleetFile> batch) {
        List<List<FleetFile>> tasks = TaskPacking.tasks(batch, context.defaultParallelism());
        FileAnalysis analysis = new FileAnalysis(new SerializableConfiguration(context.hadoopConfiguration()));
        return context.parallelize(tasks, tasks.size())
                .flatMap(task -> task.stream().map(analysis::row).iterator());
    }

    private static void say(String what) {
        System.err.println("leakline: " + what);
    }

    /** Answers a question with so many rows at most. */
    FleetReport answer(Question question, @Nullable String since, int most, long added) throws IOException {
        tables.open();
        String from = question == Question.NEW ? instant(since) : since;
        return new FleetQuery(spark, most).answer(folder.toString(), question, from, added);
    }

    /** A date, or a date and a time, as the moment at which it begins in UTC. */
    static String instant(@Nullable String date) {
        String given = String.valueOf(date);
        try {
            return given.contains("T")
                    ? Instant.parse(given).toString()
                    : LocalDate.parse(given)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                            .toString();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "--since " + given + " is no date; expected one such as 2026-11-15 or 2026-11-15T08:00:00Z", e);
        }
    }
}
