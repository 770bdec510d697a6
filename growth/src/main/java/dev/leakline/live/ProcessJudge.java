package dev.leakline.live;

import dev.leakline.columns.ProcessSample;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Resource;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.result.WatchEvent.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Judges one process by its samples, as they come. */
public final class ProcessJudge {
    /** Samples of a memory before its growth is judged. */
    public static final int ENOUGH = MemoryJudge.ENOUGH;

    private static final int HOST = -1;
    /** States by rising weight: the memory of a process that matters most speaks for it. */
    private static final List<State> BY_WEIGHT = List.of(State.OK, State.RESOLVED, State.GROWING, State.FIRING);

    private final Map<Integer, MemoryJudge> memories = new TreeMap<>(Comparator.reverseOrder());
    private double t;
    private long pid;
    private @Nullable String name;
    private long started = ProcessSample.UNKNOWN;
    private final Map<Integer, State> said = new HashMap<>();
    private Verdict verdict = Verdict.UNDETERMINED;
    private boolean isNew = true;

    /** Adds a sample; answers an event for each memory whose state or verdict changed, and one for the first sample. */
    public List<WatchEvent> add(ProcessSample sample) {
        t = sample.t();
        pid = sample.pid();
        name = sample.name() == null ? name : sample.name();
        restart(sample);
        boolean isChanged = isNew;
        if (sample.device() >= 0 || sample.used() >= 0) {
            isChanged |= memory(Math.max(0, sample.device())).add(sample);
        }
        if (sample.rss() >= 0 || sample.pinned() >= 0) {
            isChanged |= memory(HOST).add(sample);
        }
        return isChanged ? changes() : List.of();
    }

    /** Another process has the same number now. */
    private void restart(ProcessSample sample) {
        if (sample.started() >= 0) {
            if (started >= 0 && started != sample.started()) {
                memories.clear();
                said.clear();
            }
            started = sample.started();
        }
    }

    private MemoryJudge memory(int device) {
        return memories.computeIfAbsent(device, MemoryJudge::new);
    }

    /** The events not yet reported: changed states of memories, and how the process stands. */
    private List<WatchEvent> changes() {
        List<WatchEvent> events = new ArrayList<>();
        for (MemoryJudge memory : memories.values()) {
            State now = memory.state();
            if (said.getOrDefault(memory.device(), State.OK) != now) {
                said.put(memory.device(), now);
                events.add(event(memory));
            }
        }
        WatchEvent now = now();
        // an alert is reported once, whatever its verdict until it ends
        boolean isOther = now.verdict() != verdict && now.state() != State.FIRING;
        if (isNew || (events.isEmpty() && isOther)) {
            events.add(now);
        }
        isNew = false;
        verdict = now.verdict();
        return events;
    }

    /** How it stands, by nearly all samples so far: the memory speaks that matters most. */
    public WatchEvent now() {
        return event(worst());
    }

    /** How it stands at its end, by every sample. */
    public WatchEvent last() {
        memories.values().forEach(MemoryJudge::refresh);
        return now();
    }

    /** The state of the memory that matters most. */
    public State state() {
        MemoryJudge worst = worst();
        return worst == null ? State.OK : worst.state();
    }

    private WatchEvent event(@Nullable MemoryJudge memory) {
        Episode episode = memory == null ? null : memory.episode();
        if (memory == null || episode == null || memory.state() == State.RESOLVED) {
            boolean isHost = memory != null && memory.device() < 0;
            return new WatchEvent(
                    t,
                    pid,
                    name,
                    memory == null ? State.OK : memory.state(),
                    verdict(memory),
                    Double.NaN,
                    null,
                    isHost ? Resource.HOST : Resource.DEVICE,
                    memory == null ? 0 : memory.device(),
                    Double.NaN,
                    memory == null ? "no figure of its memory is known" : memory.reason(),
                    null);
        }
        return new WatchEvent(
                t,
                pid,
                name,
                memory.state(),
                verdict(memory),
                episode.bytesPerHour(),
                memory.fullAt(),
                memory.device() < 0 ? Resource.HOST : Resource.DEVICE,
                memory.device(),
                t - (episode.track().clock() - episode.since()),
                memory.reason(),
                null);
    }

    private @Nullable MemoryJudge worst() {
        MemoryJudge worst = null;
        for (MemoryJudge memory : memories.values()) {
            if (worst == null || weight(memory) > weight(worst)) {
                worst = memory;
            }
        }
        return worst;
    }

    /** Ranks a memory by its state, then by whether it was reported before. */
    private int weight(MemoryJudge memory) {
        return 2 * BY_WEIGHT.indexOf(memory.state()) + (said.containsKey(memory.device()) ? 1 : 0);
    }

    /** A memory that was looked at for too short a time says nothing against one that is known. */
    private Verdict verdict(@Nullable MemoryJudge memory) {
        boolean isOtherKnown = memories.values().stream().anyMatch(MemoryJudge::isEnough);
        if (memory == null) {
            return Verdict.UNDETERMINED;
        }
        return !memory.isEnough() && memory.state() == State.OK && isOtherKnown ? Verdict.NO_LEAK : memory.verdict();
    }
}
