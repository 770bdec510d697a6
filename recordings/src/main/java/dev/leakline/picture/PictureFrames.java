package dev.leakline.picture;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import dev.leakline.columns.StackTable;
import dev.leakline.primitive.Ints;
import dev.leakline.result.Frame;
import dev.leakline.site.StackSites;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The frames of a picture: those of the snapshot that it shows, numbered anew in the order of their first use. */
final class PictureFrames {
    private static final int NONE = -1;
    private static final Frame MORE = new Frame("", 0, "(more frames than can be shown)");

    private final StackTable table;
    private final StackSites sites;
    private final IntIntHashMap frameNumbers = new IntIntHashMap();
    private final Map<Frame, Integer> madeUp = new HashMap<>();
    private final List<Frame> frames = new ArrayList<>();

    PictureFrames(StackTable table, StackSites sites) {
        this.table = table;
        this.sites = sites;
    }

    /** The number of a frame of the snapshot. */
    int frame(int frame) {
        int known = frameNumbers.getOrDefault(frame, NONE);
        if (known != NONE) {
            return known;
        }
        if (frames.size() >= PictureLimits.FRAMES) {
            return madeUp(MORE);
        }
        frameNumbers.put(frame, frames.size());
        return add(sites.frame(frame));
    }

    /** The number of a frame that stands for something else. */
    int madeUp(Frame frame) {
        Integer known = madeUp.get(frame);
        if (known == null) {
            known = add(frame);
            madeUp.put(frame, known);
        }
        return known;
    }

    private int add(Frame frame) {
        frames.add(new Frame(
                PictureLimits.name(frame.file()), Math.max(frame.line(), 0), PictureLimits.name(frame.function())));
        return frames.size() - 1;
    }

    /** The numbers of a stack's frames, innermost first. */
    Ints frames(int stack) {
        IntArrayList numbers = new IntArrayList();
        for (int depth = 0; depth < depth(stack); depth++) {
            numbers.add(frame(table.frame(stack, depth)));
        }
        return Ints.of(numbers.toArray());
    }

    private int depth(int stack) {
        return Math.min(table.depth(stack), PictureLimits.STACK_DEPTH);
    }

    /** All frames that were used. */
    List<Frame> frames() {
        return List.copyOf(frames);
    }
}
