package dev.leakline.watch.screen;

import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.watch.Overview;
import dev.leakline.watch.ProcessMemory;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Orders of processes. */
enum SortOrder {
    /** The most urgent first: alerts, then what is full soonest, then what grows fastest. */
    URGENCY,
    USED,
    RATE,
    NAME,
    PID;

    /** By urgency; alerts that ended are worth more than what never was one. */
    private static final List<State> STATES = List.of(State.FIRING, State.GROWING, State.RESOLVED, State.OK);

    /** Compares processes, ended ones last. Equal ones stay in place, by number, so that lines do not jump. */
    Comparator<Overview.Row> comparator(boolean isReversed) {
        Comparator<Overview.Row> comparator =
                comparator().thenComparingLong(SortOrder::minusUsed).thenComparingLong(Overview.Row::pid);
        return Comparator.comparing(Overview.Row::isEnded)
                .thenComparing(isReversed ? comparator.reversed() : comparator);
    }

    private Comparator<Overview.Row> comparator() {
        return switch (this) {
            case URGENCY ->
                Comparator.comparingInt(SortOrder::urgency)
                        .thenComparingDouble(SortOrder::fullAt)
                        .thenComparingDouble(SortOrder::minusGrowth);
            case USED -> Comparator.comparingLong(SortOrder::minusUsed);
            case RATE -> Comparator.comparingDouble(SortOrder::minusGrowth);
            case NAME -> Comparator.comparing(SortOrder::name);
            case PID -> Comparator.comparingLong(Overview.Row::pid);
        };
    }

    SortOrder next() {
        return switch (this) {
            case URGENCY -> USED;
            case USED -> RATE;
            case RATE -> NAME;
            case NAME -> PID;
            case PID -> URGENCY;
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static int urgency(Overview.Row process) {
        return STATES.indexOf(process.now().state());
    }

    private static double fullAt(Overview.Row process) {
        FullAt full = process.now().fullAt();
        return full == null ? Double.POSITIVE_INFINITY : full.estimate();
    }

    private static double minusGrowth(Overview.Row process) {
        double growth = process.now().bytesPerHour();
        return Double.isNaN(growth) ? 0 : -growth;
    }

    private static long minusUsed(Overview.Row process) {
        ProcessMemory memory = process.memory();
        return memory == null ? 0 : -memory.used();
    }

    private static String name(Overview.Row process) {
        WatchEvent now = process.now();
        return now.name() == null ? "" : now.name().toLowerCase(Locale.ROOT);
    }
}
