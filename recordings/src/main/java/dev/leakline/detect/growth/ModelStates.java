package dev.leakline.detect.growth;

import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.result.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what belongs to models that are made again and again: their parameters, the gradients of these, and the state of their optimizers.
 * These are allocated at three lines and in different steps, but all equally often; and whoever keeps one of them keeps the model.
 */
final class ModelStates {
    private final Evidence evidence;
    private final double seldom;

    /** {@code seldom} is the number of steps below which growth at as many steps has one reason. */
    ModelStates(Evidence evidence, double seldom) {
        this.evidence = evidence;
        this.seldom = seldom;
    }

    /** The parameters of the models whose gradients or optimizers' state grow; null where what grows is neither, or no models do. */
    @Nullable
    Grower modelOf(Grower state, List<Grower> growers) {
        return growers.stream()
                .filter(grower -> isModel(grower) && areOfOneModel(grower, state))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether one is the parameters of models and the other what belongs to those. */
    boolean areOfOneModel(Grower model, Grower other) {
        return isModel(model)
                && model.steps().size() < seldom
                && model.growsAsOftenAs(other)
                && (isModel(other) || isOfModel(other));
    }

    /** Returns whether no one thing keeps both: an optimizer keeps the state that it made, and nothing else of what its step's neighbours make. */
    boolean areKeptApart(Grower one, Grower other) {
        return makesState(one) != makesState(other) && !belongsToModel(one) && !belongsToModel(other);
    }

    private boolean belongsToModel(Grower grower) {
        return isModel(grower) || grower.group().kind() == Site.Kind.BACKWARD;
    }

    private boolean makesState(Grower grower) {
        return evidence.stacks().state().makesOptimizerState(stack(grower));
    }

    private boolean isModel(Grower grower) {
        return evidence.stacks().state().buildsModule(stack(grower));
    }

    private boolean isOfModel(Grower grower) {
        return grower.group().kind() == Site.Kind.BACKWARD || makesState(grower);
    }

    private int stack(Grower grower) {
        int first = grower.group().survivors().get(0);
        return evidence.sites().stack(evidence.survivors().allocation(first));
    }
}
