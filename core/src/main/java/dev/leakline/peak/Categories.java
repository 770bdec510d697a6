package dev.leakline.peak;

import dev.leakline.evidence.Evidence;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.peak.StackPhases.Phase;
import dev.leakline.result.Peak.Category;
import dev.leakline.steps.Steps;

/**
 * Estimates what each allocation is for, from the phase that allocated it, the phase that freed it, and what came between.
 *
 * <p>What the forward pass, or the loss after it, makes and the backward pass still finds is an activation. What the backward pass makes and leaves is a gradient. What
 * an optimizer makes and leaves is its state. What comes before the first forward pass and stays are parameters, and what a step brings
 * for its forward pass is input. What goes in the phase that made it is temporary. A program that keeps its outputs defeats the rules: what
 * outlives two steps, where only state should, is for none of these.
 */
final class Categories {
    private static final int NEVER = Lifetimes.NEVER;
    /** Whole steps that what belongs to one may live through: it may come a step early, and go when the next one has replaced it. */
    private static final int LATER = 2;

    private final Evidence evidence;
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final StackPhases phases;
    private final int[] nextForward;
    private final int[] nextBackward;
    private final int[] endOfBackward;
    private final int[] endOfOptimizer;
    private final int firstForward;

    Categories(Evidence evidence) {
        this.evidence = evidence;
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events();
        this.phases = new StackPhases(evidence.columns(), evidence.stacks());
        int count = events.count();
        this.nextForward = new int[count];
        this.nextBackward = new int[count];
        this.endOfBackward = new int[count];
        this.endOfOptimizer = new int[count];
        lookAhead();
        this.firstForward = nextForward.length == 0 ? NEVER : nextForward[0];
    }

    /** Finds of each event the first from it on that is of a kind of phase, {@link #NEVER} where none follows. */
    private void lookAhead() {
        int forward = NEVER;
        int backward = NEVER;
        int notBackward = NEVER;
        int notOptimizer = NEVER;
        for (int event = events.count() - 1; event >= 0; event--) {
            Phase phase = phase(event);
            forward = phase == Phase.FORWARD ? event : forward;
            backward = phase == Phase.BACKWARD ? event : backward;
            notBackward = phase == Phase.BACKWARD ? notBackward : event;
            notOptimizer = phase == Phase.OPTIMIZER ? notOptimizer : event;
            nextForward[event] = forward;
            nextBackward[event] = backward;
            endOfBackward[event] = notBackward;
            endOfOptimizer[event] = notOptimizer;
        }
    }

    private Phase phase(int event) {
        return phases.of(events.stack(event));
    }

    /** The category of an allocation. */
    Category of(int allocation) {
        int born = lifetimes.born(allocation);
        int died = lifetimes.died(allocation);
        if (born == Lifetimes.BEFORE) {
            return older(died);
        }
        if (BlasWorkspace.is(lifetimes.held(allocation)) && lastsToTheEnd(died)) {
            return Category.OTHER;
        }
        return switch (phase(born)) {
            case FORWARD -> forward(born, died);
            case BACKWARD -> died < endOfBackward[born] ? Category.TEMPORARIES : Category.GRADIENTS;
            case OPTIMIZER -> died < endOfOptimizer[born] ? Category.TEMPORARIES : Category.OPTIMIZER_STATE;
            case LOADING, OUTSIDE, ZERO_GRAD -> outside(born, died);
        };
    }

    private Category older(int died) {
        if (died == NEVER) {
            return Category.MODEL_STATE;
        }
        return switch (phase(died)) {
            case ZERO_GRAD -> Category.GRADIENTS;
            case BACKWARD -> Category.ACTIVATIONS;
            default -> Category.OTHER;
        };
    }

    private Category forward(int born, int died) {
        if (outlivesSteps(born, died)) {
            return Category.OTHER;
        }
        return nextBackward[born] < died ? Category.ACTIVATIONS : Category.TEMPORARIES;
    }

    private Category outside(int born, int died) {
        if (born < firstForward && lastsToTheEnd(died)) {
            return Category.PARAMETERS;
        }
        if (outlivesSteps(born, died)) {
            return Category.OTHER;
        }
        boolean isLoss = nextBackward[born] < nextForward[born];
        if (isLoss && nextBackward[born] < died) {
            return Category.ACTIVATIONS;
        }
        return nextForward[born] < died ? Category.INPUTS : Category.TEMPORARIES;
    }

    /** Whether something outlives the last step; the recording may go on to where the program frees everything. */
    private boolean lastsToTheEnd(int died) {
        Steps steps = evidence.steps();
        return died == NEVER || (steps.kind().repeats() && died >= steps.start(steps.count()));
    }

    /** Whether something lives through more whole steps than what belongs to one may. */
    private boolean outlivesSteps(int born, int died) {
        if (!evidence.steps().kind().repeats()) {
            return false;
        }
        int end = evidence.steps().of(born) + LATER + 1;
        return end <= evidence.steps().count() && evidence.steps().start(end) <= died;
    }
}
