package dev.leakline.read;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.primitive.PackedTable;
import dev.leakline.read.Inputs.Sniffed;
import dev.leakline.read.ReadException.Code;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the chrome traces of torch.profiler that hold memory events, as torch 1.9 to 2.14 writes them, into the columns of a snapshot.
 *
 * <p>{@link TraceParser} goes through the JSON once and keeps a few numbers of each range and each memory event in tables; {@link
 * TraceStacks} finds what was open around each event; {@link TraceDevice} writes the events. Memory grows with ranges, at some twenty
 * bytes each, which a trace takes 300 for.
 */
final class TraceReader {
    private final ReadLimits limits;
    private final TraceLimits traceLimits;
    private final LongConsumer progress;

    TraceReader(ReadLimits limits, TraceLimits traceLimits, LongConsumer progress) {
        this.limits = limits;
        this.traceLimits = traceLimits;
        this.progress = progress;
    }

    SnapshotFile read(Sniffed input) throws IOException {
        SnapshotColumns columns = new SnapshotColumns(Recorder.PROFILER);
        TraceCollector collector = new TraceCollector(columns, limits, traceLimits);
        TraceParser parser = new TraceParser(input.stream(), collector, columns, limits, progress);
        ReadException truncation = run(parser, collector);
        if (collector.memory.size() == 0) {
            throw new ReadException(
                    Code.NOT_A_SNAPSHOT,
                    -1,
                    "it is a trace of torch.profiler without memory events: record it with"
                            + " torch.profiler.profile(profile_memory=True, with_stack=True)");
        }
        write(columns, collector, parser.baseNanos());
        String compression = input.compression().isEmpty() ? "" : ", " + input.compression();
        return new SnapshotFile(columns, "JSON" + compression, parser.offset(), truncation);
    }

    /** Reads all there is; a trace that ends too early is as good as one that was recorded for less long. */
    private static @Nullable ReadException run(TraceParser parser, TraceCollector collector) throws IOException {
        try {
            parser.run();
            return null;
        } catch (ReadException e) {
            if (e.code() != Code.TRUNCATED || collector.memory.size() == 0) {
                throw e;
            }
            return e;
        }
    }

    private void write(SnapshotColumns columns, TraceCollector collector, long baseNanos) throws ReadException {
        TraceMemory memory = collector.memory;
        int[] events = memory.byTime();
        int[] stacks =
                new TraceStacks(collector.ranges, memory, collector.frames, collector.nodes, traceLimits).of(events);
        columns.eventKeys.add("time_us");
        for (int device : devices(memory)) {
            TraceDevice writer = new TraceDevice(columns, memory, device, baseNanos);
            int[] places = IntStream.range(0, events.length)
                    .filter(i -> memory.device(events[i]) == device)
                    .toArray();
            writer.write(of(events, places), of(stacks, places));
            mark(columns, collector.marks, writer, device);
        }
    }

    private static int[] of(int[] values, int[] places) {
        return Arrays.stream(places).map(place -> values[place]).toArray();
    }

    /** The devices that memory events are of, in order, the host last. */
    private static List<Integer> devices(TraceMemory memory) {
        Set<Integer> devices = new TreeSet<>(Integer::compareUnsigned);
        for (int event = 0; event < memory.size(); event++) {
            devices.add(memory.device(event));
        }
        return List.copyOf(devices);
    }

    /** Marked ranges are of a thread; which device it uses, no trace says, so each has all of them. */
    private static void mark(SnapshotColumns columns, PackedTable marks, TraceDevice writer, int device) {
        for (int mark = 0; mark < marks.size(); mark++) {
            int name = (int) marks.get(0, mark);
            columns.annotations.add(name, true, device, writer.micros(marks.get(1, mark)));
            columns.annotations.add(name, false, device, writer.micros(marks.get(2, mark)));
        }
    }
}
