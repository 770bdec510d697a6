package dev.leakline.fleet;

import dev.leakline.Ranks;
import dev.leakline.codec.Codec;
import dev.leakline.result.Finding;
import dev.leakline.result.FleetReport;
import dev.leakline.result.FleetReport.Group;
import dev.leakline.result.FleetReport.Leak;
import dev.leakline.result.FleetReport.Outlier;
import dev.leakline.result.FleetReport.Question;
import dev.leakline.result.FleetReport.Size;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobSummary;
import dev.leakline.result.JobSummary.UnreadableFile;
import dev.leakline.result.ProcessSummary;
import dev.leakline.result.Site;
import dev.leakline.result.Tool;
import dev.leakline.source.ReadLimits;
import dev.leakline.text.NaturalOrder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Asks the tables. Sums are of whole numbers and whatever is chosen from several is the largest of all its columns, so that answers do not
 * depend on the order in which rows come.
 */
final class FleetQuery {
    /** Kinds that make memory grow; other findings cost no hours. */
    private static final String GROWS = "kind IN ('leak', 'reference_cycle', 'residual')";

    private static final String SIZE = """
            SELECT count(*), count_if(status = 'analysed'), count_if(error IS NOT NULL AND status <> 'other'),
              count(DISTINCT IF(status = 'analysed', job, NULL)), coalesce(sum(bytes), 0) FROM runs""";

    private static final String NOBODY = "FALSE";

    private final SparkSession spark;
    private final int most;

    /** Questions to tables whose views are there; answers list so many rows at most. */
    FleetQuery(SparkSession spark, int most) {
        this.spark = spark;
        this.most = most;
    }

    /** Answers; {@code since} is a date for what is new, a version for what has regressed. */
    FleetReport answer(String tables, Question question, @Nullable String since, long added) {
        return new FleetReport(
                FleetReport.SCHEMA,
                Tool.leakline(FileRow.toolVersion()),
                tables,
                question,
                since,
                size(added),
                leaks(question, since == null ? "" : since),
                groups(question),
                question == Question.OUTLIERS ? outliers() : List.of(),
                question == Question.SIZE || question == Question.UNREADABLE ? unreadable() : List.of());
    }

    private Size size(long added) {
        Row row = spark.sql(SIZE).first();
        return new Size(row.getLong(0), row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), added);
    }

    private List<UnreadableFile> unreadable() {
        return rows("SELECT path, error FROM runs WHERE error IS NOT NULL AND status <> 'other' ORDER BY path")
                .limit(most)
                .map(row -> new UnreadableFile(row.getString(0), row.getString(1)))
                .toList();
    }

    private List<Leak> leaks(Question question, String since) {
        Comparator<Leak> byHours = Comparator.comparingLong(Leak::jobMicros).reversed();
        Comparator<Leak> byRate = Comparator.comparingDouble((Leak leak) -> known(leak.bytesPerSecond()))
                .reversed();
        return switch (question) {
            case LEAKS -> leaks(NOBODY, "TRUE", byHours.thenComparing(byRate));
            case RATES -> leaks(NOBODY, "TRUE", byRate.thenComparing(byHours));
            case NEW -> leaks(NOBODY, "first_seen >= " + micros(since), byHours.thenComparing(byRate));
            case REGRESSED ->
                leaks(
                        older(since),
                        "since = 1 AND (before IS NULL OR before < per_step)",
                        byHours.thenComparing(byRate));
            default -> List.of();
        };
    }

    private static double known(double rate) {
        return Double.isNaN(rate) ? -1 : rate;
    }

    /** Each bug once: first in each job, whose ranks run at the same time, then in all. */
    private static String leaks(String isBefore) {
        return """
            WITH each AS (
              SELECT id, job, count(DISTINCT path) files, max(micros) micros,
                max(struct(bytes, path, kind, title, site_kind, file, line, function)) worst,
                max(bytes_per_step) per_step, max(bytes_per_second) per_second,
                max(IF(%s, bytes_per_step, NULL)) before, max(IF(%s, NULL, 1)) since,
                min(recorded_us) first_seen, max(recorded_us) last_seen,
                collect_set(version) versions, collect_set(host) hosts
              FROM findings WHERE %s GROUP BY id, job)
            SELECT id, max(worst) worst, sum(files) files, count(*) jobs,
              size(array_distinct(flatten(collect_list(hosts)))) hosts,
              array_distinct(flatten(collect_list(versions))) versions,
              sum(micros) micros, max(per_step) per_step, max(per_second) per_second, max(before) before,
              max(since) since, min(first_seen) first_seen, max(last_seen) last_seen
            FROM each GROUP BY id""".formatted(isBefore, isBefore, GROWS);
    }

    private List<Leak> leaks(String isBefore, String which, Comparator<Leak> order) {
        return rows("SELECT * FROM (" + leaks(isBefore) + ") WHERE " + which)
                .map(FleetQuery::leak)
                .sorted(order.thenComparing(Leak::id))
                .limit(most)
                .toList();
    }

    private static Leak leak(Row row) {
        Row worst = row.getAs("worst");
        Site site = new Site(
                Site.Kind.valueOf(constant(worst.getAs("site_kind"))),
                worst.getAs("file"),
                worst.<Integer>getAs("line"),
                worst.getAs("function"));
        return new Leak(
                row.getAs("id"),
                Finding.Kind.valueOf(constant(worst.getAs("kind"))),
                worst.getAs("title"),
                site,
                row.<Long>getAs("files"),
                row.<Long>getAs("jobs"),
                row.<Integer>getAs("hosts"),
                row.<String>getList(row.fieldIndex("versions")).stream()
                        .sorted(NaturalOrder.NAMES)
                        .toList(),
                row.<Long>getAs("micros"),
                figure(row, "per_step"),
                figure(row, "per_second"),
                figure(row, "before"),
                worst.<Long>getAs("bytes"),
                row.<Long>getAs("first_seen"),
                row.<Long>getAs("last_seen"),
                worst.getAs("path"));
    }

    private static double figure(Row row, String column) {
        Double figure = row.getAs(column);
        return figure == null ? Double.NaN : figure;
    }

    private static String constant(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private static long micros(String date) {
        Instant instant = Instant.parse(date);
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
    }

    /** The condition for versions that come before one; throws {@link IllegalArgumentException} where no recording is older. */
    private String older(String version) {
        List<String> older = rows("SELECT DISTINCT version FROM runs WHERE version IS NOT NULL")
                .map(row -> row.getString(0))
                .filter(each -> NaturalOrder.NAMES.compare(each, version) < 0)
                .toList();
        if (older.isEmpty()) {
            throw new IllegalArgumentException(
                    "--since " + version + ": the tables hold no recording of an older version to compare with");
        }
        spark.createDataset(older, org.apache.spark.sql.Encoders.STRING())
                .toDF("older_version")
                .createOrReplaceTempView("older_versions");
        return "version IN (SELECT older_version FROM older_versions)";
    }

    private List<Group> groups(Question question) {
        return switch (question) {
            case HOSTS -> groups("host");
            case VERSIONS -> groups("version");
            case TEAMS -> groups("team");
            default -> List.of();
        };
    }

    private List<Group> groups(String column) {
        String sql = """
            SELECT %1$s, count(*), count(DISTINCT job), count_if(error IS NOT NULL),
              count_if(verdict IN ('leak', 'reference_cycle')), count_if(verdict IN ('oom', 'oom_fragmentation')),
              CAST(coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY peak_bytes), 0) AS BIGINT),
              coalesce(max(peak_bytes), 0)
            FROM runs WHERE status <> 'other' GROUP BY %1$s
            ORDER BY 5 DESC, 2 DESC, 1""".formatted(column);
        return rows(sql)
                .limit(most)
                .map(row -> new Group(
                        row.getString(0),
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getLong(7)))
                .toList();
    }

    /** Compares the processes of each job, as {@code leakline ranks} would. */
    private List<Outlier> outliers() {
        JavaPairRDD<String, Iterable<String>> jobs = spark.sql("SELECT job, summary FROM processes")
                .javaRDD()
                .mapToPair(row -> new Tuple2<>(row.getString(0), row.getString(1)))
                .groupByKey();
        return jobs.flatMap(job -> outliers(job._1(), job._2())).collect().stream()
                .map(row -> new Outlier(row.getString(0), row.getInt(1), row.getString(2), row.getString(3)))
                .sorted(Comparator.comparing(Outlier::job)
                        .thenComparingInt(Outlier::rank)
                        .thenComparing(Outlier::file)
                        .thenComparing(Outlier::sentence))
                .limit(most)
                .toList();
    }

    private static Iterator<Row> outliers(String job, Iterable<String> summaries) throws IOException {
        List<ProcessSummary> processes = new ArrayList<>();
        for (String summary : summaries) {
            processes.addAll(read(summary).processes());
        }
        JobComparison compared = Ranks.compare(Ranks.job(processes, List.of()), 0);
        return compared.odd().stream()
                .map(odd -> RowFactory.create(job, odd.rank(), file(compared, odd.rank()), odd.sentence()))
                .iterator();
    }

    private static String file(JobComparison job, int rank) {
        return job.ranks().stream()
                .filter(each -> each.rank() == rank)
                .map(JobComparison.Rank::file)
                .findFirst()
                .orElse("");
    }

    private static JobSummary read(String summary) throws IOException {
        return Codec.readSummary(
                new ByteArrayInputStream(summary.getBytes(StandardCharsets.UTF_8)), ReadLimits.DEFAULT);
    }

    private Stream<Row> rows(String sql) {
        return spark.sql(sql).collectAsList().stream();
    }
}
