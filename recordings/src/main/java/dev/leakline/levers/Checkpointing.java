package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Activations that are computed again in the backward pass, call by call of a module, or of a function within one. Each line of such calls is tried: what a call makes for the
 * backward pass, but for the last block, which is given on, is gone from the end of the call until the engine first frees something of it.
 */
final class Checkpointing {
    /** The share of the peak that a line's activations must hold there to be tried. */
    private static final double WORTH_TRYING = 0.05;
    /** The share of the largest saving at which the outermost line is named: it is the user's own, or next to it. */
    private static final double NEARLY = 0.97;

    /** A line on the way to activations, and those that are made below it, in order of their births. */
    private static final class Node {
        private final @Nullable Node caller;
        private final int frame;
        private final int depth;
        private final Map<Integer, Node> callees = new HashMap<>();
        private final IntArrayList activations = new IntArrayList();
        /** The innermost line of the user's on the way that is no call of a module. */
        private final @Nullable Site user;

        private @Nullable Lever lever;
        private boolean callsModules;
        private boolean isOutermostCall;
        private long atPeak;

        private Node(@Nullable Node caller, int frame, int depth, @Nullable Site user) {
            this.caller = caller;
            this.frame = frame;
            this.depth = depth;
            this.user = user;
        }

        private Place place() {
            return new Place(user, frame);
        }

        private boolean isBelow(Place place) {
            Node above = caller;
            while (above != null && !above.place().equals(place)) {
                above = above.caller;
            }
            return above != null;
        }
    }

    /** A line of the source, and where PyTorch calls modules for it: a model's own class may be used for several models. */
    private record Place(@Nullable Site user, int frame) {}

    private final PeakScene scene;
    private final Node root = new Node(null, -1, 0, null);
    /** The nodes of each place, none below another. */
    private final Map<Place, List<Node>> places = new HashMap<>();

    private final LineCalls calls;
    /** The Python frames of each stack, outermost first. */
    private final IntObjectHashMap<int[]> paths = new IntObjectHashMap<>();

    private Checkpointing(PeakScene scene) {
        this.scene = scene;
        this.calls = new LineCalls(scene);
    }

    static @Nullable Lever find(PeakScene scene) {
        return new Checkpointing(scene).find();
    }

    private @Nullable Lever find() {
        for (IntCursor each : scene.allocations) {
            boolean isSaved = scene.isForBackward(each.value)
                    || (scene.isDropped(each.value) && scene.runs.has(StepPhase.BACKWARD));
            if (isSaved && scene.isBornIn(each.value, StepPhase.FORWARD)) {
                add(each.value);
            }
        }
        collectPlaces(root);
        List<Lever> levers = new ArrayList<>();
        tryAll(root, levers);
        long most = levers.stream().mapToLong(Lever::expectedBytes).max().orElse(0);
        return levers.stream()
                .filter(lever -> lever.expectedBytes() >= NEARLY * most)
                .findFirst()
                .orElse(null);
    }

    private void add(int allocation) {
        int[] path = path(scene.lifetimes.stack(allocation));
        calls.add(allocation, path);
        Node node = root;
        boolean isBelowCall = false;
        for (int i = 0; i < path.length; i++) {
            Node caller = node;
            node = node.callees.computeIfAbsent(path[i], frame -> callee(caller, frame));
            boolean isCall = scene.stacks.isModuleCall(path[i]);
            node.callsModules |= !isCall && i + 1 < path.length && isCallee(path[i], path[i + 1], isBelowCall);
            node.isOutermostCall |= node.callsModules && !isBelowCall;
            isBelowCall |= node.callsModules;
            node.activations.add(allocation);
            node.atPeak += scene.isLiveAtPeak(allocation) ? scene.size(allocation) : 0;
        }
    }

    /** Returns whether a frame is called as a module is, or within a model as a function of the user's. */
    private boolean isCallee(int caller, int frame, boolean isInModel) {
        return scene.stacks.isModuleCall(frame) || (isInModel && isUsers(caller) && isUsers(frame));
    }

    private boolean isUsers(int frame) {
        return scene.stacks.owner(frame) == FrameOwner.USER;
    }

    private Node callee(Node caller, int frame) {
        boolean isUsers = !scene.stacks.isModuleCall(frame) && isUsers(frame);
        Site user = isUsers ? new Site(Site.Kind.USER, scene.stacks.frame(frame)) : caller.user;
        return new Node(caller, frame, caller.depth + 1, user);
    }

    private int[] path(int stack) {
        int[] known = paths.get(stack);
        if (known == null) {
            known = findPath(stack);
            paths.put(stack, known);
        }
        return known;
    }

    private int[] findPath(int stack) {
        IntArrayList path = new IntArrayList();
        for (int depth = scene.table.depth(stack) - 1; depth >= 0; depth--) {
            int frame = scene.table.frame(stack, depth);
            if (scene.stacks.owner(frame) != FrameOwner.NATIVE) {
                path.add(frame);
            }
        }
        return path.toArray();
    }

    private void collectPlaces(Node node) {
        if (node.callsModules && !node.isOutermostCall && !node.isBelow(node.place())) {
            places.computeIfAbsent(node.place(), _ -> new ArrayList<>()).add(node);
        }
        node.callees.values().forEach(this::collectPlaces);
    }

    private void tryAll(Node node, List<Lever> levers) {
        if (node != root && node.atPeak < WORTH_TRYING * scene.timeline.peak()) {
            return;
        }
        if (node.callsModules && !leadsToOneCall(node)) {
            levers.add(lever(node));
        }
        tryTogether(node, levers);
        node.callees.values().stream()
                .sorted((a, b) -> Long.compare(b.atPeak, a.atPeak))
                .forEach(callee -> tryAll(callee, levers));
    }

    /** Lines of one forward method, such as those that go down and up in a U-Net, are one change. */
    private void tryTogether(Node method, List<Lever> levers) {
        List<Node> lines = method.callees.values().stream()
                .filter(line -> line.atPeak >= WORTH_TRYING * scene.timeline.peak() && !line.isOutermostCall)
                .map(Checkpointing::called)
                .flatMap(Optional::stream)
                .toList();
        List<Lever> alone = lines.stream()
                .map(this::lever)
                .sorted(Comparator.comparingLong(Lever::expectedBytes).reversed())
                .toList();
        if (lines.size() > 1) {
            Claim claim = new Claim(scene);
            lines.stream().flatMap(this::samePlace).distinct().forEach(line -> recompute(line, claim));
            long best = alone.get(0).expectedBytes();
            if (claim.likely.saved() - best >= WORTH_TRYING * scene.timeline.peak()) {
                levers.add(lever(claim, alone.get(0).site(), others(alone)));
            }
        }
    }

    private static String others(List<Lever> levers) {
        return levers.stream()
                .map(Lever::site)
                .flatMap(Stream::ofNullable)
                .map(Site::inWords)
                .distinct()
                .skip(1)
                .map(place -> " and at " + place)
                .collect(Collectors.joining());
    }

    /** The line that calls modules at the end of a chain of lines that call only one another; none where the chain ends in branches that do not. */
    private static Optional<Node> called(Node line) {
        Node node = line;
        while (!(node.callsModules && !leadsToOneCall(node)) && node.callees.size() == 1) {
            node = node.callees.values().iterator().next();
        }
        return node.callsModules ? Optional.of(node) : Optional.empty();
    }

    /** Returns whether all that a line makes is made by one line below it that calls modules, too: then that is the one to wrap. */
    private static boolean leadsToOneCall(Node node) {
        Node callee = node;
        while (callee.callees.size() == 1) {
            callee = callee.callees.values().iterator().next();
            if (callee.callsModules) {
                return true;
            }
        }
        return false;
    }

    private Lever lever(Node node) {
        Lever known = node.lever;
        if (known == null) {
            known = find(node);
            node.lever = known;
        }
        return known;
    }

    private Lever find(Node node) {
        Claim claim = new Claim(scene);
        samePlace(node).forEach(each -> recompute(each, claim));
        Site own = node.user != null ? node.user : new Site(Site.Kind.TORCH, scene.stacks.frame(node.frame));
        Site line = node.isOutermostCall ? heaviestLine(node, own) : own;
        return lever(claim, line, "");
    }

    private static Lever lever(Claim claim, @Nullable Site line, String others) {
        return claim.lever(
                Kind.CHECKPOINT,
                line,
                "wrap each call there" + others
                        + " in torch.utils.checkpoint.checkpoint (or switch on the model's own gradient"
                        + " checkpointing): the backward pass computes them again",
                "at worst two calls are computed again at once, and each gives on two blocks and not one");
    }

    /**
     * The line to wrap below a model's own call, which is one call a pass: to wrap that saves nothing. It is the user's line that calls modules there
     * with the most bytes at the peak; the model's own where there is none.
     */
    private static Site heaviestLine(Node model, Site own) {
        Node heaviest = null;
        List<Node> nodes = new ArrayList<>(model.callees.values());
        while (!nodes.isEmpty()) {
            Node node = nodes.removeLast();
            if (node.callsModules && node.user != null && !node.user.equals(own)) {
                heaviest = heaviest == null || node.atPeak > heaviest.atPeak ? node : heaviest;
            } else {
                nodes.addAll(node.callees.values());
            }
        }
        return heaviest == null || heaviest.user == null ? own : heaviest.user;
    }

    /** To wrap a line is to wrap it for all models that come by it. */
    private Stream<Node> samePlace(Node node) {
        List<Node> same = places.getOrDefault(node.place(), List.of());
        return same.contains(node) ? same.stream() : Stream.of(node);
    }

    private void recompute(Node node, Claim claim) {
        List<IntArrayList> made = calls.of(node.activations, node.depth);
        int after = Lifetimes.BEFORE;
        for (int i = made.size() - 1; i >= 0; i--) {
            after = made.get(i).isEmpty() ? after : recompute(made.get(i), after, claim);
        }
    }

    /**
     * Frees what a call makes until it is there again: when the engine first frees something of it. At worst it is there while the call after it is not yet done with.
     *
     * @param after when the engine first frees something of the call after it
     * @return the same of this call
     */
    private int recompute(IntArrayList call, int after, Claim claim) {
        int again = Lifetimes.NEVER;
        for (IntCursor each : call) {
            boolean isFreedByEngine = scene.isFreedBy(each.value, StepPhase.BACKWARD);
            again = isFreedByEngine ? Math.min(again, scene.lifetimes.freed(each.value)) : again;
        }
        int last = call.get(call.size() - 1);
        int early = Math.min(again, Math.max(after, scene.runs.next(StepPhase.BACKWARD, scene.lifetimes.born(last))));
        int from = scene.lifetimes.born(last) + 1;
        int given = given(call);
        for (int i = 0; i < call.size(); i++) {
            int allocation = call.get(i);
            long size = scene.size(allocation);
            int behind = given - i;
            int died = scene.lifetimes.died(allocation);
            claim.least.take(from, Math.min(early, died), behind > 1 || behind < 0 ? size : 0);
            claim.likely.take(from, Math.min(again, died), behind != 0 ? size : 0);
            claim.most.take(from, Math.min(again, died), size);
        }
        return again;
    }

    /** Which block a call gives on: the largest of those that its last line made, as a norm makes its statistics after its result. */
    private int given(IntArrayList call) {
        int given = call.size() - 1;
        int stack = scene.lifetimes.stack(call.get(given));
        for (int i = given; i >= 0 && scene.lifetimes.stack(call.get(i)) == stack; i--) {
            given = scene.size(call.get(i)) > scene.size(call.get(given)) ? i : given;
        }
        return given;
    }
}
