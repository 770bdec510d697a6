package dev.leakline.benchmarks;

import dev.leakline.Analysis;
import dev.leakline.Case;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.AnalysisResult;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One more measurement of a program that runs, and a judgement of all that there are: once a second, for an hour or for months. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 2,
        jvmArgs = {"-XX:+UseSerialGC", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class LiveBenchmark {
    private static final long MIB = 1 << 20;
    private static final Subject SUBJECT = new Subject(Source.TELEMETRY, Quantity.ALLOCATED, Axis.STEP, 0, -1, "");

    /** Measurements that there are already. */
    @Param({"3600", "100000", "10000000"})
    private int measured;

    private Case evidence = new Case();
    private MemorySeries series = new MemorySeries(SUBJECT);
    private long next;

    /** Measures memory that swings and grows. */
    @Setup
    public void measure() {
        evidence = new Case();
        series = evidence.measure("monitor", SUBJECT);
        for (next = 0; next < measured; next++) {
            add();
        }
    }

    /** Measures once more, and judges. */
    @Benchmark
    public AnalysisResult judge() {
        add();
        next++;
        return evidence.judge(Analysis.Options.ALL);
    }

    private void add() {
        series.add((double) next, (500 + next * 7919 % 100) * MIB + next * 64L);
    }
}
