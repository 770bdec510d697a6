package dev.leakline.detect;

import dev.leakline.columns.FrameTable;
import dev.leakline.columns.ProfilerFrames;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;

/**
 * What a profiler's stacks say beside lines of code: the operators, modules and marked ranges in which something was allocated.
 *
 * <p>The operator is the one that the program called, not those that do its work: {@code aten::linear} rather than {@code aten::empty}. In
 * a backward pass it is autograd's name of what is done, such as {@code AddmmBackward0}.
 */
final class Operators {
    private static final int NONE = -1;

    private final StackTable stacks;
    private final FrameTable frames;

    Operators(SnapshotColumns columns) {
        this.stacks = columns.stacks;
        this.frames = columns.frames;
    }

    /** The frame that stands for a stack without Python: the innermost marked range, else the operator, else the innermost frame. */
    int siteFrame(int stack) {
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            if (frames.function(frame).startsWith(ProfilerFrames.RANGE)) {
                return frame;
            }
        }
        int operator = operator(stack);
        return operator == NONE ? stacks.frame(stack, 0) : operator;
    }

    /** The site that such a frame is. */
    Site site(int frame) {
        String name = frames.function(frame);
        return name.startsWith(ProfilerFrames.RANGE)
                ? new Site(Site.Kind.ANNOTATION, new Frame("", 0, after(ProfilerFrames.RANGE, name)))
                : new Site(Site.Kind.OPERATOR, new Frame("", 0, after(ProfilerFrames.ENGINE, name)));
    }

    /** The name of the operator in which a stack allocates; empty where none is at work. */
    String name(int stack) {
        int operator = operator(stack);
        return operator == NONE ? "" : after(ProfilerFrames.ENGINE, frames.function(operator));
    }

    private int operator(int stack) {
        int outermost = NONE;
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            String function = frames.function(frame);
            if (function.startsWith(ProfilerFrames.ENGINE)) {
                return frame;
            }
            if (isCall(frame, function)) {
                return outermost;
            }
            outermost = function.startsWith(ProfilerFrames.RANGE) ? outermost : frame;
        }
        return outermost;
    }

    /** Whether a frame is Python's or a module's, so that operators have ended; what Python calls begins with {@code <built-in}. */
    private boolean isCall(int frame, String function) {
        return !frames.file(frame).isEmpty() || function.startsWith(ProfilerFrames.MODULE) || function.startsWith("<");
    }

    /** The modules that call each other down to where a stack allocates, outermost first, with slashes between them; or empty. */
    String modules(int stack) {
        StringBuilder modules = new StringBuilder();
        for (int depth = stacks.depth(stack) - 1; depth >= 0; depth--) {
            String function = frames.function(stacks.frame(stack, depth));
            if (function.startsWith(ProfilerFrames.MODULE)) {
                modules.append(modules.isEmpty() ? "" : "/").append(after(ProfilerFrames.MODULE, function));
            }
        }
        return modules.toString();
    }

    private static String after(String prefix, String name) {
        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }
}
