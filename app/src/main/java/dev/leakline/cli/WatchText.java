package dev.leakline.cli;

import dev.leakline.cli.common.Terminal;
import dev.leakline.result.WatchEvent;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;

/** Prints a line when something changes, and one for each process at its end. */
final class WatchText implements WatchListener {
    @Override
    public void changed(WatchedProcess process, WatchEvent event) {
        Terminal.out().println(event.line());
    }

    @Override
    public void ended(WatchedProcess process, WatchEvent last) {
        Terminal.out().println("ended: " + last.line());
    }
}
