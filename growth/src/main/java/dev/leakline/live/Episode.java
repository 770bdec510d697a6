package dev.leakline.live;

import dev.leakline.statistics.Level;
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
    static final double LEAST_SECONDS = HOUR / 4;
    /** With two thirds of the time left an alert comes in time; later it would not. */
    private static final double URGENT = 0.5;
    /** Growth that takes longer to do harm must be seen for longer, to tell it from the day's wave, which rises for half a day. */
    private static final double SLOW = DAY;

    private static final double HALF_DAY = 14 * HOUR;
    /** Growth is over if it was not seen for this part of its time. */
    private static final double LOST = 0.25;
    /** It rose if it did so by another eighth: less may be noise. */
    private static final double STEP = 1.0 / 8;
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
    private double earliest = Double.POSITIVE_INFINITY;
    private @Nullable Level judged;
    private boolean isSure;
    private double base;
    private double rise;
    private double slope;
    private double seen;
    private double toFull = Double.POSITIVE_INFINITY;
    private boolean isFreed;
    private boolean isLow;
    private boolean isAtOnce;
    private double mark = Double.NEGATIVE_INFINITY;

    Episode(FigureTrack track, @Nullable FigureTrack within, boolean isFragmentation, Teeth teeth) {
        this.track = track;
        this.within = within;
        this.isFragmentation = isFragmentation;
        this.teeth = teeth;
    }

    /** Takes note of what the newest block brought; {@code room} is what is left until the limit, NaN where it is not known. */
    void update(double room) {
        Level growth = track.growth();
        if (growth != null && phase != Phase.RESOLVED) {
            see(growth);
        }
        progress();
        toFull = Double.isNaN(room) ? Double.POSITIVE_INFINITY : room / slope;
        double quiet = track.clock() - seen;
        if (phase == Phase.PENDING) {
            judgePending(quiet);
        } else if (phase == Phase.FIRING) {
            measure();
            isFreed = isLow && quiet > FREED * elapsed();
            boolean isFalling = track.highestOfLast(1) < base + LEFT * rise;
            phase = isFreed || (!isFalling && track.isBounded(since)) ? Phase.RESOLVED : phase;
        }
    }

    private void progress() {
        double newest = track.highestOfLast(2);
        if (newest >= mark + STEP * rise) {
            mark = newest;
        }
        boolean wasLow = isLow;
        isLow = track.highestOfLast(LOW_BLOCKS) < base + LEFT * rise;
        if (isLow && !wasLow) {
            isAtOnce = track.highestOfLast(AT_ONCE) >= base + (1 - LEFT) * rise;
        }
    }

    private void see(Level growth) {
        if (growth != judged) {
            // a jump looks like growth as long as there is little behind it
            isSure = growth.isSurelyGrowing() && judged != null && judged.isSurelyGrowing();
            judged = growth;
        }
        since = growth.from();
        earliest = Math.min(earliest, since);
        base = track.at(since);
        measure();
        seen = track.clock();
        rise = slope * (seen - since);
    }

    /** Takes the slope of all the time since it began, rests included: so a few steep minutes do not speak for hours. */
    private void measure() {
        double all = track.slope(since);
        slope = all > 0 ? all : slope;
    }

    private void judgePending(double quiet) {
        if (quiet == 0 && isSure && !isTooth() && isLong() && !fits()) {
            phase = Phase.FIRING;
        } else if (quiet > LOST * elapsed() || isLow) {
            isFreed = isLow;
            phase = Phase.OVER;
        }
    }

    private boolean isLong() {
        double toHarm = Math.min(toFull, base / slope);
        double slow = Math.clamp(toHarm / SLOW - 1, 0, 1);
        double least = LEAST_SECONDS + slow * (HALF_DAY - LEAST_SECONDS);
        boolean isLong = elapsed() >= Math.clamp(PART * toHarm, least, DAY);
        // An allocator's cache grows, too, until it is short of memory, and is given back then.
        return (isLong && !isFragmentation) || elapsed() >= URGENT * toFull;
    }

    /** Returns whether it may be freed as what rose before was. */
    boolean isTooth() {
        return rise <= teeth.height() && elapsed() < TEETH_LONG * teeth.seconds();
    }

    /** Returns whether it fills what the allocator has reserved already, as in a pool: that takes memory from nobody until it is full. */
    private boolean fits() {
        return within != null && within.slope(since) < TAKEN * slope && track.last() < FILLED * within.last();
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

    /** The earliest time at which it was ever said to begin. */
    double earliest() {
        return earliest;
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
