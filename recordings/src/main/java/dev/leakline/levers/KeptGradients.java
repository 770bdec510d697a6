package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Bisection;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Gradients that are never freed but filled with zeros: they could be gone from the end of a step until the engine adds to them again. When
 * that is, the temporary of the same size tells that the engine makes to add it.
 */
final class KeptGradients {
    private final PeakScene scene;
    private final IntArrayList made;
    private final IntHashSet taken = new IntHashSet();

    private KeptGradients(PeakScene scene) {
        this.scene = scene;
        this.made = scene.where(each -> scene.isBornIn(each, StepPhase.BACKWARD) && scene.hasSizeOfState(each));
    }

    static @Nullable Lever find(PeakScene scene) {
        return new KeptGradients(scene).find();
    }

    private @Nullable Lever find() {
        Claim claim = new Claim(scene);
        boolean isAny = false;
        for (IntCursor each : made) {
            if (scene.isFreedBy(each.value, StepPhase.ZERO_GRAD)
                    || (scene.isFreedBy(each.value, StepPhase.OUTSIDE) && !scene.outlivesSteps(each.value))) {
                return null;
            }
            isAny |= scene.outlivesSteps(each.value) && shorten(each.value, claim);
        }
        return isAny
                ? claim.lever(
                        Kind.SET_TO_NONE,
                        null,
                        "zero_grad(set_to_none=True), the default since PyTorch 2.0: gradients are freed after each step"
                                + " (unless they are meant to add up over steps)",
                        "each gradient is taken to be made again where the engine adds to it now; at worst, where its pass begins")
                : null;
    }

    /** Frees a gradient between the passes that add to it. */
    private boolean shorten(int gradient, Claim claim) {
        int end = scene.passes.end(scene.lifetimes.born(gradient));
        boolean isShorter = false;
        while (end != Lifetimes.NEVER) {
            int pass = scene.runs.next(StepPhase.BACKWARD, end);
            int after = pass == Lifetimes.NEVER ? Lifetimes.NEVER : scene.passes.end(pass);
            int addition = takeAddition(scene.lifetimes.requested(gradient), pass, after);
            if (addition != Lifetimes.NEVER) {
                claim.least.take(end, pass, scene.size(gradient));
                claim.likely.take(end, addition, scene.size(gradient));
                claim.most.take(end, after, scene.size(gradient));
                isShorter = true;
            }
            end = after;
        }
        return isShorter;
    }

    /** The birth of what the engine makes and frees of a size within a pass; each is taken once. */
    private int takeAddition(long requested, int pass, int after) {
        int first = Bisection.first(made.size(), i -> scene.lifetimes.born(made.get(i)) >= pass);
        for (int i = first; i < made.size() && scene.lifetimes.born(made.get(i)) < after; i++) {
            boolean isAddition = scene.lifetimes.requested(made.get(i)) == requested
                    && scene.isFreedBy(made.get(i), StepPhase.BACKWARD);
            if (isAddition && taken.add(made.get(i))) {
                return scene.lifetimes.born(made.get(i));
            }
        }
        return Lifetimes.NEVER;
    }
}
