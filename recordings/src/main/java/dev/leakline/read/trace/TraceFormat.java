package dev.leakline.read.trace;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.primitive.PackedTable;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import dev.leakline.source.StatedSizes;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chrome traces of torch.profiler that hold memory events, as torch 1.9 to 2.14 writes them, read into the columns of a snapshot.
 *
 * <p>{@link TraceParser} goes through the JSON once and keeps a few numbers of each range and each memory event in tables; {@link
 * TraceStacks} finds what was open around each event; {@link TraceDevice} writes the events. Memory grows with ranges, at some twenty
 * bytes each, which a trace takes 300 for.
 */
public final class TraceFormat implements Format {
    /** How a trace begins: an object that names its events or its schema, or a bare list of events, which have phases. */
    private static final Pattern TRACE = Pattern.compile(
            "^[^{\\[]{0,9}\\{[^{}\\[\\]]{0,999}\"(?:traceEvents|schemaVersion|deviceProperties|baseTimeNanoseconds)\"\\s*:"
                    + "|^\\s*\\[\\s*\\{[^{}]{0,999}\"ph\"\\s*:\\s*\"");
    /** The events by which a trace that begins with other things is recognised. */
    private static final Pattern EVENTS = Pattern.compile("\"traceEvents\"\\s*:\\s*\\[");

    private final ReadLimits limits;
    private final TraceLimits traceLimits;
    private final LongConsumer progress;

    /** A format that tells {@code progress} now and then how many uncompressed bytes it has come to. */
    public TraceFormat(ReadLimits limits, LongConsumer progress) {
        this(limits, TraceLimits.DEFAULT, progress);
    }

    TraceFormat(ReadLimits limits, TraceLimits traceLimits, LongConsumer progress) {
        this.limits = limits;
        this.traceLimits = traceLimits;
        this.progress = progress;
    }

    /** Programs put what they know of the machine before the events of a trace: up to 26 kB have been seen. */
    @Override
    public boolean claims(Source source) throws IOException {
        return source.head().isBracketed()
                && (TRACE.matcher(source.head().text()).find()
                        || (source.head().firstInk() == '{'
                                && EVENTS.matcher(source.longHead().text()).find()));
    }

    @Override
    public Content.Recording read(Source source) throws IOException {
        SnapshotColumns columns = new SnapshotColumns(Recorder.PROFILER);
        TraceCollector collector = new TraceCollector(columns, limits, traceLimits);
        TraceParser parser = new TraceParser(source.stream(), collector, columns, limits, progress);
        ReadException truncation = run(parser, collector);
        if (collector.memory.size() == 0) {
            throw new ReadException(
                    Code.NOT_A_SNAPSHOT,
                    -1,
                    "it is a torch.profiler trace without memory events: record it with"
                            + " torch.profiler.profile(profile_memory=True, with_stack=True)");
        }
        write(columns, collector, parser.baseNanos());
        return new Content.Recording(columns, source.format("JSON"), parser.offset(), truncation);
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
        StatedSizes sizes = new StatedSizes(limits, columns.counters);
        for (int device : devices(memory)) {
            TraceDevice writer = new TraceDevice(columns, memory, sizes, device, baseNanos);
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
