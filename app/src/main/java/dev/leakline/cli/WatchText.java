package dev.leakline.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import dev.leakline.cli.common.Terminal;
import dev.leakline.result.WatchEvent;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import java.time.Duration;
import java.util.Locale;
import java.util.TreeMap;

/** Prints a line when something changes, one for each process at its end, and, of processes that run, how many stand how, once a minute. */
final class WatchText implements WatchListener {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final boolean isLive;
    private long due = System.nanoTime() + MINUTE;

    WatchText(boolean isLive) {
        this.isLive = isLive;
    }

    @Override
    public void changed(WatchedProcess process, WatchEvent event) {
        Terminal.out().println(event.line());
    }

    @Override
    public void ended(WatchedProcess process, WatchEvent last) {
        Terminal.out().println("last: " + last.line());
    }

    @Override
    public void looked(Watcher watcher) {
        if (isLive && System.nanoTime() >= due) {
            due = System.nanoTime() + MINUTE;
            String states = watcher.processes().stream()
                    .collect(groupingBy(
                            process -> process.now().state(), TreeMap::new, java.util.stream.Collectors.counting()))
                    .entrySet()
                    .stream()
                    .map(entry -> entry.getValue() + " " + entry.getKey().name().toLowerCase(Locale.ROOT))
                    .collect(joining(", "));
            Terminal.out().println("processes: " + (states.isEmpty() ? "none" : states));
        }
    }
}
