package dev.leakline.columns;

import com.carrotsearch.hppc.DoubleArrayList;
import com.carrotsearch.hppc.LongArrayList;
import java.util.Set;

/** One figure, measured again and again: what a log or a monitor says of memory over time or steps. */
public final class MemorySeries {
    /** Sources of measurements. */
    public enum Source {
        /** A tracker inside the process, such as gpumemprof's. */
        TELEMETRY,
        /** Samples between the calls of a function profiler. */
        PROFILER,
        /** {@code torch.cuda.memory_stats()}, or {@code memory_summary()}. */
        MEMORY_STATS,
        /** {@code nvidia-smi}, its CSV or its table. */
        NVIDIA_SMI,
        /** DCGM's or another exporter's text for Prometheus. */
        EXPORTER,
        /** {@code torch.profiler}'s export_memory_timeline. */
        TIMELINE,
        /** A monitor of the host: {@code ps}, {@code kubectl top}, {@code docker stats}, {@code free}. */
        MONITOR,
        /** Lines that a training script printed. */
        LOG
    }

    /** Measured quantities. */
    public enum Quantity {
        ALLOCATED(true),
        PEAK_ALLOCATED(true),
        RESERVED(true),
        PEAK_RESERVED(true),
        ACTIVE(true),
        REQUESTED(true),
        /** Free parts of blocks that are partly in use. */
        INACTIVE_SPLIT(true),
        /** In use on the device, by all processes. */
        DEVICE_USED(true),
        DEVICE_FREE(true),
        DEVICE_TOTAL(true),
        /** In use on the device by one process. */
        PROCESS_USED(true),
        /** In use on the host by the process. */
        HOST_USED(true),
        /** How full a pool is that was allocated at start, in hundredths of a per cent. */
        POOL_SHARE(false),
        /** Requests that failed so far. */
        OUT_OF_MEMORY(false),
        /** Requests that were met only after the cache was given back, so far. */
        RETRIES(false);

        private final boolean isBytes;

        Quantity(boolean isBytes) {
            this.isBytes = isBytes;
        }

        /** Returns whether values are bytes; else they are counts. */
        public boolean isBytes() {
            return isBytes;
        }
    }

    /** Units of positions. */
    public enum Axis {
        /** Unix microseconds. */
        TIME,
        /** Microseconds since a beginning that nobody knows. */
        ELAPSED,
        /** Steps of training. */
        STEP,
        /** Epochs. */
        EPOCH,
        /** The number of the measurement: the source says neither when nor at which step. */
        INDEX
    }

    /**
     * The subject of a series.
     *
     * @param source who measured
     * @param quantity what
     * @param axis what positions are
     * @param device the ordinal, -1 where the source does not say
     * @param process the process's number, -1 for none or where the source does not say
     * @param label how the source names it, such as a process's name, a rank or the words in a log; may be empty
     */
    public record Subject(Source source, Quantity quantity, Axis axis, int device, long process, String label) {
        /** Names of what Leakline's probe measures of the host's memory of a process. */
        private static final Set<String> PROBE =
                Set.of("host_anonymous_bytes", "host_pinned_bytes", "host_shared_bytes");

        /** Returns whether a name is one of those. */
        public static boolean isOfProbe(String name) {
            return PROBE.contains(name);
        }

        /** Returns whether Leakline's probe measured this. */
        public boolean isOfProbe() {
            return isOfProbe(label);
        }
    }

    /** The subject of the series. */
    public final Subject subject;

    private final DoubleArrayList positions = new DoubleArrayList();
    private final LongArrayList values = new LongArrayList();
    /** Measurements in a row of which the lowest and the highest are kept; 1 where all are. */
    private int group = 1;
    /** Measurements that the last group has so far; 0 where the next one begins another. */
    private int inGroup;

    private final int most;
    private long line;
    private long firstLine;
    private long lastLine;
    private long highest = Long.MIN_VALUE;
    private long highestLine;

    /** An empty series that keeps all measurements. */
    public MemorySeries(Subject subject) {
        this(subject, Integer.MAX_VALUE);
    }

    /** An empty series that is thinned whenever it has more than {@code most} measurements, at least 16. */
    public MemorySeries(Subject subject, int most) {
        this.subject = subject;
        this.most = Math.max(most, 16);
    }

    /** Says in which line, from 1, the measurements stand that are added from now on; 0 where the source has no lines. */
    public void at(long number) {
        line = number;
    }

    /** The line of the first measurement; 0 where nobody says. */
    public long firstLine() {
        return firstLine;
    }

    /** The line of the last one. */
    public long lastLine() {
        return lastLine;
    }

    /** The line of the first of the highest ones. */
    public long highestLine() {
        return highestLine;
    }

    /** Adds a measurement; in the order of the source. */
    public void add(double position, long value) {
        firstLine = firstLine == 0 ? line : firstLine;
        lastLine = line;
        highestLine = value > highest ? line : highestLine;
        highest = Math.max(highest, value);
        keep(position, value);
        if (values.size() > most) {
            thin();
        }
    }

    private void keep(double position, long value) {
        if (inGroup < 2) {
            append(position, value);
        } else {
            addToGroup(position, value);
        }
        inGroup = (inGroup + 1) % group;
    }

    private void append(double position, long value) {
        positions.add(position);
        values.add(value);
    }

    /** Given the two values kept of a group and a new one, drops the one that is neither the lowest nor the highest. */
    private void addToGroup(double position, long value) {
        int last = values.size() - 1;
        int low = values.get(last) < values.get(last - 1) ? last : last - 1;
        int high = 2 * last - 1 - low;
        if (value < values.get(low) || value > values.get(high)) {
            int outdone = value < values.get(low) ? low : high;
            positions.removeAt(outdone);
            values.removeAt(outdone);
            append(position, value);
        }
    }

    /**
     * Halves the measurements, for logs without end: of every few in a row only the lowest and the highest stay, in their order, of those that are
     * added later too. So neither a floor nor a peak is lost.
     */
    public void thin() {
        double[] oldPositions = positions.toArray();
        long[] oldValues = values.toArray();
        int grown = Math.max(2 * group, 4);
        positions.clear();
        values.clear();
        group = 4;
        inGroup = 0;
        for (int i = 0; i < oldValues.length; i++) {
            keep(oldPositions[i], oldValues[i]);
        }
        group = grown;
        inGroup = 0;
    }

    /** The same with all values times a factor, in the same lines. */
    public MemorySeries scaled(double factor) {
        MemorySeries scaled = new MemorySeries(subject);
        for (int i = 0; i < size(); i++) {
            scaled.keep(position(i), Math.round(value(i) * factor));
        }
        scaled.firstLine = firstLine;
        scaled.lastLine = lastLine;
        scaled.highestLine = highestLine;
        return scaled;
    }

    /** Returns whether measurements were left out by {@link #thin}. */
    public boolean isThinned() {
        return group > 1;
    }

    /** How many measurements there are. */
    public int size() {
        return values.size();
    }

    /** Where a measurement is on the axis. */
    public double position(int index) {
        return positions.get(index);
    }

    /** The value of a measurement: bytes, or a count. */
    public long value(int index) {
        return values.get(index);
    }
}
