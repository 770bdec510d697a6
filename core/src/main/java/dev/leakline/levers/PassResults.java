package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What passes without a graph return, kept on the device until the program drops all of it at once, such as feature maps of an evaluation. */
final class PassResults {
    /** Fewer may be what a program holds of one pass for the next. */
    private static final int FEWEST = 3;

    private final PeakScene scene;

    private PassResults(PeakScene scene) {
        this.scene = scene;
    }

    /** Those of the line that keeps most. */
    static @Nullable Lever find(PeakScene scene) {
        return new PassResults(scene).find();
    }

    private @Nullable Lever find() {
        Map<Integer, IntArrayList> byStack = new TreeMap<>();
        for (IntCursor each : scene.allocations) {
            if (isKept(each.value)) {
                byStack.computeIfAbsent(scene.lifetimes.stack(each.value), _ -> new IntArrayList())
                        .add(each.value);
            }
        }
        return byStack.values().stream()
                .filter(this::areOfManyPasses)
                .max(Comparator.comparingLong(this::atPeak))
                .filter(kept -> atPeak(kept) > 0)
                .map(this::lever)
                .orElse(null);
    }

    /** Whether the program dropped it with many others, and it is part of no graph. */
    private boolean isKept(int allocation) {
        int freed = scene.lifetimes.freed(allocation);
        return scene.isResult(allocation)
                && freed != Lifetimes.NEVER
                && scene.runs.goesWithMany(freed)
                && !scene.isForBackward(allocation);
    }

    /** Whether those of the peak are each of a pass of its own; keys and values of layers are many of one pass. */
    private boolean areOfManyPasses(IntArrayList kept) {
        IntHashSet passes = new IntHashSet();
        int blocks = 0;
        for (IntCursor each : kept) {
            if (scene.isLiveAtPeak(each.value)) {
                passes.add(call(each.value));
                blocks++;
            }
        }
        return blocks >= FEWEST && passes.size() == blocks;
    }

    private int call(int allocation) {
        return scene.runs.call(scene.lifetimes.born(allocation));
    }

    private long atPeak(IntArrayList kept) {
        long bytes = 0;
        for (IntCursor each : kept) {
            bytes += scene.isLiveAtPeak(each.value) ? scene.size(each.value) : 0;
        }
        return bytes;
    }

    private Lever lever(IntArrayList kept) {
        Claim claim = new Claim(scene);
        IntArrayList pile = new IntArrayList();
        for (IntCursor each : kept) {
            if (!pile.isEmpty() && scene.lifetimes.died(pile.get(0)) < scene.lifetimes.born(each.value)) {
                move(pile, claim);
                pile.clear();
            }
            pile.add(each.value);
        }
        move(pile, claim);
        return claim.lever(
                Kind.RESULTS_ON_HOST,
                scene.caller(kept.get(0)),
                "keep what each pass returns in CPU memory (.cpu()), or only what is needed of it",
                "a block as large as all that was kept, made while it is there, is probably made of it, and then in CPU memory too");
    }

    /** Moves each of a pile when the next one is there. */
    private void move(IntArrayList pile, Claim claim) {
        int last = pile.get(pile.size() - 1);
        long all = 0;
        for (int i = 0; i < pile.size(); i++) {
            int next = i + 1 < pile.size() ? pile.get(i + 1) : last;
            claim.take(scene.lifetimes.born(next) + 1, scene.lifetimes.died(pile.get(i)), scene.size(pile.get(i)));
            all += scene.lifetimes.requested(pile.get(i));
        }
        for (IntCursor each : scene.allocations) {
            int born = scene.lifetimes.born(each.value);
            boolean isMadeThen = born > scene.lifetimes.born(last) && born < scene.lifetimes.died(last);
            if (isMadeThen && scene.lifetimes.requested(each.value) == all) {
                claim.take(born, scene.lifetimes.died(each.value), 0, scene.size(each.value), scene.size(each.value));
            }
        }
    }
}
