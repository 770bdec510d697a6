package dev.leakline.picture;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.known.FrameOwner;
import dev.leakline.primitive.Ints;
import dev.leakline.result.Frame;
import dev.leakline.result.Picture.Calls;
import dev.leakline.result.Picture.CodeKind;
import dev.leakline.result.Site;
import dev.leakline.site.SiteFinder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The calls that allocated, as one tree for all moments of a picture, through all frames, those of libraries too.
 *
 * <p>Allocations are first added up by stack. Then each stack becomes a path of the tree, those with most bytes first, so that where a
 * limit is met it is the smallest that end early, at the call that they came to. What has no stack gets a frame that says so.
 */
final class PictureCalls {
    private static final int ROOT = 0;
    private static final int NONE = -1;

    private final Evidence evidence;
    private final SiteFinder finder;
    private final PictureFrames frames;

    /** Row of the sum of each stack, and of each site without stacks, plus one. */
    private final SeededLongIntMap rows = new SeededLongIntMap();

    private final LongArrayList keys = new LongArrayList();
    private final LongArrayList bytes = new LongArrayList();
    private final Map<Site, Integer> siteNumbers = new HashMap<>();
    private final List<Site> sites = new ArrayList<>();

    private final SeededLongIntMap children = new SeededLongIntMap();
    private final IntArrayList parents = new IntArrayList();
    private final IntArrayList nodeFrames = new IntArrayList();
    /** The call at the end of each row's path. */
    private final int[] ends;

    /** The tree of some allocations. */
    PictureCalls(Evidence evidence, SiteFinder finder, PictureFrames frames, int[] allocations) {
        this.evidence = evidence;
        this.finder = finder;
        this.frames = frames;
        for (int allocation : allocations) {
            add(allocation);
        }
        this.ends = new int[keys.size()];
        addNode(NONE, NONE);
        IntStream.range(0, keys.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer row) -> -bytes.get(row))
                        .thenComparing(row -> row))
                .forEach(row -> ends[row] = addPath(keys.get(row)));
    }

    private void add(int allocation) {
        long key = key(allocation);
        int row = rows.get(key) - 1;
        if (row < 0) {
            row = keys.size();
            rows.put(key, row + 1);
            keys.add(key);
            bytes.add(0);
        }
        bytes.set(row, bytes.get(row) + evidence.lifetimes().held(allocation));
    }

    private long key(int allocation) {
        int stack = finder.stack(allocation);
        return stack == StackTable.NONE ? -1L - number(finder.site(allocation)) : stack;
    }

    private int number(Site site) {
        return siteNumbers.computeIfAbsent(site, _ -> {
            sites.add(site);
            return sites.size() - 1;
        });
    }

    /** The call that made one of the allocations. */
    int of(int allocation) {
        return ends[rows.get(key(allocation)) - 1];
    }

    private int addNode(int parent, int frame) {
        parents.add(parent);
        nodeFrames.add(frame);
        return parents.size() - 1;
    }

    /** Adds the path of a stack, and answers its end. */
    private int addPath(long key) {
        if (key < 0) {
            return child(ROOT, (int) key - 1);
        }
        StackTable stacks = evidence.columns().stacks;
        int stack = (int) key;
        int depth = stacks.depth(stack);
        int innermost = Math.max(depth - PictureLimits.TREE_DEPTH, 0);
        int node = ROOT;
        for (int at = depth - 1; at >= innermost; at--) {
            node = child(node, stacks.frame(stack, at));
        }
        return node;
    }

    /** The node of a call; frames below -1 stand for sites without a stack. The caller's own where the tree is full. */
    private int child(int parent, int frame) {
        long key = (long) parent << 32 | (frame & 0xffff_ffffL);
        int known = children.get(key);
        if (known == 0 && parents.size() < PictureLimits.TREE_NODES) {
            known = addNode(parent, frame);
            children.put(key, known);
        }
        return known == 0 ? parent : known;
    }

    /** The tree. */
    Calls calls() {
        return new Calls(
                column(IntStream.range(0, parents.size()).map(node -> frame(nodeFrames.get(node)))),
                column(IntStream.range(0, parents.size()).map(parents::get)),
                column(IntStream.range(0, parents.size()).map(node -> number(kind(nodeFrames.get(node))))));
    }

    private static Ints column(IntStream values) {
        return Ints.of(values.toArray());
    }

    private int frame(int frame) {
        if (frame >= 0) {
            return frames.frame(frame);
        }
        return frame == NONE ? NONE : frames.madeUp(instead(sites.get(-2 - frame)));
    }

    /** The frame that stands for a site without frames. */
    private static Frame instead(Site site) {
        return switch (site.kind()) {
            case BEFORE_RECORDING -> new Frame("", 0, "(allocated before the recording)");
            case ANNOTATION ->
                new Frame("", 0, "(in the range \"" + site.frame().function() + "\")");
            default -> new Frame("", 0, "(no stack recorded)");
        };
    }

    private CodeKind kind(int frame) {
        if (frame < 0) {
            return CodeKind.OTHER;
        }
        FrameOwner owner = evidence.stacks().owner(frame);
        FrameTable table = evidence.columns().frames;
        return DispatchFrame.is(owner, table.file(frame), table.function(frame)) ? CodeKind.DISPATCH : kind(owner);
    }

    private static CodeKind kind(FrameOwner owner) {
        return switch (owner) {
            case USER -> CodeKind.USER;
            case PACKAGE -> CodeKind.PACKAGE;
            case TORCH -> CodeKind.TORCH;
            case PYTHON -> CodeKind.PYTHON;
            case NATIVE -> CodeKind.NATIVE;
        };
    }

    @SuppressWarnings("EnumOrdinal") // the order of the constants is the schema's
    private static int number(CodeKind kind) {
        return kind.ordinal();
    }
}
