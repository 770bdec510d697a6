package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gradients that are never freed but filled with zeros: they could be gone from the end of a step until the engine adds to them again. When
 * that is, the temporary of the same size tells that the engine makes to add it.
 */
final class KeptGradients {
    private final PeakScene scene;
    private final BackwardPasses passes;
    private final Claim claim;
    /** Births of what the engine makes and frees at once, by size, in order. */
    private final Map<Long, IntArrayList> additions = new HashMap<>();

    private final IntHashSet taken = new IntHashSet();

    private KeptGradients(PeakScene scene) {
        this.scene = scene;
        this.passes = scene.passes;
        this.claim = new Claim(scene);
    }

    static @Nullable Lever find(PeakScene scene) {
        return new KeptGradients(scene).find();
    }

    private @Nullable Lever find() {
        IntArrayList made = scene.where(each -> scene.isBornIn(each, StepPhase.BACKWARD) && scene.hasSizeOfState(each));
        for (IntCursor each : made) {
            if (scene.isFreedBy(each.value, StepPhase.ZERO_GRAD)
                    || (scene.isFreedBy(each.value, StepPhase.OUTSIDE) && !scene.outlivesSteps(each.value))) {
                return null;
            }
            if (scene.isFreedBy(each.value, StepPhase.BACKWARD)) {
                additions
                        .computeIfAbsent(scene.size(each.value), _ -> new IntArrayList())
                        .add(scene.lifetimes.born(each.value));
            }
        }
        boolean isAny = false;
        for (IntCursor each : made) {
            isAny |= scene.outlivesSteps(each.value) && shorten(each.value);
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
    private boolean shorten(int gradient) {
        IntArrayList births = additions.getOrDefault(scene.size(gradient), new IntArrayList());
        int end = passes.end(scene.lifetimes.born(gradient));
        boolean isShorter = false;
        while (end != Lifetimes.NEVER) {
            int pass = scene.runs.next(StepPhase.BACKWARD, end);
            int after = pass == Lifetimes.NEVER ? Lifetimes.NEVER : passes.end(pass);
            int addition = take(births, pass, after);
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

    /** The birth of one of the additions of a pass; each is taken once. */
    private int take(IntArrayList births, int pass, int after) {
        for (IntCursor birth : births) {
            if (birth.value >= pass && birth.value < after && taken.add(birth.value)) {
                return birth.value;
            }
        }
        return Lifetimes.NEVER;
    }
}
