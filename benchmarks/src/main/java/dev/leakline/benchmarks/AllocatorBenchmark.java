package dev.leakline.benchmarks;

import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.allocator.CachingAllocator;
import dev.leakline.allocator.SimulatedDriver;
import java.util.Arrays;
import java.util.Random;
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

/**
 * The model of the caching allocator at random work, per event: each picks one of {@code tensors} places and allocates there, or frees what
 * it finds. Half the places are taken at any time, so free blocks are about a quarter as many as places: hundreds in the small case, which
 * is like training, tens of thousands in the large one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(AllocatorBenchmark.EVENTS)
@Fork(
        value = 2,
        jvmArgs = {"-XX:+UseSerialGC", "-Xmx1g"})
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class AllocatorBenchmark {
    /** Events of a run. */
    static final int EVENTS = 1_000_000;
    /** More than all places could ever take. */
    private static final long DEVICE = 1L << 44;

    /** Places that tensors can take. */
    @Param({"1000", "100000"})
    private int tensors;

    /** PYTORCH_CUDA_ALLOC_CONF. */
    @Param({"", "expandable_segments:True"})
    private String settings = "";

    private CachingAllocator allocator = allocator("");
    private int[] places = new int[0];
    private int[] handles = new int[0];
    private long[] sizes = new long[0];

    /** Makes up the work and brings the allocator to where as many places are taken as free. */
    @Setup
    public void prepare() {
        Random random = new Random(20260907);
        allocator = allocator(settings);
        places = random.ints(EVENTS, 0, tensors).toArray();
        sizes = random.doubles(EVENTS).mapToLong(AllocatorBenchmark::size).toArray();
        handles = new int[tensors];
        Arrays.fill(handles, -1);
        replay();
    }

    /** Sizes from 512 bytes to 64 MiB, one as frequent as another on a logarithmic scale. */
    private static long size(double random) {
        return (long) (512 * Math.pow(1 << 17, random));
    }

    private static CachingAllocator allocator(String settings) {
        return new CachingAllocator(AllocatorSettings.parse(settings), new SimulatedDriver(DEVICE, 0, 1L << 40));
    }

    /** Carries out all events; answers the bytes held in the end. */
    @Benchmark
    public long replay() {
        for (int event = 0; event < EVENTS; event++) {
            int place = places[event];
            if (handles[place] < 0) {
                handles[place] = allocator.malloc(sizes[event], 0, 0);
            } else {
                allocator.free(handles[place]);
                handles[place] = -1;
            }
        }
        return allocator.stats().reservedBytes();
    }
}
