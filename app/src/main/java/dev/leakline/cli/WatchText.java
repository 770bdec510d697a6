package dev.leakline.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import dev.leakline.cli.common.Terminal;
import dev.leakline.live.ProcessJudge;
import dev.leakline.result.WatchEvent;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.TreeMap;

/** Prints a line when something changes, one for each process at its end, and, of processes that run, how many stand how, once a minute. */
final class WatchText implements WatchListener {
    private static final DateTimeFormatter SINCE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final boolean isLive;
    private final boolean isOnce;
    private boolean isTold;
    private long due = System.nanoTime() + MINUTE;

    /** Prints; of one look, only how things stand at its end. */
    WatchText(boolean isLive, boolean isOnce) {
        this.isLive = isLive;
        this.isOnce = isOnce;
    }

    @Override
    public void changed(WatchedProcess process, WatchEvent event) {
        if (!isOnce) {
            Terminal.out().println(event.line());
        }
    }

    @Override
    public void ended(WatchedProcess process, WatchEvent last) {
        Terminal.out().println((isOnce ? "" : "last: ") + last.line());
        if (isOnce) {
            Terminal.out().println("  " + held(process));
        }
        if (isOnce && last.verdict() == WatchEvent.Verdict.UNDETERMINED && !isTold) {
            isTold = true;
            Terminal.out()
                    .println("growth is judged after " + ProcessJudge.ENOUGH
                            + " samples: leave leakline watch running, or try leakline watch --once --for 60s");
        }
    }

    /** The memory of a process, and since when it runs. */
    private static String held(WatchedProcess process) {
        String memories = process.memories().stream()
                .map(memory -> memory.title() + ": " + memory.figures())
                .collect(joining("; "));
        return memories
                + ProcessHandle.of(process.pid())
                        .flatMap(handle -> handle.info().startInstant())
                        .map(start -> "; runs since " + SINCE.format(start.atZone(ZoneId.systemDefault())))
                        .orElse("");
    }

    @Override
    public void looked(Watcher watcher) {
        if (isLive && !isOnce && System.nanoTime() >= due) {
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
