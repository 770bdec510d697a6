package dev.leakline.live;

import dev.leakline.live.Episode.Phase;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.result.WatchEvent.State;
import org.jspecify.annotations.Nullable;

/** Judges what one process holds of one memory: that of a device, or the host's. Of its figures the innermost that is known speaks. */
final class MemoryJudge {
    static int DEVICE_FIGURES = 3;
    static int HOST_FIGURES = 2;

    final int device;
    private final @Nullable FigureTrack[] figures;
    private double limit = Double.NaN;
    private @Nullable Episode episode;

    MemoryJudge(int device) {
        this.device = device;
        this.figures = new FigureTrack[device < 0 ? HOST_FIGURES : DEVICE_FIGURES];
    }

    /** Adds a sample; whether a figure has a new block. */
    boolean add(ProcessSample s) {
        long total = device < 0 ? s.hostLimit() : s.deviceTotal();
        limit = total > 0 ? (double) total : limit;
        boolean isNew;
        if (device < 0) {
            isNew = add(0, s.t(), s.pinned());
            isNew |= add(1, s.t(), s.resident());
        } else {
            isNew = add(0, s.t(), s.allocated());
            isNew |= add(1, s.t(), s.reserved());
            isNew |= add(2, s.t(), s.used());
        }
        if (isNew) {
            update();
        }
        return isNew;
    }

    private boolean add(int number, double t, long value) {
        if (value < 0) {
            return false;
        }
        FigureTrack figure = figures[number];
        if (figure == null) {
            figure = new FigureTrack();
            figures[number] = figure;
        }
        if (limit > 0) {
            figure.limit(limit);
        }
        return figure.add(t, (double) value);
    }

    private void update() {
        Episode now = episode;
        Episode candidate = candidate();
        if (candidate != null
                && (now == null
                        || now.phase() == Phase.RESOLVED
                        || (now.isFragmentation && !candidate.isFragmentation))) {
            now = candidate;
        }
        if (now != null) {
            now.update(room(now));
        }
        episode = now != null && now.phase() == Phase.OVER ? null : now;
    }

    private double room(Episode of) {
        FigureTrack outer = outer();
        return limit - (outer == null ? of.track : outer).last();
    }

    private @Nullable Episode candidate() {
        FigureTrack speaker = null;
        Episode found = null;
        for (FigureTrack f : figures) {
            if (f == null || f.samples() * 2 < most()) {
                continue;
            }
            boolean grows = f.growth() != null;
            if (speaker == null || device < 0) {
                speaker = f;
                found = grows ? new Episode(f, false) : found;
            } else if (found == null && grows) {
                found = new Episode(f, speaker == figures[0]);
            }
        }
        return found;
    }

    private long most() {
        long most = 0;
        for (FigureTrack f : figures) {
            most = Math.max(most, f == null ? 0 : f.samples());
        }
        return most;
    }

    private @Nullable FigureTrack outer() {
        return figures[figures.length - 1];
    }

    @Nullable
    Episode episode() {
        return episode;
    }

    State state() {
        Episode now = episode;
        return now == null
                ? State.OK
                : switch (now.phase()) {
                    case OVER -> State.OK;
                    case PENDING -> State.GROWING;
                    case FIRING -> State.FIRING;
                    case RESOLVED -> State.RESOLVED;
                };
    }

    boolean isEnough() {
        return most() >= 80;
    }

    @Nullable
    FullAt fullAt() {
        FigureTrack outer = outer();
        return Double.isNaN(limit) || outer == null || episode == null
                ? null
                : Forecast.of(outer, episode.since(), limit);
    }

    String why() {
        StringBuilder b = new StringBuilder();
        for (FigureTrack f : figures) {
            if (f == null) continue;
            b.append("|");
            for (int i = 0; i <= f.blocks().top(); i++) {
                GrowthTest test = f.tests()[i];
                b.append(test == null ? "-" : test.grows ? "G" : test.why).append(",");
            }
        }
        return b + (episode == null ? "" : episode.why());
    }
}
