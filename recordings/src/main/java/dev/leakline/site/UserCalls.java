package dev.leakline.site;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.PairNumbering;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.ModuleCall;
import dev.leakline.result.Frame;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The user's own lines on the way to allocations, as a tree: outermost lines at the top. Stacks without any are given one line, that of
 * their site. A node's number is larger than its parent's. Read-only.
 */
public final class UserCalls {
    /**
     * Nodes that are kept: a job of 1,500 stacks has some thousand, and these take 4 MB. Calls beyond them are told as the line that calls
     * them, and the stacks for which that is so are counted.
     */
    private static final int MOST = 1 << 18;

    /** The parent of the outermost lines. */
    public static final int TOP = -1;

    private final StackTable stacks;
    private final FrameTable frames;
    private final StackSites sites;
    /** The numbers of pairs of a parent and a frame: the nodes. */
    private final PairNumbering nodes = new PairNumbering();

    private final BitSet forwards = new BitSet();
    private final int[] ends;
    /** True for each stack whose innermost line allocates from within a module that it calls. */
    private final boolean[] inModule;

    private int cut;

    /** Numbers the lines of all stacks: those of {@code first} in the order in which they come, then all others. */
    public UserCalls(StackTable stacks, FrameTable frames, StackSites sites, IntArrayList first) {
        this.stacks = stacks;
        this.frames = frames;
        this.sites = sites;
        this.ends = new int[stacks.size()];
        this.inModule = new boolean[stacks.size()];
        for (int i = 0; i < first.size(); i++) {
            ends[first.get(i)] = find(first.get(i));
        }
        cut = 0; // all are found once more
        for (int stack = 0; stack < ends.length; stack++) {
            ends[stack] = find(stack);
        }
    }

    /** The node of a stack's innermost line; {@link #TOP} where it has no frame at all. */
    public int end(int stack) {
        return ends[stack];
    }

    private int find(int stack) {
        int node = TOP;
        boolean isInCall = false;
        for (int depth = stacks.depth(stack) - 1; depth >= 0; depth--) {
            int frame = stacks.frame(stack, depth);
            FrameOwner owner = sites.owner(frame);
            if (owner == FrameOwner.USER && size() >= MOST && node != TOP && !isKnown(node, frame)) {
                cut++;
                return node;
            }
            if (owner == FrameOwner.USER) {
                inModule[stack] = false;
                node = child(node, frame, isInCall && frames.function(frame).equals(ModuleCall.FORWARD));
            }
            if (owner != FrameOwner.NATIVE) {
                isInCall = sites.isModuleCall(frame);
                inModule[stack] |= isInCall;
            }
        }
        int best = node == TOP ? sites.siteFrame(stack) : -1;
        return best < 0 ? node : child(TOP, best, false);
    }

    private boolean isKnown(int parent, int frame) {
        return nodes.find(parent, frame) != PairNumbering.NONE;
    }

    private int child(int parent, int frame, boolean isForward) {
        int known = size();
        int node = nodes.of(parent, frame);
        if (node == known) {
            forwards.set(node, isForward);
        }
        return node;
    }

    /** Stacks whose innermost lines are told as those that call them, because there were too many. */
    public int cut() {
        return cut;
    }

    /** Nodes. */
    public int size() {
        return nodes.size();
    }

    /** The node of the line that called the function that this line is in, or {@link #TOP}. */
    public int parent(int node) {
        return nodes.first(node);
    }

    /** The number of the line's frame. */
    public int frame(int node) {
        return nodes.second(node);
    }

    /** Returns whether the line is in the {@code forward} of a module that {@code nn.Module} called. */
    public boolean isForward(int node) {
        return forwards.get(node);
    }

    /** Returns whether a stack's innermost line allocates from within a module that it calls. */
    public boolean isInModule(int stack) {
        return inModule[stack];
    }

    /** Returns whether two lines are of the same function, called from the same line. */
    public boolean isSameFunction(int one, int other) {
        return parent(one) == parent(other) && frames.place(frame(one)) == frames.place(frame(other));
    }

    /** Returns whether a line is, or is called from, a line of the function that {@code node} is in. */
    public boolean isBeside(int line, int node) {
        int up = line;
        while (up >= 0 && !isSameFunction(up, node)) {
            up = parent(up);
        }
        return up >= 0;
    }

    /** The lines from the outermost to this one. */
    public List<Frame> path(int node) {
        List<Frame> path = node == TOP ? new ArrayList<>() : path(parent(node));
        if (node != TOP) {
            path.add(sites.frame(frame(node)));
        }
        return path;
    }

    /** Returns whether {@code node} is {@code above} or lies beneath it. */
    public boolean isWithin(int node, int above) {
        int up = node;
        while (up > above) {
            up = parent(up);
        }
        return up == above;
    }
}
