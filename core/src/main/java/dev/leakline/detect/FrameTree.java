package dev.leakline.detect;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import com.carrotsearch.hppc.LongIntHashMap;
import dev.leakline.columns.StackTable;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.Frame;
import dev.leakline.result.Picture.CodeKind;
import dev.leakline.result.Picture.Tree;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Bytes by call, through all frames, those of libraries too.
 *
 * <p>Allocations are first added up by stack. Then each stack becomes a path of the tree, those with most bytes first, so that where a
 * limit is met it is the smallest that end early, with their bytes in the call that they came to. What has no stack gets a frame that
 * says so.
 */
final class FrameTree {
    private static final int ROOT = 0;
    private static final int NONE = -1;

    private final Evidence evidence;
    private final SiteFinder finder;
    private final PictureFrames frames;

    /** Of each stack, and each site of what has none, the row of its sum, plus one. */
    private final LongIntHashMap rows = new LongIntHashMap();

    private final LongArrayList keys = new LongArrayList();
    private final LongArrayList bytes = new LongArrayList();
    private final IntArrayList blocks = new IntArrayList();
    private final Map<Site, Integer> siteNumbers = new HashMap<>();
    private final List<Site> sites = new ArrayList<>();

    private final LongIntHashMap children = new LongIntHashMap();
    private final IntArrayList parents = new IntArrayList();
    private final IntArrayList nodeFrames = new IntArrayList();
    private final LongArrayList nodeBytes = new LongArrayList();
    private final IntArrayList nodeBlocks = new IntArrayList();

    FrameTree(Evidence evidence, SiteFinder finder, PictureFrames frames) {
        this.evidence = evidence;
        this.finder = finder;
        this.frames = frames;
    }

    /** What was live after an event. */
    FrameTree addLive(int event) {
        Lifetimes lifetimes = evidence.lifetimes();
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            if (lifetimes.isLive(allocation, event)) {
                add(allocation);
            }
        }
        return this;
    }

    /** Adds an allocation. */
    void add(int allocation) {
        int stack = finder.stack(allocation);
        long key = stack == StackTable.NONE ? -1L - number(finder.site(allocation)) : stack;
        int row = rows.get(key) - 1;
        if (row < 0) {
            row = keys.size();
            rows.put(key, row + 1);
            keys.add(key);
            bytes.add(0);
            blocks.add(0);
        }
        bytes.set(row, bytes.get(row) + evidence.lifetimes().held(allocation));
        blocks.set(row, blocks.get(row) + 1);
    }

    private int number(Site site) {
        return siteNumbers.computeIfAbsent(site, _ -> {
            sites.add(site);
            return sites.size() - 1;
        });
    }

    /** The tree of all that was added. */
    Tree tree() {
        addNode(NONE, NONE);
        IntStream.range(0, keys.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer row) -> -bytes.get(row))
                        .thenComparing(row -> row))
                .forEach(this::addPath);
        return pruned();
    }

    private int addNode(int parent, int frame) {
        parents.add(parent);
        nodeFrames.add(frame);
        nodeBytes.add(0);
        nodeBlocks.add(0);
        return parents.size() - 1;
    }

    private void addPath(int row) {
        int node = ROOT;
        count(node, row);
        long key = keys.get(row);
        if (key < 0) {
            node = child(node, (int) key - 1);
            countUnlessNone(node, row);
            return;
        }
        int stack = (int) key;
        StackTable stacks = evidence.columns().stacks;
        int depth = stacks.depth(stack);
        int innermost = Math.max(depth - PictureLimits.TREE_DEPTH, 0);
        for (int at = depth - 1; at >= innermost && node != NONE; at--) {
            node = child(node, stacks.frame(stack, at));
            countUnlessNone(node, row);
        }
    }

    /** The node of a call; frames below -1 stand for sites without a stack. None where the tree is full. */
    private int child(int parent, int frame) {
        long key = (long) parent << 32 | (frame & 0xffff_ffffL);
        int known = children.get(key);
        if (known == 0 && parents.size() < PictureLimits.TREE_NODES) {
            known = addNode(parent, frame);
            children.put(key, known);
        }
        return known == 0 ? NONE : known;
    }

    private void countUnlessNone(int node, int row) {
        if (node != NONE) {
            count(node, row);
        }
    }

    private void count(int node, int row) {
        nodeBytes.set(node, nodeBytes.get(node) + bytes.get(row));
        nodeBlocks.set(node, nodeBlocks.get(node) + blocks.get(row));
    }

    /** The nodes that are large enough to be seen, numbered anew. */
    private Tree pruned() {
        int[] numbers = new int[parents.size()];
        IntArrayList keptFrames = new IntArrayList();
        IntArrayList keptParents = new IntArrayList();
        LongArrayList keptBytes = new LongArrayList();
        IntArrayList keptBlocks = new IntArrayList();
        IntArrayList kinds = new IntArrayList();
        for (int node = 0; node < numbers.length; node++) {
            numbers[node] = isKept(node, numbers) ? keptFrames.size() : NONE;
            if (numbers[node] != NONE) {
                keptFrames.add(frame(nodeFrames.get(node)));
                keptParents.add(node == ROOT ? NONE : numbers[parents.get(node)]);
                keptBytes.add(nodeBytes.get(node));
                keptBlocks.add(nodeBlocks.get(node));
                kinds.add(number(kind(nodeFrames.get(node))));
            }
        }
        return new Tree(
                Ints.of(keptFrames.toArray()),
                Ints.of(keptParents.toArray()),
                Longs.of(keptBytes.toArray()),
                Ints.of(keptBlocks.toArray()),
                Ints.of(kinds.toArray()));
    }

    private boolean isKept(int node, int[] numbers) {
        return node == ROOT
                || (numbers[parents.get(node)] != NONE
                        && nodeBytes.get(node) >= nodeBytes.get(ROOT) * PictureLimits.TREE_SHARE);
    }

    private int frame(int frame) {
        if (frame >= 0) {
            return frames.frame(frame);
        }
        return frame == NONE ? NONE : frames.madeUp(instead(sites.get(-2 - frame)));
    }

    /** What stands in the place of a frame. */
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
        return switch (evidence.stacks().owner(frame)) {
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
