package dev.leakline.floor;

import dev.leakline.lifetime.Lifetimes;
import dev.leakline.steps.StepCursor;
import dev.leakline.steps.Steps;

/**
 * What is counted by steps, in one walk over the allocations of a recording.
 *
 * @param profile what each step allocates
 * @param survivors what of it outlives its step
 */
public record Births(StepProfile profile, Survivors survivors) {
    /** Walks over the allocations; {@code stacks} is how many stacks the recording has. */
    public static Births of(Lifetimes lifetimes, Steps steps, int stacks) {
        StepProfile profile = new StepProfile(steps, stacks);
        Survivors survivors = new Survivors(lifetimes, steps);
        StepCursor cursor = new StepCursor(steps);
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            if (born != Lifetimes.BEFORE) {
                int step = cursor.of(born);
                profile.take(step, lifetimes.stack(allocation), lifetimes.requested(allocation));
                survivors.take(allocation, step);
            }
        }
        profile.end();
        survivors.choose();
        return new Births(profile, survivors);
    }
}
