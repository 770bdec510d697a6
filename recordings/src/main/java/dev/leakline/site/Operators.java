package dev.leakline.site;

import dev.leakline.columns.FrameTable;
import dev.leakline.columns.ProfilerFrames;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.known.ProfilerFrame;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operators, modules and marked ranges in the profiler's stacks.
 *
 * <p>The operator is the one that the program called, not those that do its work: {@code aten::linear} rather than {@code aten::empty}. In
 * a backward pass it is autograd's name of what is done, such as {@code AddmmBackward0}.
 */
public final class Operators {
    private static final int NONE = -1;

    private final StackTable stacks;
    private final FrameTable frames;
    private final @Nullable ProfilerFrame[] kinds;

    Operators(SnapshotColumns columns) {
        this.stacks = columns.stacks;
        this.frames = columns.frames;
        this.kinds = new ProfilerFrame[frames.size()];
    }

    /** The kind of a frame. */
    public ProfilerFrame kind(int frame) {
        ProfilerFrame known = kinds[frame];
        if (known == null) {
            known = ProfilerFrame.of(frames.file(frame), frames.function(frame));
            kinds[frame] = known;
        }
        return known;
    }

    /** The frame that stands for a stack without Python: the innermost marked range, else the operator, else the innermost frame. */
    int siteFrame(int stack) {
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            if (kind(stacks.frame(stack, depth)).isRange()) {
                return stacks.frame(stack, depth);
            }
        }
        int operator = operator(stack);
        return operator == NONE ? stacks.frame(stack, 0) : operator;
    }

    /** The site that such a frame is. */
    Site site(int frame) {
        Site.Kind kind = kind(frame).isRange() ? Site.Kind.ANNOTATION : Site.Kind.OPERATOR;
        return new Site(kind, new Frame("", 0, name(frame)));
    }

    /** The operator in which a stack allocates; empty where none is at work. */
    public String operatorName(int stack) {
        int operator = operator(stack);
        return operator == NONE ? "" : name(operator);
    }

    private int operator(int stack) {
        int outermost = NONE;
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            switch (kind(frame)) {
                case ENGINE -> {
                    return frame;
                }
                case PYTHON, BUILT_IN, MODULE -> {
                    return outermost;
                }
                case OPERATOR -> outermost = frame;
                case RANGE, OPTIMIZER_STEP, ZERO_GRAD -> {}
            }
        }
        return outermost;
    }

    /** The modules that call each other down to where a stack allocates, outermost first, with slashes between them; or empty. */
    public String moduleNames(int stack) {
        List<String> modules = new ArrayList<>();
        for (int depth = stacks.depth(stack) - 1; depth >= 0; depth--) {
            int frame = stacks.frame(stack, depth);
            if (kind(frame) == ProfilerFrame.MODULE) {
                modules.add(name(frame));
            }
        }
        return String.join("/", modules);
    }

    private String name(int frame) {
        String function = frames.function(frame);
        return switch (kind(frame)) {
            case ENGINE -> function.substring(ProfilerFrames.ENGINE.length());
            case MODULE -> function.substring(ProfilerFrames.MODULE.length());
            case RANGE, OPTIMIZER_STEP, ZERO_GRAD -> function.substring(ProfilerFrames.RANGE.length());
            case PYTHON, BUILT_IN, OPERATOR -> function;
        };
    }
}
