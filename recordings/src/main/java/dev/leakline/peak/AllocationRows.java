package dev.leakline.peak;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.RecordedProfile.Allocation;
import dev.leakline.steps.Steps;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The allocations of a device as rows, each made when it is read: ten million of them take no memory of their own. */
final class AllocationRows implements Iterable<Allocation> {
    private final Evidence evidence;
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final Steps steps;
    private final boolean hasTimes;

    AllocationRows(Evidence evidence, boolean hasTimes) {
        this.evidence = evidence;
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events();
        this.steps = evidence.steps();
        this.hasTimes = hasTimes;
    }

    @Override
    public Iterator<Allocation> iterator() {
        Categories categories = Breakdown.categories(evidence, EventWindow.of(evidence));
        return IntStream.range(0, lifetimes.count())
                .mapToObj(allocation -> row(allocation, categories))
                .iterator();
    }

    private Allocation row(int allocation, @Nullable Categories categories) {
        Integer born = event(lifetimes.born(allocation));
        Integer freed = event(lifetimes.died(allocation));
        boolean isAtPeak = lifetimes.isLive(allocation, evidence.course().peak().event());
        return new Allocation(
                lifetimes.address(allocation),
                lifetimes.held(allocation),
                evidence.columns().recorder == Recorder.PROFILER ? null : Long.valueOf(lifetimes.requested(allocation)),
                born,
                freed,
                time(born),
                time(freed),
                born == null ? null : step(born),
                born == null ? null : Long.valueOf(events.stream(born)),
                isAtPeak,
                isAtPeak && categories != null ? categories.of(allocation).likely() : null,
                evidence.sites().site(allocation),
                stack(allocation));
    }

    private @Nullable Integer stack(int allocation) {
        int stack = evidence.sites().stack(allocation);
        return stack == StackTable.NONE ? null : stack;
    }

    private static @Nullable Integer event(int event) {
        return event == Lifetimes.BEFORE || event == Lifetimes.NEVER ? null : event;
    }

    private @Nullable Long time(@Nullable Integer event) {
        return event == null || !hasTimes ? null : events.timeMicros(event);
    }

    private @Nullable Integer step(int event) {
        int step = steps.of(event);
        return step >= 0 && step < steps.count() && steps.kind().repeats() ? step : null;
    }
}
