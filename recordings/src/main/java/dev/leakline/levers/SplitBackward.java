package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Backward passes over several calls of a model, each with a loss of its own: with a pass for each, the graph of a call would be gone before the next one. */
final class SplitBackward {
    /** A loss is one number: an output of several samples has more bytes. */
    private static final long NUMBER = Float.BYTES;

    private final PeakScene scene;
    private final Claim claim;
    /** By call, the first number that the program computes after it. */
    private final NavigableMap<Integer, Integer> losses = new TreeMap<>();

    /** Calls whose graphs earlier passes released: what was computed after them was the loss of those. */
    private final Set<Integer> released = new HashSet<>();

    private SplitBackward(PeakScene scene) {
        this.scene = scene;
        this.claim = new Claim(scene);
        for (IntCursor each : scene.bornIn(StepPhase.OUTSIDE)) {
            if (scene.lifetimes.requested(each.value) <= NUMBER) {
                losses.putIfAbsent(call(each.value), each.value);
            }
        }
    }

    static @Nullable Lever find(PeakScene scene) {
        SplitBackward split = new SplitBackward(scene);
        scene.passes.forEach(split::look);
        return split.claim.lever(
                Kind.SPLIT_BACKWARD,
                "call backward() on the loss of each call there, and not once on their sum: gradients add up. It cannot be done where a call uses"
                        + " what an earlier one made",
                "all of it where the calls are independent, which no recording shows");
    }

    private void look(int begin, int end) {
        Map<Integer, IntArrayList> byCall = new TreeMap<>();
        scene.passes.forEachReleased(
                begin,
                end,
                each -> byCall.computeIfAbsent(call(each), _ -> new IntArrayList())
                        .add(each));
        byCall.values()
                .removeIf(graph ->
                        !isOfModel(graph)); // inputs of the first call are made after the call of the step before
        Set<Integer> calls = Set.copyOf(byCall.keySet());
        int last = scene.steps.call(begin);
        byCall.remove(last);
        boolean isEachOfOwn = byCall.keySet().stream().allMatch(call -> {
            Integer loss = losses.ceilingKey(call);
            return loss != null && loss < last && !released.contains(loss);
        });
        if (isEachOfOwn) {
            byCall.forEach((call, graph) -> release(losses.ceilingKey(call), graph));
        }
        released.addAll(calls);
    }

    private boolean isOfModel(IntArrayList graph) {
        for (IntCursor each : graph) {
            if (scene.isBornIn(each.value, StepPhase.FORWARD)) {
                return true;
            }
        }
        return false;
    }

    /** The call of the model that a block is part of, or follows. */
    private int call(int allocation) {
        return scene.steps.call(scene.lifetimes.born(allocation));
    }

    private void release(int call, IntArrayList graph) {
        int loss = losses.getOrDefault(call, Lifetimes.NONE);
        for (IntCursor each : graph) {
            claim.take(
                    scene.steps.beginAfter(call),
                    scene.lifetimes.died(each.value),
                    0,
                    scene.size(each.value),
                    scene.size(each.value));
        }
        claim.isAt(loss, scene.site(loss));
    }
}
