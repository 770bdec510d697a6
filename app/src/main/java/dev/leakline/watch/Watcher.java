package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Cause;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Hands the samples of each process to its judge, and tells listeners what changed. For one thread. */
public final class Watcher {
    private final Map<Long, WatchedProcess> processes = new LinkedHashMap<>();
    private final List<WatchListener> listeners;

    public Watcher(List<WatchListener> listeners) {
        this.listeners = listeners;
    }

    /** The processes that are watched, in the order in which they were first seen. */
    public Collection<WatchedProcess> processes() {
        return Collections.unmodifiableCollection(processes.values());
    }

    /**
     * Adds the samples of one moment.
     *
     * @param isAll whether they are of all processes there are: one that is missing has ended
     */
    public void look(List<ProcessSample> samples, boolean isAll) throws IOException {
        Set<Long> seen = new HashSet<>();
        for (ProcessSample sample : samples) {
            seen.add(sample.pid());
            add(sample);
        }
        if (isAll) {
            endOthers(seen);
        }
        for (WatchListener listener : listeners) {
            listener.looked(this);
        }
    }

    private void add(ProcessSample sample) throws IOException {
        WatchedProcess known = processes.get(sample.pid());
        if (known != null && isOther(known.last(), sample)) {
            end(known);
            known = null;
        }
        WatchedProcess process = known == null ? new WatchedProcess(sample) : known;
        processes.put(sample.pid(), process);
        List<WatchEvent> events = process.add(sample);
        for (WatchListener listener : listeners) {
            listener.sampled(process, sample);
            for (WatchEvent event : events) {
                listener.changed(process, event);
            }
        }
    }

    /** Returns whether the number of a process that has ended was given to another. */
    private static boolean isOther(ProcessSample before, ProcessSample now) {
        return before.started() >= 0 && now.started() >= 0 && before.started() != now.started();
    }

    private void endOthers(Set<Long> seen) throws IOException {
        for (Iterator<WatchedProcess> all = processes.values().iterator(); all.hasNext(); ) {
            WatchedProcess process = all.next();
            if (!seen.contains(process.pid())) {
                all.remove();
                end(process);
            }
        }
    }

    /** Says why a process grows: whoever looked into it found out. */
    public void explain(WatchedProcess process, Cause cause) throws IOException {
        process.explain(cause);
        for (WatchListener listener : listeners) {
            listener.changed(process, process.now());
        }
    }

    /** Says how each process stands at the end. */
    public void finish() throws IOException {
        endOthers(Set.of());
    }

    private void end(WatchedProcess process) throws IOException {
        WatchEvent last = process.ended();
        for (WatchListener listener : listeners) {
            listener.ended(process, last);
        }
    }
}
