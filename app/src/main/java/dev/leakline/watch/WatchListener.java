package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.result.WatchEvent;
import java.io.IOException;

/** Is told what a {@link Watcher} learns. All calls come from the thread that feeds the watcher. */
public interface WatchListener {
    /** A sample was added to a process; it is judged by now. */
    default void sampled(WatchedProcess process, ProcessSample sample) throws IOException {}

    /** The samples of one moment are in. */
    default void looked(Watcher watcher) throws IOException {}

    /** State or verdict of a process changed. */
    default void changed(WatchedProcess process, WatchEvent event) throws IOException {}

    /** A process is gone, or the samples are at their end; {@code last} is how it stood. */
    default void ended(WatchedProcess process, WatchEvent last) throws IOException {}
}
