package dev.leakline.cli.serve;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.columns.ProcessSample;
import dev.leakline.watch.LiveSamples;
import dev.leakline.watch.Overview;
import dev.leakline.watch.OverviewMaker;
import dev.leakline.watch.Pods;
import dev.leakline.watch.SampleSource;
import dev.leakline.watch.Watcher;
import dev.leakline.watch.ladder.Ladder;
import dev.leakline.watch.ladder.Looks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The processes of this machine: watched from the first time that somebody looks, and recorded where somebody asks. */
final class LiveWatch implements AutoCloseable {
    private final Supplier<SampleSource> sources;
    private final Looks looks;
    private final RunStore runs;
    private @Nullable SampleSource source;
    private @Nullable Thread recording;
    private volatile Overview overview = Overview.EMPTY;
    private volatile Recording last = Recording.NONE;

    /** A recording: of which process, why there is none (yet) or what it lacks, and the name of the saved result; each empty where there is none. */
    record Recording(String process, String why, String run) {
        static final Recording NONE = new Recording("", "", "");
    }

    LiveWatch(Supplier<SampleSource> sources, Looks looks, RunStore runs) {
        this.sources = sources;
        this.looks = looks;
        this.runs = runs;
    }

    /** All that is watched, as it stands; nothing yet the first time. */
    synchronized Overview overview() {
        if (source == null) {
            SampleSource begun = sources.get();
            source = begun;
            Thread.ofPlatform().daemon().name("leakline-live").start(() -> watch(begun));
        }
        return overview;
    }

    /** The newest recording. */
    Recording last() {
        return last;
    }

    private void watch(SampleSource samples) {
        boolean isLive = samples instanceof LiveSamples;
        OverviewMaker maker = new OverviewMaker(List.of(seen -> overview = seen), isLive ? Pods.ofThisMachine() : null);
        Watcher watcher = new Watcher(List.of(maker));
        try (samples) {
            for (List<ProcessSample> next = samples.next(); next != null; next = samples.next()) {
                watcher.look(next, isLive);
            }
            maker.show(watcher);
        } catch (IOException e) {
            last = new Recording("the watch", "ended: " + e.getMessage(), "");
        }
    }

    /** Begins to look for what keeps the memory of a process that runs, and to record its allocations; false where it cannot. */
    synchronized boolean record(long pid) {
        boolean isBusy = recording != null && recording.isAlive();
        boolean isWatched = overview.processes().stream().anyMatch(row -> row.pid() == pid && !row.isEnded());
        if (isBusy || !isWatched) {
            return false;
        }
        String process = "Process " + pid;
        last = new Recording(process, "is recorded for " + Ladder.RECORDING.toSeconds() + " s", "");
        recording = Thread.ofPlatform().daemon().name("leakline-record").start(() -> {
            try {
                List<Path> files = new ArrayList<>(looks.holders((int) pid).files());
                String why = "";
                try {
                    files.addAll(looks.history((int) pid, Ladder.RECORDING).files());
                } catch (LiveException e) {
                    why = "its allocations were not recorded: " + e.getMessage();
                }
                last = new Recording(process, why, runs.save("process-" + pid, Looks.judged(files)));
            } catch (IOException | RuntimeException e) {
                last = new Recording(process, "was not recorded: " + e.getMessage(), "");
            }
        });
        return true;
    }

    @Override
    public synchronized void close() {
        if (source != null) {
            source.stop();
        }
    }
}
