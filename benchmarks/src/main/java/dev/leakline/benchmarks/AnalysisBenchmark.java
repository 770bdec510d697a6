package dev.leakline.benchmarks;

import dev.leakline.Analysis;
import dev.leakline.InputSource;
import dev.leakline.Snapshot;
import dev.leakline.result.AnalysisResult;
import dev.leakline.testkit.pickle.Dialect;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The whole analysis of a snapshot that was read, per event. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SampleSnapshots.EVENTS)
@Fork(
        value = 2,
        jvmArgs = {"-XX:+UseSerialGC", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class AnalysisBenchmark {
    private List<Snapshot> snapshots = List.of();

    /** Reads the snapshot. */
    @Setup
    public void read() throws IOException {
        byte[] file = SampleSnapshots.file(Dialect.PROTOCOL_4);
        snapshots = List.of(Snapshot.open(InputSource.of("generated", new ByteArrayInputStream(file))));
    }

    /** Analyses it. */
    @Benchmark
    public AnalysisResult analyse() {
        return Analysis.run(snapshots, Analysis.Options.ALL);
    }
}
