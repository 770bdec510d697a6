package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import org.jspecify.annotations.Nullable;

/** One step that needs far more than all others, as one with a longer input does. */
final class LongestInput {
    /** Steps that must be seen beside the highest to say what is usual. */
    private static final int FEWEST = 4;

    private LongestInput() {}

    static @Nullable Lever find(Scene scene) {
        IntArrayList ends = scene.runs.stepEnds();
        int highest = scene.runs.step(scene.evidence.course().peak().event());
        long usual = 0;
        for (int step = 0; step <= ends.size(); step++) {
            if (step - 1 != highest) {
                int begin = step == 0 ? scene.from : ends.get(step - 1);
                usual = Math.max(usual, scene.timeline.highest(begin, step < ends.size() ? ends.get(step) : scene.to));
            }
        }
        return ends.size() < FEWEST
                ? null
                : new Lever(
                        Kind.SHORTER_INPUT,
                        null,
                        scene.timeline.peak() - usual,
                        usual,
                        "the step of the peak needs more than each of the other " + ends.size()
                                + ": bound the length of its input, or sort inputs by length");
    }
}
