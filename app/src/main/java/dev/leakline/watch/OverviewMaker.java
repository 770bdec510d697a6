package dev.leakline.watch;

import dev.leakline.result.WatchEvent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Hands overviews to those who show them: at most twenty a second, however fast samples are replayed. */
public final class OverviewMaker implements WatchListener {
    /** As often as an eye notices. */
    private static final long LEAST_NANOS = 50_000_000;
    /** Who looks in the morning wants to see what ended in the night. */
    private static final int MOST_ENDED = 50;

    private final List<Consumer<Overview>> viewers;
    private final Deque<Overview.Row> ended = new ArrayDeque<>();
    private long next = System.nanoTime();

    public OverviewMaker(List<Consumer<Overview>> viewers) {
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
            processes.add(new Overview.Row(process.now(), process.memories(), false));
            time = Math.max(time, process.last().t());
        }
        for (Overview.Row process : ended) {
            time = Math.max(time, process.now().t());
        }
        processes.addAll(ended);
        Overview overview = new Overview(time, List.copyOf(processes));
        viewers.forEach(viewer -> viewer.accept(overview));
    }

    @Override
    public void ended(WatchedProcess process, WatchEvent last) {
        ended.addFirst(new Overview.Row(last, process.memories(), true));
        if (ended.size() > MOST_ENDED) {
            ended.removeLast();
        }
    }
}
