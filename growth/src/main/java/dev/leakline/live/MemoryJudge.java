package dev.leakline.live;

import dev.leakline.columns.ProcessSample;
import dev.leakline.live.Episode.Phase;
import dev.leakline.live.Episode.Teeth;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.result.WatchEvent.Verdict;
import dev.leakline.statistics.Level;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges what one process holds of one memory: that of a device, or the host's. Of a device's figures the innermost that is known speaks: tensors
 * that are kept show in what is allocated; what only the allocator reserves is its cache, until a request fails.
 */
final class MemoryJudge {
    private static final List<String> OF_DEVICE =
            List.of("allocated GPU memory", "reserved GPU memory", "used GPU memory");
    private static final List<String> OF_HOST = List.of("pinned host memory", "resident host memory");
    /** The shortest window has 64 samples; by then it was tested some times. */
    static final int ENOUGH = 80;
    /** The factor by which reserved memory must outgrow allocated memory to grow for a cause of its own. */
    private static final double OUTGROWS = 3;
    /** Seconds after which memory freed at once may mean a new process; a collector frees sooner. */
    private static final double RESTART_SECONDS = 1800;
    /** A process that frees all that it had for the third time has a collector, too: it must have more than it ever freed. */
    private static final int MOST_RESTARTS = 2;

    private static final double TEETH = 1.5;
    private static final double MICROS = 1e6;

    private final int device;
    private final @Nullable FigureTrack[] figures;
    private double limit = Double.NaN;
    private @Nullable Episode episode;
    private @Nullable Episode freed;
    private Teeth teeth = new Teeth(0, 0);
    private int restarts;

    /** Judges the memory of a device; that of the host if its number is negative. */
    MemoryJudge(int device) {
        this.device = device;
        this.figures = new FigureTrack[names().size()];
    }

    private List<String> names() {
        return device < 0 ? OF_HOST : OF_DEVICE;
    }

    /** Adds a sample; whether a figure has a new block. */
    boolean add(ProcessSample sample) {
        long total = device < 0 ? sample.hostLimit() : sample.deviceTotal();
        limit = total > 0 ? (double) total : limit;
        long[] values = device < 0
                ? new long[] {sample.pinned(), sample.resident()}
                : new long[] {sample.allocated(), sample.reserved(), sample.used()};
        boolean isNew = false;
        for (int i = 0; i < values.length; i++) {
            isNew |= values[i] >= 0 && figure(i).add(sample.t(), (double) values[i]);
        }
        if (isNew) {
            update();
        }
        return isNew;
    }

    private FigureTrack figure(int number) {
        FigureTrack figure = figures[number];
        if (figure == null) {
            figure = new FigureTrack(names().get(number));
            figures[number] = figure;
        }
        if (limit > 0) {
            figure.limit(limit);
        }
        return figure;
    }

    private void update() {
        Episode now = episode;
        Episode growing = growing();
        boolean isNews = growing != null
                && (now == null
                        || (now.phase() == Phase.RESOLVED && (now.isFreed() || now.isExceeded()))
                        || (now.isFragmentation() && !growing.isFragmentation()));
        now = isNews ? growing : now;
        if (now != null) {
            FigureTrack outer = figures[figures.length - 1];
            now.update(limit - (outer == null ? now.track() : outer).last());
            if (now.isFreed() && now != freed) {
                freed(now);
            }
        }
        episode = now != null && now.phase() == Phase.OVER ? null : now;
    }

    private void freed(Episode all) {
        freed = all;
        if (all.isFreedAtOnce() && all.elapsed() >= RESTART_SECONDS && ++restarts <= MOST_RESTARTS) {
            for (FigureTrack figure : figures) {
                if (figure != null) {
                    figure.restart();
                }
            }
        } else {
            teeth = new Teeth(Math.max(teeth.height(), TEETH * all.rise()), Math.max(teeth.seconds(), all.elapsed()));
        }
    }

    private @Nullable Episode growing() {
        FigureTrack speaker = null;
        Episode found = null;
        for (FigureTrack figure : figures) {
            if (figure == null || figure.series().samples() * 2 < most()) {
                continue;
            }
            boolean grows = figure.growth() != null;
            if (speaker == null || device < 0) {
                speaker = figure;
                found = grows ? new Episode(figure, within(figure), false, teeth) : found;
            } else if (grows && (found == null || outgrows(figure, found.track()))) {
                found = new Episode(figure, null, speaker == figures[0], teeth);
            }
        }
        return found;
    }

    /** The reserve of the allocator, where a figure is what tensors hold of it. */
    private @Nullable FigureTrack within(FigureTrack figure) {
        return device >= 0 && figure == figures[0] ? figures[1] : null;
    }

    private static boolean outgrows(FigureTrack outer, FigureTrack inner) {
        GrowthWindow its = outer.growth();
        GrowthWindow within = inner.growth();
        return its != null
                && within != null
                && its.middle().slope() > OUTGROWS * within.middle().slope();
    }

    private long most() {
        long most = 0;
        for (FigureTrack figure : figures) {
            most = Math.max(most, figure == null ? 0 : figure.series().samples());
        }
        return most;
    }

    int device() {
        return device;
    }

    /** Judges by every sample again what was judged by nearly all. */
    void refresh() {
        for (FigureTrack figure : figures) {
            if (figure != null) {
                figure.refresh();
            }
        }
    }

    /** The growth that is spoken of; null where there is none. */
    @Nullable
    Episode episode() {
        return episode;
    }

    /** Returns whether there are enough samples to say that nothing grows. */
    boolean isEnough() {
        return most() >= ENOUGH;
    }

    State state() {
        Phase phase = episode == null ? Phase.OVER : episode.phase();
        return switch (phase) {
            case OVER -> State.OK;
            case PENDING -> State.GROWING;
            case FIRING -> State.FIRING;
            case RESOLVED -> State.RESOLVED;
        };
    }

    Verdict verdict() {
        Episode now = episode;
        if (now != null && now.phase() == Phase.FIRING) {
            return now.isFragmentation()
                    ? Verdict.FRAGMENTATION
                    : now.isDoubtful() ? Verdict.UNDETERMINED : Verdict.LEAK;
        }
        FigureTrack speaker = speaker();
        if (!isEnough() || speaker == null) {
            return Verdict.UNDETERMINED;
        }
        boolean isOver = now != null && (now.phase() == Phase.RESOLVED || now.isTooth());
        Level level = isOver ? null : speaker.judged();
        if (level == null || level.isBounded() || !(level.isSurelyGrowing() || speaker.rises())) {
            return Verdict.NO_LEAK;
        }
        return level.grows() ? Verdict.LEAK : Verdict.UNDETERMINED;
    }

    /** The figure whose growth is spoken of, else the innermost that is known for as long as any. */
    private @Nullable FigureTrack speaker() {
        if (episode != null) {
            return episode.track();
        }
        for (FigureTrack figure : figures) {
            if (figure != null && figure.series().samples() * 2 >= most()) {
                return figure;
            }
        }
        return null;
    }

    /** When it is full; null where that cannot be told, or it does not leak. */
    @Nullable
    FullAt fullAt() {
        FigureTrack outer = figures[figures.length - 1];
        boolean isKnown = outer != null && !Double.isNaN(limit) && state() == State.FIRING;
        return outer == null || !isKnown || episode == null ? null : Forecast.of(outer, episode.since(), limit);
    }

    /** The reason for the verdict, in a sentence. */
    String reason() {
        Episode now = episode;
        if (now != null && (now.phase() == Phase.FIRING || now.phase() == Phase.RESOLVED)) {
            return reason(now);
        }
        FigureTrack speaker = speaker();
        if (speaker == null || !isEnough()) {
            return "too few samples to judge";
        }
        String grown = now == null ? speaker.name() + " has grown" : grown(now);
        return switch (verdict()) {
            case LEAK -> grown + " and does not come to a level; too short for an alert";
            case NO_LEAK -> "memory does not keep growing";
            default ->
                now == null
                        ? grown + ", not yet steadily enough to tell a leak from a warm-up: watch for longer"
                        : grown + "; too short to tell a leak from a cache";
        };
    }

    private static String reason(Episode now) {
        if (now.phase() == Phase.RESOLVED) {
            return now.track().name() + (now.isFreed() ? " was freed" : " no longer grows");
        }
        return grown(now)
                + (now.isFragmentation()
                        ? ", and allocated memory has not"
                        : now.isDoubtful() ? ", and may have come to a level since" : " and does not slow down");
    }

    private static String grown(Episode now) {
        return now.track().name() + " has grown by " + ByteSize.format(now.bytesPerHour()) + " per hour for "
                + Numbers.span(Math.round(now.elapsed() * MICROS));
    }
}
