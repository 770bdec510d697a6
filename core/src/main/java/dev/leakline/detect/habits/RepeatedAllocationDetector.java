package dev.leakline.detect.habits;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Check;
import dev.leakline.statistics.Thresholds;
import dev.leakline.steps.Steps;
import dev.leakline.text.Numbers;
import java.util.List;

/**
 * Finds memory that goes back to the driver and is asked for again, step after step.
 *
 * <p>To allocate the same block again and again is cheap as long as the allocator has it in its cache, and no reason to change a program.
 * It is dear where the cache does not help: where it is emptied by the program, or by the allocator itself in its need for other sizes.
 * Each time costs a call of the driver, which waits for all that runs on the device.
 */
public final class RepeatedAllocationDetector implements Detector {
    private static final String NAME = "repeated_allocation";
    /** Warm-up asks the driver too; in the second half of the steps it should be over. */
    private static final int WARM_PART = 2;
    /** Where fewer than half of the steps ask, most steps run at full speed. */
    private static final double MOST = 0.5;
    /** Where less than half of it goes back, memory grows; that is for others to judge. */
    private static final double GIVEN_BACK = 0.5;

    /** Steps that are looked at before all are: if not half of them ask, it is hardly ever half of all. */
    private static final int SAMPLE = 40;

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        if (!evidence.canJudgeGrowth(thresholds)) {
            return Examination.notApplicable(NAME, evidence.needsSteps(thresholds.fewestSteps()));
        }
        int count = evidence.steps().count();
        int half = count - count / WARM_PART;
        Examination sample = look(evidence, Math.min(half, SAMPLE));
        return sample.findings().isEmpty() || half <= SAMPLE ? sample : look(evidence, half);
    }

    /** Looks at the last steps, so many of them. */
    private static Examination look(Evidence evidence, int steps) {
        DriverTraffic traffic =
                traffic(evidence.lifetimes(), evidence.steps(), evidence.steps().count() - steps);
        boolean isRepeated = traffic.steps() >= MOST * steps && traffic.givenBack() >= GIVEN_BACK * traffic.asked();
        String note = "the driver is asked in " + traffic.steps() + " of the last " + Numbers.counted(steps, "step");
        return new Examination(
                new Check(NAME, true, note),
                isRepeated ? List.of(new RepeatedAllocationFinding(evidence, traffic, steps).build()) : List.of(),
                List.of());
    }

    private static DriverTraffic traffic(Lifetimes lifetimes, Steps steps, int first) {
        DriverTraffic traffic = new DriverTraffic();
        DeviceEvents events = lifetimes.events();
        for (IntCursor call : events.driverCalls()) {
            if (call.value >= steps.start(first) && call.value < steps.start(steps.count())) {
                take(traffic, events, call.value, steps);
            }
        }
        return traffic;
    }

    private static void take(DriverTraffic traffic, DeviceEvents events, int event, Steps steps) {
        if (events.action(event).isGift()) {
            traffic.ask(steps.of(event), events.stack(event), events.size(event));
        } else {
            traffic.giveBack(events.stack(event), events.size(event));
        }
    }
}
