package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.result.WatchEvent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands overviews to those who show them: at most twenty a second, however fast samples are replayed. */
public final class OverviewMaker implements WatchListener {
    /** As often as an eye notices. */
    private static final long LEAST_NANOS = 50_000_000;
    /** The most ended processes: who looks in the morning wants to see what ended in the night. */
    private static final int MOST_ENDED = 50;

    private final List<Consumer<Overview>> viewers;
    private final @Nullable Pods pods;
    private final Deque<Overview.Row> ended = new ArrayDeque<>();
    private long next = System.nanoTime();

    /** A maker for these viewers; {@code pods} is null where processes are not of this machine. */
    public OverviewMaker(List<Consumer<Overview>> viewers, @Nullable Pods pods) {
        this.pods = pods;
        this.viewers = List.copyOf(viewers);
    }

    @Override
    public void looked(Watcher watcher) throws IOException {
        if (!viewers.isEmpty() && System.nanoTime() - next >= 0) {
            next = System.nanoTime() + LEAST_NANOS;
            show(watcher);
        }
    }

    /** Hands an overview of this moment to everyone. */
    public void show(Watcher watcher) {
        List<Overview.Row> processes = new ArrayList<>();
        double time = 0;
        for (WatchedProcess process : watcher.processes()) {
            processes.add(row(process, process.now(), false));
            time = Math.max(time, process.last().t());
        }
        for (Overview.Row process : ended) {
            time = Math.max(time, process.now().t());
        }
        processes.addAll(ended);
        Overview overview = new Overview(time, List.copyOf(processes));
        viewers.forEach(viewer -> viewer.accept(overview));
    }

    private Overview.Row row(WatchedProcess process, WatchEvent now, boolean isEnded) {
        ProcessSample last = process.last();
        Pods.Pod pod = pods == null ? null : pods.of(last.pid(), last.started());
        return new Overview.Row(now, process.memories(), isEnded, pod);
    }

    @Override
    public void ended(WatchedProcess process, WatchEvent last) {
        ended.addFirst(row(process, last, true));
        if (ended.size() > MOST_ENDED) {
            ended.removeLast();
        }
    }
}
