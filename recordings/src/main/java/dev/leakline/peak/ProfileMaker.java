package dev.leakline.peak;

import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Frame;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.Amount;
import dev.leakline.result.RecordedProfile.Moment;
import dev.leakline.result.RecordedProfile.Span;
import dev.leakline.result.RecordedProfile.StackTotals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Makes the {@link RecordedProfile} of a device. */
public final class ProfileMaker {
    /** Stretches of a curve: more than a screen has columns at a zoom of ten, and a file of a megabyte. */
    private static final int STRETCHES = 10_000;

    private static final Frame NO_STACK = new Frame("", 0, "(no stack recorded)");
    private static final Frame OLDER = new Frame("", 0, "(allocated before the recording)");

    private final Evidence evidence;
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final boolean hasTimes;

    private ProfileMaker(Evidence evidence) {
        this.evidence = evidence;
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events();
        this.hasTimes = events.count() > 0 && events.timeMicros(0) > 0;
    }

    /** The profile of a device; its result says how it is called and which requests failed. */
    public static RecordedProfile of(Evidence evidence, DeviceResult device) {
        ProfileMaker maker = new ProfileMaker(evidence);
        return new RecordedProfile(
                device.device(),
                device.name(),
                maker.stacks(),
                maker.curve(),
                maker.steps(),
                device.outOfMemory(),
                maker.hasTimes,
                new AllocationRows(evidence, maker.hasTimes),
                evidence.stacks()::frames);
    }

    /** The sums of a stack while they are made. */
    private static final class Sums {
        private Amount peak = Amount.NONE;
        private Amount end = Amount.NONE;
        private Amount allocated = Amount.NONE;
    }

    private List<StackTotals> stacks() {
        Map<Integer, Sums> sums = new TreeMap<>();
        int peak = evidence.course().peak().event();
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            boolean isOlder = lifetimes.born(allocation) == Lifetimes.BEFORE;
            int stack = lifetimes.stack(allocation);
            int key = stack == StackTable.NONE && isOlder ? Lifetimes.NONE : stack;
            Sums sum = sums.computeIfAbsent(key, _ -> new Sums());
            long bytes = lifetimes.held(allocation);
            sum.peak = lifetimes.isLive(allocation, peak) ? sum.peak.plus(bytes) : sum.peak;
            sum.end = lifetimes.died(allocation) == Lifetimes.NEVER ? sum.end.plus(bytes) : sum.end;
            sum.allocated = isOlder ? sum.allocated : sum.allocated.plus(bytes);
        }
        return sums.entrySet().stream()
                .map(entry -> totals(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(
                        (StackTotals totals) -> -totals.peak().bytes()))
                .toList();
    }

    private StackTotals totals(int stack, Sums sums) {
        List<Frame> frames = stack == Lifetimes.NONE
                ? List.of(OLDER)
                : stack == StackTable.NONE
                        ? List.of(NO_STACK)
                        : evidence.stacks().frames(stack);
        return new StackTotals(frames, sums.peak, sums.end, sums.allocated);
    }

    private List<Moment> curve() {
        List<Moment> moments = new ArrayList<>();
        MemoryCurve curve = new MemoryCurve(evidence.columns(), lifetimes);
        int width = Math.max(1, (events.count() + STRETCHES - 1) / STRETCHES);
        while (curve.next()) {
            long time = time(curve.event());
            Moment last = moments.isEmpty() ? null : moments.getLast();
            if (last == null || curve.event() % width == 0) {
                moments.add(new Moment(time, curve.held(), curve.reserved()));
            } else if (curve.held() > last.bytes()) {
                moments.set(
                        moments.size() - 1,
                        new Moment(time, curve.held(), Math.max(curve.reserved(), last.reservedBytes())));
            }
        }
        return moments;
    }

    private List<Span> steps() {
        return IntStream.range(0, evidence.steps().count())
                .mapToObj(step -> new Span(
                        "step " + step,
                        time(evidence.steps().start(step)),
                        time(evidence.steps().start(step + 1))))
                .toList();
    }

    /** When an event was; after the last it is as late as that. */
    private long time(int event) {
        return hasTimes ? events.timeMicros(Math.min(event, events.count() - 1)) : event;
    }
}
