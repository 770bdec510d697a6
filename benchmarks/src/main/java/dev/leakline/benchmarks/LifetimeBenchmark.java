package dev.leakline.benchmarks;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Lifetimes: pairing allocations with frees, and following live bytes, per event. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SampleSnapshots.EVENTS)
@Fork(
        value = 2,
        jvmArgs = {"-XX:+UseSerialGC", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class LifetimeBenchmark {
    private SnapshotColumns columns = new SnapshotColumns();
    private int device;
    private Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);

    /** Reads the snapshot. */
    @Setup
    public void read() throws IOException {
        columns = SampleSnapshots.read(SampleSnapshots.file(Dialect.PROTOCOL_4));
        device = LifetimeBuilder.devices(columns).iterator().next();
        lifetimes = LifetimeBuilder.build(columns, device);
    }

    /** Pairs allocations with frees. */
    @Benchmark
    public Lifetimes build() {
        return LifetimeBuilder.build(columns, device);
    }

    /** Follows the curve from the first event to the last, for its highest point. */
    @Benchmark
    public long sweep() {
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        long peak = curve.held();
        while (curve.next()) {
            peak = Math.max(peak, curve.held());
        }
        return peak;
    }
}
