package dev.leakline.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A cluster of two executors, each a process, of which one is killed half-way: it takes a minute. A process has one session of Spark. */
@Isolated
@EnabledIfEnvironmentVariable(named = "LEAKLINE_CI", matches = "full")
final class FleetClusterTest {
    private static final Path PROGRAMS = Path.of("..", "testkit", "scenarios", "programs", "recorded");
    /** So many tasks of two executors, before one of them is killed. */
    private static final int HALF_WAY = 8;

    private static final int FILES = 60;

    @TempDir
    private Path folder;

    /** Kills one of the executors, of which this process is the parent, when so many tasks have ended. */
    private static final class Killer extends SparkListener {
        private final AtomicInteger ended = new AtomicInteger();
        private final AtomicInteger removed = new AtomicInteger();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd task) {
            if (ended.incrementAndGet() == HALF_WAY) {
                ProcessHandle.current().children().findFirst().orElseThrow().destroyForcibly();
            }
        }

        @Override
        public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
            removed.incrementAndGet();
        }
    }

    @Test
    void anExecutorThatIsKilledHalfWayChangesNothing() throws IOException {
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        Path input = Files.createDirectory(folder.resolve("input"));
        write(input);
        Map<String, String> settings = Map.of(
                "spark.executor.extraClassPath",
                System.getProperty("java.class.path"),
                "spark.sql.shuffle.partitions",
                "2");
        try (SparkSession spark = FleetMain.session("local-cluster[2,1,1024]", settings)) {
            Killer killer = new Killer();
            spark.sparkContext().addSparkListener(killer);
            Path tables = folder.resolve("tables");
            assertThat(new FleetRun(spark, tables.toString()).read(List.of(input.toString()), PathLabels.of("")))
                    .isEqualTo(FILES);
            assertThat(killer.removed).hasPositiveValue();
            assertThat(TableRows.of(spark, tables))
                    .isEqualTo(TableRows.ofLoop(spark, input, PathLabels.of(""), folder.resolve("looped")));
        }
    }

    private static void write(Path input) throws IOException {
        List<Path> programs;
        try (Stream<Path> recorded = Files.list(PROGRAMS)) {
            programs = recorded.filter(file -> file.toString().endsWith(".gz"))
                    .sorted()
                    .toList();
        }
        for (int i = 0; i < FILES; i++) {
            byte[] whole = Files.readAllBytes(programs.get(i % programs.size()));
            Files.write(input.resolve(i + ".pickle.gz"), i % 20 == 7 ? Arrays.copyOf(whole, whole.length / 2) : whole);
        }
    }
}
