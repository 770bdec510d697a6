package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.read.terms.TimeText;
import dev.leakline.source.lines.LogLines;
import dev.leakline.text.Ascii;
import org.jspecify.annotations.Nullable;

/**
 * The current position in a text: the step, epoch and time that it named last. What a line or row names itself comes first; a line that
 * names none belongs to the step before.
 *
 * <p>Positions go on where numbers begin anew, as they do in every epoch of some logs: a step that is less than half of the one before is the
 * first of another round, and counted from the end of the last one. Steps that are a little less are those of another process, or of a run
 * resumed, and stay as they are.
 */
public final class Whereabouts {
    /** A place on an axis; the position means nothing for {@link Axis#INDEX}. */
    record Place(Axis axis, double position) {
        /** Where nobody says. */
        static final Place NOWHERE = new Place(Axis.INDEX, 0);
    }

    /** A character takes four bytes at most. */
    private static final int MOST_BYTES = 4 * TimeText.MOST;

    private static final double DAY = 24 * 3600e6;

    private @Nullable Place step;
    private @Nullable Place epoch;
    private @Nullable Place time;
    /** The beginning of the last line with a time of day; it is looked at closely only when somebody asks. */
    private @Nullable String lineWithTime;
    /** The same of a line that was not read, as far as a moment may be in it. */
    private final byte[] bytesWithTime = new byte[MOST_BYTES];

    private int byteCount;

    /** The number of the first epoch: epochs are counted from 1 where that is 1, unless the text lacks the first. */
    private double firstEpoch = -1;

    private boolean hasStep;
    private boolean hasEpoch;
    private boolean hasTime;

    private double lastStep;
    private double earlierSteps;
    private double lastClock;
    private double days;

    /** Begins a line or a row. */
    void begin() {
        hasStep = false;
        hasEpoch = false;
        hasTime = false;
    }

    void epoch(double number) {
        firstEpoch = firstEpoch < 0 ? Math.floor(number) : firstEpoch;
        epoch = new Place(Axis.EPOCH, number);
        hasEpoch = true;
    }

    /** A step, of {@code total} in its epoch, or 0; the epoch of the same line must be told before. */
    void step(double number, double total) {
        double epochs = hasEpoch && epoch != null ? Math.floor(epoch.position) - (firstEpoch == 1 ? 1 : 0) : 0;
        double before = total > 0 ? epochs * total : 0;
        double count = before + number;
        if (count < lastStep / 2) {
            earlierSteps += lastStep;
        }
        lastStep = count;
        step = new Place(Axis.STEP, earlierSteps + count);
        hasStep = true;
    }

    /** A line that may begin with a moment. */
    void timeIn(String line) {
        if (mayHaveMoment(line)) {
            lineWithTime = line;
            byteCount = 0;
        }
    }

    /** A line that may begin with a moment at a place; where steps or epochs are counted, nobody asks for it. */
    void timeIn(LogLines line, int from) {
        if (step == null && epoch == null) {
            byteCount = Math.min(line.length() - from, MOST_BYTES);
            line.copy(from, bytesWithTime, byteCount);
        }
    }

    /** Returns whether there is a time of day near the beginning; most lines have none, and looking closer takes long. */
    static boolean mayHaveMoment(String line) {
        int end = Math.clamp(line.length() - 2, 0, TimeText.MOST);
        int colon = line.indexOf(':', Math.min(2, end), end);
        while (colon > 0 && !(Ascii.isDigit(line.charAt(colon - 1)) && Ascii.isDigit(line.charAt(colon + 1)))) {
            colon = line.indexOf(':', colon + 1, end);
        }
        return colon > 0;
    }

    private @Nullable Place time() {
        String line = byteCount > 0 ? TextFigures.decoded(bytesWithTime, byteCount) : lineWithTime;
        TimeText moment = line == null ? null : TimeText.find(line);
        byteCount = 0;
        lineWithTime = null;
        if (moment != null) {
            time(moment);
        }
        return time;
    }

    void time(TimeText moment) {
        lineWithTime = null;
        byteCount = 0;
        if (moment.isClock()) {
            days += moment.micros() < lastClock - DAY / 2 ? DAY : 0;
            lastClock = moment.micros();
        }
        time = new Place(moment.axis(), moment.micros() + (moment.isClock() ? days : 0));
        hasTime = true;
    }

    /** Returns whether the line itself names a step or an epoch. */
    boolean isNamed() {
        return hasStep || hasEpoch;
    }

    /** The place of a line: its step, or the last one, or the epoch; only where no line names any, its moment. */
    Place ofLine() {
        Place counted = step == null ? epoch : step;
        Place moment = counted == null ? time() : null;
        return counted != null ? counted : moment == null ? Place.NOWHERE : moment;
    }

    /** The place of a row: what it names itself, and only else what lines before it did. */
    Place ofRow() {
        Place own = hasStep ? step : hasEpoch ? epoch : hasTime ? time : null;
        return own == null ? ofLine() : own;
    }
}
