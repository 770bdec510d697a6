package dev.leakline.lint.flow;

import dev.leakline.python.Node;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A loop or comprehension, and what its iterations do. */
public final class LoopModel {
    public final Node node;
    public final FunctionModel function;
    public final @Nullable LoopModel outer;
    /** True if a module outside the loop is given something that each iteration has of its own. */
    public boolean feedsModel;
    /** True if a module's result is given to it again in the next iteration. */
    public boolean isRecurrent;
    /** True if it goes over a handful of items, known from the source. */
    public boolean isShort;
    /** True if it goes over modules, layers or parameters. */
    public boolean overModules;
    /** True if its iterable is, by its type or name, a source of batches. */
    public boolean overData;
    /** True if its iterations, or what they call, go backward. */
    public boolean trains;
    /** True if tensors are made or modules are called in it. */
    public boolean works;

    LoopModel(Node node, FunctionModel function, @Nullable LoopModel outer) {
        this.node = node;
        this.function = function;
        this.outer = outer;
    }

    /** All that is known of it, as one number. */
    int traits() {
        return Objects.hash(feedsModel, isRecurrent, isShort, overModules, overData, works);
    }

    /** A loop and those around it, the innermost first; none for null. */
    public static List<LoopModel> andAround(@Nullable LoopModel innermost) {
        return Stream.iterate(innermost, Objects::nonNull, loop -> loop.outer).toList();
    }

    public boolean isInside(@Nullable LoopModel other) {
        return other == null || andAround(this).contains(other);
    }

    /** Returns whether its iterations are steps: batches, requests, episodes. */
    public boolean isSteps() {
        return !isShort && !overModules && (trains || overData || (feedsModel && !isRecurrent));
    }
}
