package dev.leakline.watch.screen;

import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.watch.Overview;
import dev.leakline.watch.ProcessMemory;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What processes are sorted by. */
enum Order {
    /** What somebody should look at first: alerts, then what is full soonest, then what grows fastest. */
    URGENCY(Comparator.comparingInt(Order::urgency)
            .thenComparingDouble(Order::fullAt)
            .thenComparingDouble(Order::minusGrowth)),
    USED(Comparator.comparingLong(Order::minusUsed)),
    RATE(Comparator.comparingDouble(Order::minusGrowth)),
    NAME(Comparator.comparing(Order::name)),
    PID(Comparator.comparingLong(Overview.Process::pid));

    /** By urgency; alerts that ended are worth more than what never was one. */
    private static final List<State> STATES = List.of(State.FIRING, State.GROWING, State.RESOLVED, State.OK);

    private final Comparator<Overview.Process> comparator;

    /** What is equal stays as it was, by number, so that lines do not jump. */
    Order(Comparator<Overview.Process> comparator) {
        this.comparator = comparator.thenComparingLong(Order::minusUsed).thenComparingLong(Overview.Process::pid);
    }

    /** The comparator; those that have ended come last. */
    Comparator<Overview.Process> comparator(boolean isReversed) {
        return Comparator.comparing(Overview.Process::isEnded)
                .thenComparing(isReversed ? comparator.reversed() : comparator);
    }

    Order next() {
        return values()[(ordinal() + 1) % values().length];
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static int urgency(Overview.Process process) {
        return STATES.indexOf(process.now().state());
    }

    private static double fullAt(Overview.Process process) {
        FullAt full = process.now().fullAt();
        return full == null ? Double.POSITIVE_INFINITY : full.estimate();
    }

    private static double minusGrowth(Overview.Process process) {
        double growth = process.now().bytesPerHour();
        return Double.isNaN(growth) ? 0 : -growth;
    }

    private static long minusUsed(Overview.Process process) {
        ProcessMemory memory = process.memory();
        return memory == null ? 0 : -memory.used();
    }

    private static String name(Overview.Process process) {
        WatchEvent now = process.now();
        return now.name() == null ? "" : now.name().toLowerCase(Locale.ROOT);
    }
}
