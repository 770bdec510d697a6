package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.live.ProcessJudge;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Cause;
import dev.leakline.result.WatchEvent.Resource;
import dev.leakline.result.WatchEvent.State;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A process that is watched: what is thought of it, and how its memories went. */
public final class WatchedProcess {
    /** GPUs by number, then the host. */
    private static final Comparator<Integer> ORDER = Comparator.comparingLong(Integer::toUnsignedLong);

    private final ProcessJudge judge = new ProcessJudge();
    private final SortedMap<Integer, ProcessMemory> memories = new TreeMap<>(ORDER);
    private ProcessSample last;
    private @Nullable Cause cause;

    WatchedProcess(ProcessSample first) {
        this.last = first;
    }

    /** Adds a sample; answers what changed by it. */
    List<WatchEvent> add(ProcessSample sample) {
        last = sample;
        if (sample.device() >= 0) {
            remember(sample, sample.device(), ProcessMemory.onDevice(sample));
        }
        remember(sample, ProcessMemory.HOST, sample.resident());
        List<WatchEvent> events = judge.add(sample);
        boolean isOver = state() == State.OK || state() == State.RESOLVED;
        cause = isOver ? null : cause;
        return events.stream().map(this::explained).toList();
    }

    /** Adds the cause, which is of growth on a GPU and not of the host's memory. */
    private WatchEvent explained(WatchEvent event) {
        boolean isMeant = event.resource() == Resource.DEVICE && event.state() != State.OK;
        return isMeant ? event.because(cause) : event;
    }

    private void remember(ProcessSample sample, int device, long value) {
        if (value >= 0) {
            ProcessMemory memory = memories.get(device);
            memory = memory == null ? new ProcessMemory(device, sample, new MemoryHistory()) : memory;
            memories.put(device, memory.add(sample, value));
        }
    }

    /** Says why it grows, until it no longer does. */
    void explain(Cause why) {
        cause = why;
    }

    public long pid() {
        return last.pid();
    }

    /** The newest sample. */
    public ProcessSample last() {
        return last;
    }

    /** How it stands, by nearly all samples so far. */
    public WatchEvent now() {
        return explained(judge.now());
    }

    /** How it stands at its end, by every sample. */
    WatchEvent ended() {
        return explained(judge.last());
    }

    /** The state that it is in, by all samples so far. */
    public State state() {
        return judge.state();
    }

    /** The memories that it has used, GPUs by number, then the host; later samples do not change them. */
    public List<ProcessMemory> memories() {
        return memories.values().stream().map(ProcessMemory::copy).toList();
    }
}
