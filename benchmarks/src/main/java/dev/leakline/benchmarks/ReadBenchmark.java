package dev.leakline.benchmarks;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.testkit.pickle.Dialect;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The opcode machine: from a pickle's bytes to columns, per event. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SampleSnapshots.EVENTS)
@Fork(
        value = 2,
        jvmArgs = {"-XX:+UseSerialGC", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class ReadBenchmark {
    /** How a snapshot is written. */
    public enum Form {
        PROTOCOL_4,
        PROTOCOL_2,
        PROTOCOL_4_GZIP;

        private byte[] file() throws IOException {
            return switch (this) {
                case PROTOCOL_4 -> SampleSnapshots.file(Dialect.PROTOCOL_4);
                case PROTOCOL_2 -> SampleSnapshots.file(Dialect.PROTOCOL_2);
                case PROTOCOL_4_GZIP -> SampleSnapshots.gzip(SampleSnapshots.file(Dialect.PROTOCOL_4));
            };
        }
    }

    /** How this run's snapshot is written. */
    @Param
    public Form form = Form.PROTOCOL_4;

    private byte[] file = {};

    /** Makes the file. */
    @Setup
    public void makeFile() throws IOException {
        file = form.file();
    }

    /** Reads it. */
    @Benchmark
    public SnapshotColumns read() throws IOException {
        return SampleSnapshots.read(file);
    }
}
