package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Recorder;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.CallTree;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.result.SiteUse;
import dev.leakline.result.SiteUse.StackUse;
import dev.leakline.site.SiteFinder;
import dev.leakline.site.StackSites;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Splits the memory live after an event by the lines that allocated it. */
public final class Composition {
    /** Stacks that a site shows: enough to see that there are several ways to it. */
    private static final int STACKS_OF_SITE = 5;
    /** A call with a smaller share of all bytes than this is left out of the tree; nobody would act on it. */
    private static final double SMALLEST_SHARE = 0.005;

    /** Calls that a path of the tree shows; deeper ones are recursion, and go to the site at once. */
    private static final int DEEPEST_PATH = 64;

    private static final class Sum {
        private long bytes;
        private long requested;
        private int blocks;

        private void add(long held, long asked) {
            bytes += held;
            requested += asked;
            blocks++;
        }
    }

    private static final class Node {
        private final Site site;
        private final Sum sum = new Sum();
        private final Map<Site, Node> calls = new HashMap<>();

        private Node(Site site) {
            this.site = site;
        }
    }

    /** Its hash is written out: Java makes the code for a record's own at the first call, which takes longer than to add up a small recording. */
    private record Key(Site site, int stack) implements Comparable<Key> {
        @Override
        public int hashCode() {
            return 31 * site.hashCode() + stack;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.stack == stack && key.site.equals(site);
        }

        @Override
        public int compareTo(Key other) {
            int order = site.compareTo(other.site);
            return order == 0 ? Integer.compare(stack, other.stack) : order;
        }
    }

    private final StackSites stacks;
    private final Map<Key, Sum> sums = new HashMap<>();
    private final boolean isTrace;
    private long total;

    /** Adds up the allocations that were live at a moment. */
    public Composition(Evidence evidence, IntArrayList live) {
        this.stacks = evidence.stacks();
        Lifetimes lifetimes = evidence.lifetimes();
        SiteFinder finder = evidence.sites();
        this.isTrace = evidence.columns().recorder == Recorder.PROFILER;
        for (IntCursor each : live) {
            int allocation = each.value;
            long held = lifetimes.held(allocation);
            Key key = new Key(finder.site(allocation), finder.stack(allocation));
            long requested = isTrace ? 0 : lifetimes.requested(allocation);
            sums.computeIfAbsent(key, _ -> new Sum()).add(held, requested);
            total += held;
        }
    }

    /** The share of the bytes whose site is a line of code; 1 where there are none. */
    public double explainedShare() {
        long explained = 0;
        for (Map.Entry<Key, Sum> entry : sums.entrySet()) {
            explained += entry.getKey().site.isLine() ? entry.getValue().bytes : 0;
        }
        return total == 0 ? 1 : (double) explained / total;
    }

    /** The sites, largest first; sites of equal size in the order of their file, line and function. */
    public List<SiteUse> sites() {
        Map<Site, List<Map.Entry<Key, Sum>>> bySite = new HashMap<>();
        sums.entrySet()
                .forEach(entry -> bySite.computeIfAbsent(entry.getKey().site, _ -> new ArrayList<>())
                        .add(entry));
        List<SiteUse> uses = new ArrayList<>();
        bySite.forEach((site, entries) -> uses.add(use(site, entries)));
        uses.sort(Comparator.comparingLong(SiteUse::bytes)
                .reversed()
                .thenComparing(use -> use.site().frame().file())
                .thenComparingInt(use -> use.site().frame().line())
                .thenComparing(use -> use.site().frame().function())
                .thenComparing(use -> use.site().kind()));
        return uses;
    }

    private SiteUse use(Site site, List<Map.Entry<Key, Sum>> entries) {
        Sum sum = new Sum();
        for (Map.Entry<Key, Sum> entry : entries) {
            merge(sum, entry.getValue());
        }
        List<StackUse> largest = entries.stream()
                .filter(entry -> entry.getKey().stack != 0)
                .sorted(Comparator.comparingLong((Map.Entry<Key, Sum> entry) -> -entry.getValue().bytes)
                        .thenComparingInt(entry -> entry.getKey().stack))
                .limit(STACKS_OF_SITE)
                .map(entry -> new StackUse(
                        entry.getValue().bytes, entry.getValue().blocks, stacks.frames(entry.getKey().stack)))
                .toList();
        double share = total == 0 ? 0 : (double) sum.bytes / total;
        return SiteUse.of(site, sum.bytes, isTrace ? -1 : sum.requested, sum.blocks, share, largest);
    }

    private static void merge(Sum into, Sum more) {
        into.bytes += more.bytes;
        into.requested += more.requested;
        into.blocks += more.blocks;
    }

    /** The calls through which the bytes came to be, the outermost lines of the user's code first. */
    public List<CallTree> tree() {
        Node root = new Node(new Site(Site.Kind.NO_STACK, new Frame("", 0, "")));
        sums.forEach((key, sum) -> addPath(root, key, sum));
        return calls(root);
    }

    private void addPath(Node root, Key key, Sum sum) {
        Node node = root;
        for (Site site : path(key)) {
            node = node.calls.computeIfAbsent(site, Node::new);
            merge(node.sum, sum);
        }
    }

    /** The user's lines on the way to a site, and the site itself in the place of its own line. */
    private List<Site> path(Key key) {
        List<Site> path = new ArrayList<>();
        for (Frame frame : stacks.userFrames(key.stack)) {
            if (path.size() < DEEPEST_PATH && !frame.equals(key.site.frame())) {
                path.add(new Site(Site.Kind.USER, frame));
            }
        }
        path.add(key.site);
        return path;
    }

    private List<CallTree> calls(Node node) {
        return node.calls.values().stream()
                .filter(call -> call.sum.bytes >= total * SMALLEST_SHARE)
                .sorted(Comparator.comparingLong((Node call) -> -call.sum.bytes)
                        .thenComparing(call -> call.site.frame().file())
                        .thenComparingInt(call -> call.site.frame().line())
                        .thenComparing(call -> call.site.kind()))
                .map(call -> CallTree.of(call.site, call.sum.bytes, call.sum.blocks, calls(call)))
                .toList();
    }
}
