package dev.leakline.live;

import org.jspecify.annotations.Nullable;

/**
 * Growth of one figure from when it was first seen: pending, an alert, resolved. Caches, warm-ups and a collector's cycles grow as leaks do, until they
 * stop; so growth is an alert only after it has gone on for a quarter of an hour and for a part of the time that it needs to do harm.
 */
final class Episode {
    private static final double HOUR = 3600;
    private static final double DAY = 24 * HOUR;
    /** The part of the time until memory is full, or has doubled, for which growth must be seen. */
    private static final double PART = 1.0 / 15;
    /** The least duration of growth: what starts with a program, or is done once in a while, takes minutes. */
    private static final double LEAST_SECONDS = HOUR / 4;
    /** With two thirds of the time left an alert comes in time; later it would not. */
    private static final double URGENT = 0.5;
    /** Growth that takes longer to do harm must be seen for longer, to tell it from the day's wave, which rises for half a day. */
    private static final double SLOW = DAY;

    private static final double HALF_DAY = 14 * HOUR;
    /** Growth is over if it was not seen for this part of its time. */
    private static final double LOST = 0.25;
    /** It has stopped if for this part of the time until it last rose it grew by less than a fifth of its rate, as far as that can be known. */
    private static final double STILL = 0.7;

    private static final double STILL_RATE = 0.2;
    private static final double STILL_ERRORS = 2;
    /** For no shorter a time than makes an alert. */
    private static final double STILL_SECONDS = LEAST_SECONDS;
    /** The log evidence for a bound that raises doubt about an alert: as much as is needed to say that something grows. */
    private static final double DOUBTED = 2;
    /** The log evidence for a bound that makes no alert: 99 to 1. */
    private static final double SURE = 4.6;
    /** The one that takes an alert back, four times as much: until then it is doubted, since what is taken back too soon comes again. */
    private static final double ENDED = 18.4;
    /** It rose if it did so by another eighth: less may be noise. */
    private static final double STEP = 1.0 / 8;
    /** The time to be still must be seen at its begin, too. */
    private static final double STILL_SEEN = 0.8;
    /**
     * And for this part of the time until memory is full; where that is a day or more, for a day, since loads rest at night.
     */
    private static final double STILL_PART = 1.0 / 20;
    /** The part of the rise that may be left, and of its time for which no growth may be seen, to count as freed. */
    private static final double LEFT = 0.3;

    private static final double FREED = 0.05;
    /** Blocks that must be low: four samples each. */
    private static final int LOW_BLOCKS = 3;
    /** Blocks in which all is freed that is freed at once. */
    private static final int AT_ONCE = LOW_BLOCKS + 2;
    /** Growth that lasts this many times as long as a tooth is no tooth. */
    private static final double TEETH_LONG = 4;
    /** Where what is reserved grew by less than a tenth of what is allocated, and has a twentieth free, that was filled and nothing taken. */
    private static final double TAKEN = 0.1;

    private static final double FILLED = 0.95;
    /** Standard errors by which it may bend. */
    private static final double BENT = -2;

    /** Rises that were freed before: by how many bytes at most, with a margin, and for how many seconds. */
    record Teeth(double height, double seconds) {}

    /** How an episode stands. */
    enum Phase {
        /** It was not kept up for long enough to matter. */
        OVER,
        /** It grows, for too short a time to tell anybody. */
        PENDING,
        /** It is an alert. */
        FIRING,
        /** It was an alert, and grows no more. */
        RESOLVED
    }

    private final FigureTrack track;
    private final boolean isFragmentation;
    /** The figure that its memory is taken from; null for the outermost. */
    private final @Nullable FigureTrack within;

    private final Teeth teeth;

    private Phase phase = Phase.PENDING;
    private double since = Double.POSITIVE_INFINITY;
    private double base;
    private double rise;
    private double slope;
    private double seen;
    private double toFull = Double.POSITIVE_INFINITY;
    private boolean isFreed;
    private boolean isLow;
    private boolean isAtOnce;
    private double mark = Double.NEGATIVE_INFINITY;
    private double marked;

    Episode(FigureTrack track, @Nullable FigureTrack within, boolean isFragmentation, Teeth teeth) {
        this.track = track;
        this.within = within;
        this.isFragmentation = isFragmentation;
        this.teeth = teeth;
    }

    /** Takes note of what the newest block brought; {@code room} is what is left until the limit, NaN where it is not known. */
    void update(double room) {
        GrowthWindow growth = track.growth();
        if (growth != null && phase != Phase.RESOLVED) {
            see(growth);
        }
        progress();
        toFull = Double.isNaN(room) ? Double.POSITIVE_INFINITY : room / slope;
        double quiet = track.clock() - seen;
        if (phase == Phase.PENDING) {
            judgePending(quiet, room);
        } else if (phase == Phase.FIRING) {
            measure();
            isFreed = isLow && quiet > FREED * elapsed();
            phase = isFreed || isStill() || isBounded(ENDED) ? Phase.RESOLVED : phase;
        }
    }

    private void progress() {
        double now = track.clock();
        double newest = track.highestOfLast(2);
        if (newest >= mark + STEP * rise) {
            mark = newest;
            marked = now;
        }
        boolean wasLow = isLow;
        isLow = track.highestOfLast(LOW_BLOCKS) < base + LEFT * rise;
        if (isLow && !wasLow) {
            isAtOnce = track.highestOfLast(AT_ONCE) >= base + (1 - LEFT) * rise;
        }
    }

    private void see(GrowthWindow growth) {
        double now = track.clock();
        if (growth.floor().x(0) < since) {
            since = growth.floor().x(0);
            base = growth.floor().at(since);
        }
        slope = growth.floor().slope();
        measure();
        rise = Math.max(rise, growth.floor().at(now) - base);
        seen = now;
    }

    /** Takes the slope of all the time since it began, rests included: so a few steep minutes do not speak for hours. */
    private void measure() {
        WindowTrend all = track.between(since, track.clock());
        slope = all == null || all.slope() <= 0 ? slope : all.slope();
    }

    private void judgePending(double quiet, double room) {
        if (quiet == 0 && !isTooth() && isLong() && !fits() && !slows(room) && !isBounded(SURE)) {
            phase = Phase.FIRING;
        } else if (quiet > LOST * elapsed() || isLow) {
            isFreed = isLow;
            phase = Phase.OVER;
        }
    }

    /**
     * Returns whether so much evidence says that what tensors hold is bounded; a cache that is reserved comes and goes by other laws, and of what began in
     * the last part of what was watched that says nothing.
     */
    private boolean isBounded(double evidence) {
        return !isFragmentation && track.judged().shows(since) && track.judged().evidence() < -evidence;
    }

    /** Returns whether it may have come to a level, though that is not yet sure: not where the lowest still rise in the later half. */
    boolean isDoubtful() {
        double now = track.clock();
        return isBounded(DOUBTED) && !track.rises(now - elapsed() / 2, now);
    }

    private boolean isLong() {
        double toHarm = Math.min(toFull, base / slope);
        double slow = Math.clamp(toHarm / SLOW - 1, 0, 1);
        double least = LEAST_SECONDS + slow * (HALF_DAY - LEAST_SECONDS);
        boolean isLong = elapsed() >= Math.clamp(PART * toHarm, least, DAY);
        // An allocator's cache grows, too, until it is short of memory, and is given back then.
        return (isLong && !isFragmentation) || elapsed() >= URGENT * toFull;
    }

    /** Returns whether it grew faster before, so that it may come to a level of its own. */
    private boolean slows(double room) {
        WindowTrend all = track.between(since, track.clock());
        return all != null && all.levelsOff(BENT, room);
    }

    /** Returns whether it may be freed as what rose before was. */
    boolean isTooth() {
        return rise <= teeth.height() && elapsed() < TEETH_LONG * teeth.seconds();
    }

    /** Returns whether it fills what the allocator has reserved already, as in a pool: that takes memory from nobody until it is full. */
    private boolean fits() {
        WindowTrend outer = within == null ? null : within.between(since, track.clock());
        return within != null && outer != null && outer.rise() < TAKEN * rise && track.last() < FILLED * within.last();
    }

    private boolean isStill() {
        double least = toFull > DAY ? DAY : Math.max(STILL_SECONDS, STILL_PART * toFull);
        double span = Math.max(STILL * (marked - since), least);
        WindowTrend trend = track.between(track.clock() - span, track.clock());
        return trend != null
                && trend.slope() + STILL_ERRORS * trend.error() < STILL_RATE * slope
                && trend.x(0) < track.clock() - STILL_SEEN * span;
    }

    Phase phase() {
        return phase;
    }

    FigureTrack track() {
        return track;
    }

    /** Returns whether what grows is reserved, and is not allocated. */
    boolean isFragmentation() {
        return isFragmentation;
    }

    /** Returns whether all of it was freed. */
    boolean isFreed() {
        return isFreed;
    }

    /** Returns whether that took no longer than a process takes that ends and begins anew. */
    boolean isFreedAtOnce() {
        return isFreed && isAtOnce;
    }

    /** Returns whether it has risen above where it stopped. */
    boolean isExceeded() {
        return track.highestOfLast(2) >= mark + STEP * rise;
    }

    /** The rise, in bytes. */
    double rise() {
        return rise;
    }

    /** When it began, on the track's clock. */
    double since() {
        return since;
    }

    /** How long it was seen to grow, in seconds. */
    double elapsed() {
        return seen - since;
    }

    /** Bytes per hour. */
    double bytesPerHour() {
        return slope * HOUR;
    }
}
