package dev.leakline.live;

import org.jspecify.annotations.Nullable;

/** Growth of one figure from when it was first seen: pending, an alert, resolved. */
final class Episode {
    static double SHARE = 15;
    static double URGENT = 0.5;
    static double LEASTTIME = 900;
    static double MOSTTIME = 86400;
    static double STALL = 0.7;
    static double STALLSLOPE = 0.2;
    static double FALL = 0.3;
    static double LOST = 0.25;
    static double SLOW = 1.5 * 86400;
    static double DAYS = 86400;
    static double STILL = 1800;
    static double FLAT = 0.3;
    static double NIGHT = 14 * 3600;

    /** How an episode stands. */
    enum Phase {
        /** It was not kept up for long enough to matter. */
        OVER,
        PENDING,
        FIRING,
        RESOLVED
    }

    final FigureTrack track;
    final boolean isFragmentation;
    private Phase phase = Phase.PENDING;
    private double since = Double.POSITIVE_INFINITY;
    private double base;
    private double rise;
    private double slope;
    private double seen;
    private boolean isSlow;
    private boolean isDays;

    Episode(FigureTrack track, boolean isFragmentation) {
        this.track = track;
        this.isFragmentation = isFragmentation;
    }

    /** Takes note of what the newest block brought; {@code room} is what is left until the limit, NaN where it is not known. */
    void update(double room) {
        double now = track.clock();
        GrowthTest growth = track.growth();
        if (growth != null && phase != Phase.RESOLVED) {
            if (growth.floor.x(0) < since) {
                since = growth.floor.x(0);
                base = growth.floor.at(since);
            }
            Trend all = track.since(since);
            slope = all == null || all.slope <= 0 ? growth.floor.slope : all.slope;
            rise = Math.max(rise, growth.floor.at(now) - base);
            seen = now;
        }
        if (phase == Phase.PENDING) {
            pending(now, room);
        } else if (phase == Phase.FIRING
                && now - seen > LOST * elapsed()
                && (stalled(now) || (fell() && now - seen > (isDays ? DAYS : 0)))) {
            phase = Phase.RESOLVED;
        }
    }

    private void pending(double now, double room) {
        double toFull = Double.isNaN(room) ? Double.POSITIVE_INFINITY : room / slope;
        double toDouble = base / slope;
        double horizon = Math.min(toFull, toDouble);
        isSlow = horizon > SLOW;
        isDays = toFull > DAYS;
        double need =
                Math.clamp(horizon / SHARE, isSlow ? NIGHT : LEASTTIME, MOSTTIME);
        boolean isLong = !isFragmentation && elapsed() >= need;
        if (seen == now && (isLong || elapsed() >= URGENT * toFull)) {
            phase = Phase.FIRING;
        } else if (now - seen > LOST * elapsed() || fell()) {
            phase = Phase.OVER;
        }
    }

    private boolean fell() {
        BlockLevels.Level level = track.blocks().level(0);
        double highest = 0;
        int n = Math.min(3, level.size());
        for (int i = 0; i < n; i++) {
            highest = Math.max(highest, level.middle(level.size() - 1 - i));
        }
        return highest < base + FALL * rise;
    }

    private boolean stalled(double now) {
        double d = Math.max(STALL * elapsed(), isDays ? DAYS : STILL);
        Trend trend = track.since(now - d);
        return trend != null
                && Math.abs(trend.slope) < STALLSLOPE * slope
                && trend.range() < Math.max(FLAT * rise, 6 * trend.spread)
                && trend.x(0) < now - 0.8 * d;
    }

    double elapsed() {
        return seen - since;
    }

    double since() {
        return since;
    }

    double slope() {
        return slope;
    }

    Phase phase() {
        return phase;
    }

    @Nullable
    String why() {
        return "since " + (track.clock() - since) + " rise " + rise / (1 << 20) + " base " + base / (1 << 20)
                + " slope/h " + slope * 3600 / (1 << 20);
    }
}
