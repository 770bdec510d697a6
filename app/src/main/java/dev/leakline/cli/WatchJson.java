package dev.leakline.cli;

import dev.leakline.cli.common.Terminal;
import dev.leakline.codec.Codec;
import dev.leakline.result.WatchEvent;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;

/** Prints events as they come, a JSON object a line, and the last of each process. */
final class WatchJson implements WatchListener {
    @Override
    public void changed(WatchedProcess process, WatchEvent event) {
        print(event);
    }

    @Override
    public void ended(WatchedProcess process, WatchEvent last) {
        print(last);
    }

    private static void print(WatchEvent event) {
        Terminal.out().println(Codec.line(event));
    }
}
