package dev.leakline.peak;

import dev.leakline.evidence.Evidence;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Peak.Category;
import dev.leakline.site.StackSites;

/**
 * Estimates what each allocation that is live at a moment is for, from the phase that allocated it, the phase that freed it, and what came between.
 *
 * <p>What the forward pass makes and the engine of the backward pass frees is an activation; so is what goes with many others at once, as
 * the graph that nobody needs any more does. What the engine makes and an optimizer still finds is a gradient; what it makes for
 * another backward pass is an activation, too; the rest that it makes is temporary. What an optimizer makes and leaves is its state. What outlives its step is none of the step's: a forward pass frees its own from an
 * earlier call when it replaces a cache, the program frees what it had kept. Where nothing was saved for a backward pass, nothing is an activation. What is older than the recording is told by {@link OlderBlocks}.
 */
final class Categories {
    private static final int NEVER = Lifetimes.NEVER;

    /** Steps by which an input may come before it is used: a loader is ahead by one, and two optimizers take turns over one batch. */
    private static final int AHEAD = 1;

    private final Lifetimes lifetimes;
    private final StackSites stacks;
    private final PhaseRuns runs;
    private final OlderBlocks older;
    private final PassGraphs graphs;
    private final GrowingCaches caches;
    private final int presentStep;
    private final int presentCall;
    private final boolean seesModels;
    private final int parametersMovedAt;

    Categories(Evidence evidence, PhaseRuns runs, int moment) {
        this.lifetimes = evidence.lifetimes();
        this.stacks = evidence.stacks();
        this.runs = runs;
        this.older = new OlderBlocks(lifetimes, runs, moment);
        this.graphs = runs.graphs();
        this.caches = new GrowingCaches(lifetimes, runs);
        this.presentStep = runs.step(moment);
        this.presentCall = runs.call(moment);
        this.seesModels = runs.has(StepPhase.MOVING) || runs.has(StepPhase.MAKING);
        this.parametersMovedAt = stacks.state().firstMovingLine();
    }

    /** The category of an allocation. */
    Category of(int allocation) {
        int born = lifetimes.born(allocation);
        int freed = lifetimes.freed(allocation);
        if (born == Lifetimes.BEFORE) {
            return staysAsFarAsSeen(freed) ? older.take(allocation) : older(freed);
        }
        StepPhase phase = runs.of(born);
        boolean isInProduct = phase == StepPhase.FORWARD || phase == StepPhase.BACKWARD || phase == StepPhase.OUTSIDE;
        if (isInProduct && freed == NEVER && BlasWorkspace.is(lifetimes.requested(allocation))) {
            return runs.step(born) < presentStep ? Category.OTHER : Category.TEMPORARIES;
        }
        return switch (phase) {
            case OPTIMIZER -> runs.isOfOptimizersStep(born, freed) ? Category.TEMPORARIES : Category.OPTIMIZER_STATE;
            case BACKWARD -> ofBackward(allocation, born, freed);
            case ZERO_GRAD -> Category.GRADIENTS;
            case MOVING, MAKING ->
                isEndUnseen(freed) || runs.next(StepPhase.FORWARD, born) < freed
                        ? ofModule(allocation)
                        : Category.OTHER;
            case READING -> Category.OTHER;
            case FORWARD -> ofForward(allocation, born, freed);
            case OUTSIDE -> ofProgram(allocation, born, freed);
        };
    }

    private Category ofModule(int allocation) {
        boolean isBuffer = stacks.state().movingLine(lifetimes.stack(allocation)) > parametersMovedAt;
        return isBuffer ? Category.BUFFERS : Category.PARAMETERS;
    }

    private Category older(int freed) {
        return switch (runs.of(freed)) {
            case ZERO_GRAD -> Category.GRADIENTS;
            case BACKWARD -> Category.ACTIVATIONS;
            default -> Category.OTHER;
        };
    }

    private Category ofBackward(int allocation, int born, int freed) {
        int optimizer = runs.next(StepPhase.OPTIMIZER, born);
        if (optimizer < freed) {
            return Category.GRADIENTS;
        }
        if (graphs.created().has(allocation)) {
            return Category.ACTIVATIONS;
        }
        boolean isEndUnseen = optimizer == NEVER && (freed == NEVER || runs.of(freed) != StepPhase.BACKWARD);
        return isEndUnseen && runs.stateSizes().hasSizeOf(allocation) ? Category.GRADIENTS : Category.TEMPORARIES;
    }

    private Category ofForward(int allocation, int born, int freed) {
        if (goesWithGraph(allocation, freed)) {
            return Category.ACTIVATIONS;
        }
        boolean isCache =
                caches.has(allocation) || (isEndUnseen(freed) && caches.isMadeAt(lifetimes.stack(allocation)));
        if (isCache) {
            return Category.BUFFERS;
        }
        if (runs.step(born) < presentStep) {
            return isReplaced(freed) ? Category.BUFFERS : Category.OTHER;
        }
        if (isForBackward(allocation, freed)) {
            return Category.ACTIVATIONS;
        }
        boolean isForLater = isReplaced(freed) && runs.step(born) < runs.step(freed);
        boolean isOfEarlierCall = graphs.dropped().hasResult(allocation) && runs.call(born) < presentCall;
        return isForLater ? Category.BUFFERS : isOfEarlierCall ? Category.OTHER : Category.TEMPORARIES;
    }

    /** Whether it goes with its graph: with many others at once, unless its pass has none. */
    private boolean goesWithGraph(int allocation, int freed) {
        boolean goesWithMany = isEndUnseen(freed)
                ? runs.isDropped(lifetimes.stack(allocation))
                : runs.of(freed) != StepPhase.FORWARD && runs.goesWithMany(freed);
        return goesWithMany && !graphs.dropped().hasResult(allocation);
    }

    /** Whether it was there until the recording ended, or the job with a failed request. */
    private boolean isEndUnseen(int freed) {
        return freed == NEVER || freed >= runs.ending();
    }

    private boolean staysAsFarAsSeen(int freed) {
        return isEndUnseen(freed) || runs.outlivesSteps(freed);
    }

    /** Whether a backward pass frees it, or would have: a recording may end before, as by a failed request. */
    private boolean isForBackward(int allocation, int freed) {
        return isEndUnseen(freed)
                ? runs.isForBackward(lifetimes.stack(allocation))
                        || graphs.unfinished().keeps(allocation)
                : runs.of(freed) == StepPhase.BACKWARD;
    }

    private boolean isReplaced(int freed) {
        return !isEndUnseen(freed) && runs.knowsFrees() && runs.of(freed) == StepPhase.FORWARD;
    }

    private Category ofProgram(int allocation, int born, int freed) {
        int forward = runs.next(StepPhase.FORWARD, born);
        if (staysAsFarAsSeen(freed) && born < runs.firstForward() && forward != NEVER) {
            return staying(allocation);
        }
        boolean isForForward = forward < freed && forward < runs.next(StepPhase.BACKWARD, born);
        int usedIn = isForForward && runs.stepEnds().isEmpty() ? forward : born;
        int age = presentStep - runs.step(usedIn);
        if (age > (isForForward && freed != NEVER ? AHEAD : 0)) {
            return Category.OTHER;
        }
        if (isForForward && ElementwiseResult.is(lifetimes, allocation)) {
            return runs.next(StepPhase.BACKWARD, born) < freed ? Category.ACTIVATIONS : Category.TEMPORARIES;
        }
        if (isForForward) {
            return Category.INPUTS;
        }
        return isForBackward(allocation, freed) ? Category.ACTIVATIONS : Category.TEMPORARIES;
    }

    private boolean hasSteps() {
        return runs.stepEnds().size() > 1;
    }

    /** What came before the first forward pass and stays, made by neither a module nor a move. Where one step is all, its input does. */
    private Category staying(int allocation) {
        boolean isTrained = older.hasGradient(lifetimes.requested(allocation));
        if (isTrained || !seesModels || stacks.state().copiesState(lifetimes.stack(allocation))) {
            return Category.PARAMETERS;
        }
        return hasSteps() ? Category.OTHER : Category.INPUTS;
    }
}
