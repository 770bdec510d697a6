package dev.leakline.peak;

import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.HalfPrecision;
import dev.leakline.known.StateFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Peak.Category;
import dev.leakline.site.FramePredicate;
import dev.leakline.site.StackSites;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what each allocation that is live at a moment is for, from who allocated it, who freed it, and what it is beside.
 *
 * <p>What the forward pass makes and the engine of the backward pass frees is an activation; so is what a pass keeps as it keeps a graph ({@link KeptGraphs}).
 * What the engine makes and an optimizer still finds is a gradient; what it makes for
 * another backward pass is an activation, too; the rest that it makes is temporary. What an optimizer makes and leaves is its state. What outlives its step is none of the step's: a forward
 * pass frees its own from an earlier call when it replaces a cache, the program frees what it had kept. What no maker tells is told by sizes ({@link ParameterSets}).
 */
final class Categories {
    private static final int NEVER = Lifetimes.NEVER;

    /** Steps by which an input may come before it is used: a loader is ahead by one, and two optimizers take turns over one batch. */
    private static final int AHEAD = 1;

    /**
     * The category of an allocation, as far as it is known.
     *
     * @param likely what it most likely is
     * @param other what it may be as well, as far as the recording goes; null where its maker and its end leave nothing else
     */
    record Guess(Category likely, @Nullable Category other) {
        private static Guess sure(Category category) {
            return new Guess(category, null);
        }
    }

    private static final Guess PARAMETERS = Guess.sure(Category.PARAMETERS);
    private static final Guess ACTIVATIONS = Guess.sure(Category.ACTIVATIONS);
    private static final Guess GRADIENTS = Guess.sure(Category.GRADIENTS);
    private static final Guess STATE = Guess.sure(Category.OPTIMIZER_STATE);
    private static final Guess BUFFERS = Guess.sure(Category.BUFFERS);
    private static final Guess TEMPORARIES = Guess.sure(Category.TEMPORARIES);
    private static final Guess OTHER = Guess.sure(Category.OTHER);

    private final Lifetimes lifetimes;
    private final StackSites stacks;
    private final EventWindow window;
    private final PhaseRuns runs;
    private final OptimizerSteps steps;
    private final CutStep cut;
    private final ParameterSets sets;
    private final KeptGraphs kept;
    private final BlocksByLine beside;
    private final GrowingCaches caches;
    private final FramePredicate withWeights;
    private final FramePredicate inDevice;
    private final int moment;
    private final int presentStep;
    private final boolean seesModels;
    private final boolean isTraining;
    private final int parametersMovedAt;
    /** True where the program makes something in its steps that a forward pass may be given: then what it made before them all is not. */
    private final boolean makesInputs;

    Categories(Evidence evidence, EventWindow window, int moment) {
        this.lifetimes = evidence.lifetimes();
        this.stacks = evidence.stacks();
        this.window = window;
        this.runs = window.runs();
        this.steps = window.steps();
        this.cut = window.cut();
        this.kept = window.graphs();
        this.sets = new ParameterSets(lifetimes, window, moment);
        this.beside = new BlocksByLine(evidence, window, sets);
        this.caches = new GrowingCaches(lifetimes, window);
        this.withWeights = stacks.predicate(HalfPrecision::isWithWeights);
        this.inDevice = stacks.predicate(StateFrames::isDeviceContext);
        this.moment = moment;
        this.presentStep = steps.of(moment);
        this.seesModels = runs.has(StepPhase.MOVING) || runs.has(StepPhase.MAKING);
        this.isTraining = runs.has(StepPhase.BACKWARD) || runs.has(StepPhase.OPTIMIZER);
        this.parametersMovedAt = stacks.state().firstMovingLine();
        this.makesInputs = makesInputs();
    }

    private boolean makesInputs() {
        boolean makesInputs = false;
        for (int event = Math.max(runs.from(), runs.firstForward()); event < runs.to() && !makesInputs; event++) {
            int allocation = lifetimes.allocation(event);
            makesInputs = allocation != Lifetimes.NONE
                    && lifetimes.born(allocation) == event
                    && lifetimes.held(allocation) > KeptGraphs.SMALLEST
                    && runs.of(event) == StepPhase.OUTSIDE
                    && runs.next(StepPhase.FORWARD, event) < lifetimes.freed(allocation)
                    && runs.next(StepPhase.FORWARD, event) < runs.next(StepPhase.BACKWARD, event);
        }
        return makesInputs;
    }

    /** Returns whether a pass made it that a failed request cut: what that holds cannot have outlived a step. */
    boolean isOfUnfinishedPass(int allocation) {
        return kept.isCut(allocation);
    }

    /** The category of an allocation. */
    Guess of(int allocation) {
        int born = lifetimes.born(allocation);
        int freed = lifetimes.freed(allocation);
        if (born == Lifetimes.BEFORE) {
            return older(allocation, freed);
        }
        StepPhase phase = runs.of(born);
        if (isWorkspace(allocation, phase)) {
            return steps.of(born) < presentStep ? OTHER : TEMPORARIES;
        }
        return switch (phase) {
            case OPTIMIZER -> window.isOfOptimizersStep(born, freed) ? TEMPORARIES : STATE;
            case BACKWARD -> ofBackward(allocation, born, freed);
            case ZERO_GRAD -> GRADIENTS;
            case MOVING, MAKING -> ofModule(allocation);
            case READING -> read(allocation, freed);
            case FORWARD -> ofForward(allocation, born, freed);
            case OUTSIDE -> ofProgram(allocation, born, freed);
        };
    }

    /** Returns whether it is as large as a workspace of cuBLAS, the only one of its line, stays, and is made where products are: in the engine, in a layer with weights, or by the program's own lines. */
    private boolean isWorkspace(int allocation, StepPhase phase) {
        boolean isInProduct = phase == StepPhase.FORWARD || phase == StepPhase.BACKWARD || phase == StepPhase.OUTSIDE;
        int innermost = stacks.innermost(lifetimes.stack(allocation));
        return isInProduct
                && lifetimes.freed(allocation) == NEVER
                && !kept.has(allocation)
                && !beside.isOneOfSeveral(allocation)
                && BlasWorkspace.is(lifetimes.requested(allocation))
                && (phase == StepPhase.BACKWARD
                        || innermost < 0
                        || stacks.owner(innermost) != FrameOwner.TORCH
                        || withWeights.isTrueOf(innermost));
    }

    private Guess ofModule(int allocation) {
        if (isOfProgramsOwnModule(allocation)) {
            return new Guess(Category.BUFFERS, Category.PARAMETERS);
        }
        boolean isBuffer = stacks.state().movingLine(lifetimes.stack(allocation)) > parametersMovedAt;
        return isBuffer ? BUFFERS : PARAMETERS;
    }

    /** Returns whether a module of the program's made it with others of its size, itself and by no layer of PyTorch's, where nothing is trained: a cache of keys and values for each layer. */
    private boolean isOfProgramsOwnModule(int allocation) {
        int stack = lifetimes.stack(allocation);
        int innermost = stacks.innermost(stack);
        boolean isInDevice = innermost >= 0 && inDevice.isTrueOf(innermost);
        int maker = isInDevice ? stacks.caller(stack, innermost) : innermost;
        return !isTraining && maker >= 0 && stacks.isUsers(maker) && beside.mayBeCache(allocation);
    }

    /** Judges what was read: the program keeps it, and an optimizer goes on with its part. */
    private Guess read(int allocation, int freed) {
        return staysAsFarAsSeen(freed) && sets.isReadForOptimizer(allocation)
                ? new Guess(Category.OPTIMIZER_STATE, Category.OTHER)
                : OTHER;
    }

    private Guess older(int allocation, int freed) {
        if (!staysAsFarAsSeen(freed)) {
            return switch (runs.of(freed)) {
                case ZERO_GRAD -> GRADIENTS;
                case BACKWARD -> ACTIVATIONS;
                case OUTSIDE -> window.goesWithMany(freed) ? new Guess(Category.ACTIVATIONS, Category.OTHER) : OTHER;
                default -> OTHER;
            };
        }
        int stack = lifetimes.stack(allocation);
        if (stack == StackTable.NONE || sets.isWorkspace(allocation)) {
            return sets.older(allocation);
        }
        return switch (runs.ofStack(stack)) {
            case OPTIMIZER -> STATE;
            case BACKWARD, ZERO_GRAD -> new Guess(Category.GRADIENTS, Category.OTHER);
            case MOVING, MAKING -> ofModule(allocation);
            case READING -> read(allocation, freed);
            case FORWARD -> Guess.sure(Category.UNKNOWN);
            case OUTSIDE -> runs.has(StepPhase.FORWARD) ? sets.older(allocation) : Guess.sure(Category.UNKNOWN);
        };
    }

    private Guess ofBackward(int allocation, int born, int freed) {
        int optimizer = runs.next(StepPhase.OPTIMIZER, born);
        if (optimizer < freed) {
            return GRADIENTS;
        }
        if (window.created().has(allocation)) {
            return ACTIVATIONS;
        }
        if (freed != NEVER && runs.of(freed) == StepPhase.BACKWARD) {
            return TEMPORARIES;
        }
        return window.hasSizeOfState(lifetimes.requested(allocation))
                        && !window.created().isBeside(born)
                ? new Guess(Category.GRADIENTS, Category.TEMPORARIES)
                : new Guess(Category.TEMPORARIES, optimizer == NEVER ? Category.GRADIENTS : null);
    }

    private Guess ofForward(int allocation, int born, int freed) {
        if (kept.has(allocation)) {
            return new Guess(Category.ACTIVATIONS, Category.TEMPORARIES);
        }
        boolean isCache = caches.has(allocation)
                || (isEndUnseen(freed) && caches.isMadeAt(lifetimes.stack(allocation)))
                || (kept.hasResult(allocation) && beside.isHandedOver(freed));
        if (isCache) {
            return BUFFERS;
        }
        boolean isAwaited = freed != NEVER && runs.of(freed) == StepPhase.BACKWARD;
        if (steps.of(born) < presentStep && !isAwaited) {
            return isReplaced(freed)
                    ? new Guess(Category.BUFFERS, Category.OTHER)
                    : new Guess(Category.OTHER, isEndUnseen(freed) ? Category.BUFFERS : null);
        }
        if (isForBackward(allocation, freed)) {
            return isEndUnseen(freed) ? new Guess(Category.ACTIVATIONS, Category.TEMPORARIES) : ACTIVATIONS;
        }
        if (kept.isSavedResult(allocation, moment)) {
            return ACTIVATIONS;
        }
        return kept.hasResultOfEarlierCall(allocation)
                ? OTHER
                : new Guess(Category.TEMPORARIES, isEndUnseen(freed) ? Category.OTHER : null);
    }

    /** Returns whether it was there until the recording ended, or the job with a failed request. */
    private boolean isEndUnseen(int freed) {
        return freed == NEVER || freed >= cut.failure();
    }

    private boolean staysAsFarAsSeen(int freed) {
        return isEndUnseen(freed) || steps.areOutlivedBy(freed);
    }

    /** Returns whether a backward pass frees it, or would have: a recording may end before, as by a failed request. */
    private boolean isForBackward(int allocation, int freed) {
        return isEndUnseen(freed)
                ? window.isForBackward(lifetimes.stack(allocation)) || kept.isCut(allocation)
                : runs.of(freed) == StepPhase.BACKWARD;
    }

    private boolean isReplaced(int freed) {
        return !isEndUnseen(freed) && runs.knowsFrees() && runs.of(freed) == StepPhase.FORWARD;
    }

    private Guess ofProgram(int allocation, int born, int freed) {
        int forward = runs.next(StepPhase.FORWARD, born);
        boolean isOfCreatedGraph = forward < freed
                && runs.next(StepPhase.BACKWARD, born) > moment
                && window.created().isBeside(born);
        if (isOfCreatedGraph || kept.hasEnd(allocation)) {
            return new Guess(Category.ACTIVATIONS, Category.TEMPORARIES);
        }
        boolean isOfNoPass = born < runs.firstForward() || stacks.state().copiesState(lifetimes.stack(allocation));
        if (staysAsFarAsSeen(freed) && isOfNoPass && forward != NEVER) {
            return staying(allocation);
        }
        if (isGradientOfProgram(allocation, born, freed)) {
            return new Guess(Category.GRADIENTS, Category.OTHER);
        }
        if (isReplacedParameter(allocation, born, freed)) {
            return new Guess(Category.PARAMETERS, Category.OTHER);
        }
        boolean isForForward =
                forward < freed && forward < runs.next(StepPhase.BACKWARD, born) && !beside.isPiled(allocation);
        if (isForForward && beside.mayBeCache(allocation) && !kept.isOfGraph(forward)) {
            return new Guess(Category.BUFFERS, Category.OTHER);
        }
        int usedIn = isForForward && steps.ends().isEmpty() ? forward : born;
        int age = presentStep - steps.of(usedIn);
        if (age > (isForForward && freed != NEVER ? AHEAD : 0)) {
            return OTHER;
        }
        if (isForForward && beside.isOfCopies(allocation)) {
            return new Guess(Category.TEMPORARIES, Category.PARAMETERS);
        }
        if (isForForward && window.isMadeOfResult(allocation)) {
            return TEMPORARIES;
        }
        if (isForForward && window.isElementwise(allocation)) {
            return runs.next(StepPhase.BACKWARD, born) < freed ? ACTIVATIONS : TEMPORARIES;
        }
        if (isForForward) {
            return Guess.sure(Category.INPUTS);
        }
        return isForBackward(allocation, freed)
                ? ACTIVATIONS
                : new Guess(Category.TEMPORARIES, isEndUnseen(freed) ? Category.OTHER : null);
    }

    /** Returns whether the program made it of a gradient, such as in another precision: it is as large as a parameter, and goes from a backward pass into the optimizer's step after it. */
    private boolean isGradientOfProgram(int allocation, int born, int freed) {
        int optimizer = runs.next(StepPhase.OPTIMIZER, born);
        return optimizer < Math.min(freed, runs.next(StepPhase.FORWARD, born))
                && runs.next(StepPhase.BACKWARD, born) > optimizer
                && sets.hasSizeOfTrained(allocation);
    }

    /** Returns whether a step by hand made it anew, in the place of one that a forward and a backward pass had used. */
    private boolean isReplacedParameter(int allocation, int born, int freed) {
        int backward = runs.next(StepPhase.BACKWARD, runs.next(StepPhase.FORWARD, born));
        return !runs.has(StepPhase.OPTIMIZER) && backward < freed && sets.hasSizeOfTrained(allocation);
    }

    /** Judges what came before the first forward pass or copies a model, and stays, made by neither a module nor a move. Where one step is all, its input stays. */
    private Guess staying(int allocation) {
        if (sets.isTrained(allocation)) {
            return PARAMETERS;
        }
        if (sets.isCopy(allocation)) {
            return new Guess(Category.OTHER, Category.PARAMETERS);
        }
        if (stacks.state().copiesState(lifetimes.stack(allocation))) {
            return new Guess(Category.PARAMETERS, Category.OTHER);
        }
        if (!isTraining && beside.isOneOfSeveral(allocation) && (seesModels || sets.hasOlder())) {
            return new Guess(Category.BUFFERS, Category.OTHER);
        }
        if (!seesModels && !sets.hasOlder()) {
            return new Guess(Category.PARAMETERS, Category.OTHER);
        }
        return steps.ends().size() > 1 && makesInputs
                ? new Guess(Category.OTHER, Category.INPUTS)
                : new Guess(Category.INPUTS, Category.OTHER);
    }
}
