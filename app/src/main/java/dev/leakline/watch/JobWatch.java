package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.result.WatchEvent.State;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Watches the processes of a job beside it, and says a line where one grows, where that ends, and where its forecast is another. */
public final class JobWatch implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** The least factor between forecasts that are told: half an hour instead of an hour matters, fifty minutes do not. */
    private static final double OTHER = 2;

    private final Consumer<String> says;
    private volatile boolean isOver;

    /** Says lines to this; nothing before it {@link #begin begins}. */
    public JobWatch(Consumer<String> says) {
        this.says = says;
    }

    /** Begins to watch a process and all that it starts. */
    public void begin(long pid) {
        Thread.ofPlatform().daemon().name("leakline-watch").start(() -> watch(pid));
    }

    private void watch(long pid) {
        try (LiveSamples samples = LiveSamples.ofTree(pid, INTERVAL)) {
            Watcher watcher = new Watcher(List.of(new Lines(line -> {
                if (!isOver) {
                    says.accept(line);
                }
            })));
            for (List<ProcessSample> next = samples.next(); next != null && !isOver; next = samples.next()) {
                watcher.look(next, true);
            }
        } catch (IOException | RuntimeException e) {
            says.accept("the job is no longer watched: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        isOver = true;
    }

    /** Lines of what is worth one. */
    public static final class Lines implements WatchListener {
        private final Consumer<String> says;
        /** Seconds to full as they were last said. */
        private final Map<Long, Double> said = new HashMap<>();

        public Lines(Consumer<String> says) {
            this.says = says;
        }

        @Override
        public void changed(WatchedProcess process, WatchEvent event) {
            if (event.state() != State.OK) {
                say(event);
            }
        }

        @Override
        public void looked(Watcher watcher) {
            for (WatchedProcess process : watcher.processes()) {
                if (process.state() == State.FIRING) {
                    sayIfOther(process.now());
                }
            }
        }

        private void sayIfOther(WatchEvent now) {
            double before = said.getOrDefault(now.pid(), Double.NaN);
            double left = left(now);
            boolean isOther = left > OTHER * before || before > OTHER * left || Double.isNaN(before);
            if (!Double.isNaN(left) && isOther) {
                say(now);
            }
        }

        private void say(WatchEvent event) {
            said.put(event.pid(), left(event));
            says.accept(event.line());
        }

        private static double left(WatchEvent event) {
            FullAt full = event.fullAt();
            return full == null ? Double.NaN : full.estimate() - event.t();
        }
    }
}
