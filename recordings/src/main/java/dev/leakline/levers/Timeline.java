package dev.leakline.levers;

import dev.leakline.columns.Action;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.PeakFinder.Moment;

/** The bytes held after each event of a window around the peak, and the most of them where some blocks are smaller, or gone for a while. */
final class Timeline {
    private final Lifetimes lifetimes;
    private final int from;
    private final int to;
    /** After event {@code from + i}. */
    private final long[] held;

    /** The first event that counts: before it, blocks of a pass that began before the recording cannot be told. */
    private int first;

    private final long peak;
    private final int peakEvent;

    Timeline(Evidence evidence, int from, int to) {
        this.lifetimes = evidence.lifetimes();
        this.from = from;
        this.to = to;
        this.held = new long[to - from];
        Moment moment = evidence.course().peak();
        this.peak = moment.held();
        this.peakEvent = moment.event();
        this.first = from;
        int at = Math.max(moment.event(), from);
        long now = peak;
        for (int event = at; event < to; event++) {
            now += event == at && event == moment.event() ? 0 : change(event);
            held[event - from] = now;
        }
        now = peak;
        for (int event = Math.min(at, to - 1); event > from; event--) {
            now -= change(event);
            held[event - 1 - from] = now;
        }
    }

    private long change(int event) {
        DeviceEvents events = lifetimes.events();
        int allocation = lifetimes.allocation(event);
        if (allocation == Lifetimes.NONE) {
            return 0;
        }
        if (events.action(event) == Action.ALLOC) {
            int former = lifetimes.formerTenant(event);
            return lifetimes.held(allocation) - (former == Lifetimes.NONE ? 0 : lifetimes.held(former));
        }
        return lifetimes.died(allocation) == event ? -lifetimes.held(allocation) : 0;
    }

    /** The highest moment of the recording. */
    long peak() {
        return peak;
    }

    /** The most that was held from one event until before another, both within the window. */
    long highest(int first, int end) {
        long most = 0;
        for (int event = Math.max(first, from); event < Math.min(end, to); event++) {
            most = Math.max(most, held[event - from]);
        }
        return most;
    }

    /** Leaves out what was before an event, unless the peak is there. */
    void skip(int event) {
        first = event <= peakEvent ? event : first;
    }

    /** An edit that changes nothing yet. */
    Edit edit() {
        return new Edit();
    }

    /** Blocks that are smaller than they were, or gone for a while. */
    final class Edit {
        private final long[] less = new long[held.length + 1];

        /** Takes bytes away from one event until before another; {@link Lifetimes#NEVER} is after the last. */
        void take(int first, int end, long bytes) {
            int begin = Math.clamp(first, from, to);
            int stop = Math.clamp(end, from, to);
            if (begin < stop) {
                less[begin - from] += bytes;
                less[stop - from] -= bytes;
            }
        }

        /** Takes so much of a block for as long as it lives. */
        void takeOf(int allocation, long bytes) {
            take(lifetimes.born(allocation), lifetimes.died(allocation), bytes);
        }

        /** The peak of the window then. */
        long peak() {
            long most = 0;
            long away = 0;
            for (int i = 0; i < held.length; i++) {
                away += less[i];
                most = i + from < first ? most : Math.max(most, held[i] - away);
            }
            return most;
        }

        /** The most bytes that are taken away at once, from one event until before another. */
        long mostTaken(int first, int end) {
            long most = 0;
            long away = 0;
            for (int i = 0; i < Math.min(end, to) - from; i++) {
                away += less[i];
                most = i + from < first ? most : Math.max(most, away);
            }
            return most;
        }

        /** By how much the peak falls. */
        long saved() {
            return peak - peak();
        }
    }
}
