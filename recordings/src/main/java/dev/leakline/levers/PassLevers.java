package dev.leakline.levers;

import static dev.leakline.text.ByteSize.MIB;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.EmbeddingFrames;
import dev.leakline.known.LossFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Site;
import dev.leakline.site.FramePredicate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The changes that let go sooner, or never make, what passes and the program around them make: each says which blocks it is about, and from when on they are gone. */
final class PassLevers {
    private static final int NEVER = Lifetimes.NEVER;
    /** Tokens of a prompt for each that the program goes on with. */
    private static final int PROMPT = 4;
    /** Results of fewer passes may be what a program holds of one pass for the next. */
    private static final int RESULTS = 3;
    /** Keys and values of two layers. */
    private static final int FEWEST_OF_CACHE = 4;

    private static final double NEARLY_ALL = 0.9;
    /** The parts that a loss is computed in: with more, little is left to save. */
    private static final int PARTS = 8;
    /** By which logits of one size may differ, rounded as they are. */
    private static final double SAME = 0.01;

    private final PeakScene scene;
    private final FramePredicate overClasses;

    PassLevers(PeakScene scene) {
        this.scene = scene;
        this.overClasses = scene.stacks.predicate(LossFrames::isOverClasses);
    }

    private int born(int allocation) {
        return scene.lifetimes.born(allocation);
    }

    private int freed(int allocation) {
        return scene.lifetimes.freed(allocation);
    }

    /**
     * A stored model that was read to the device and is still there when the model computes: {@code load_state_dict} copies, so it is a second set of
     * weights. It could go before the first forward pass after it was read. What is left of one of which the rest is gone, the program took out for itself.
     */
    @Nullable
    Lever storedModel() {
        Claim claim = new Claim(scene);
        int letGo = Lifetimes.BEFORE;
        for (IntCursor each : scene.bornIn(StepPhase.READING)) {
            boolean isGone = freed(each.value) < scene.runs.next(StepPhase.FORWARD, born(each.value));
            letGo = isGone ? Math.max(letGo, freed(each.value)) : letGo;
        }
        for (IntCursor each : scene.bornIn(StepPhase.READING)) {
            if (scene.breakdown.category(each.value) != Category.OPTIMIZER_STATE && born(each.value) > letGo) {
                int used = scene.runs.next(StepPhase.FORWARD, born(each.value));
                claim.free(each.value, used, used, used);
                claim.isAt(each.value, scene.site(each.value));
            }
        }
        return claim.lever(
                Kind.FREE_STATE_DICT, "read it with map_location=\"cpu\", or del it once it is in the model", "");
    }

    /** Data that the program made for itself before it computed, and keeps on the device for as long as it does: data sets, replay memories. */
    @Nullable
    Lever keptByProgram() {
        Claim claim = new Claim(scene);
        for (IntCursor each : scene.bornIn(StepPhase.OUTSIDE)) {
            if (scene.breakdown.isSurelyOther(each.value) && scene.outlivesSteps(each.value)) {
                claim.remove(each.value);
            }
        }
        return claim.lever(
                Kind.RESULTS_ON_HOST,
                "keep what the program makes there in CPU memory, and move to the device what a step needs of it",
                "");
    }

    /** A cache that the program makes for all that may come, or a model of it as it is made or moved: how much of it passes fill no recording shows. */
    @Nullable
    Lever largeCache() {
        Claim claim = new Claim(scene);
        for (StepPhase phase : List.of(StepPhase.OUTSIDE, StepPhase.MAKING, StepPhase.MOVING)) {
            IntArrayList buffers = scene.where(
                    each -> scene.isBornIn(each, phase) && scene.breakdown.category(each) == Category.BUFFERS);
            if (phase != StepPhase.MOVING || areAlike(buffers)) {
                for (IntCursor each : buffers) {
                    claim.takeOf(each.value, 0, 0, scene.size(each.value));
                    claim.isAt(each.value, scene.site(each.value));
                }
            }
        }
        return claim.lever(
                Kind.SHRINK_CACHE,
                "make the cache there as long as the longest request, and for as many requests as run at once; whether it is larger no recording"
                        + " shows",
                "from nothing to all of it");
    }

    /** Returns whether nearly all of a model's buffers are of one size, as keys and values of each layer are; and none is a weight, of which a pass makes one in a wider type. */
    private boolean areAlike(IntArrayList buffers) {
        SeededLongIntMap bySize = new SeededLongIntMap();
        long all = 0;
        long most = 0;
        for (IntCursor each : buffers) {
            long size = scene.size(each.value);
            all += size;
            int alike = bySize.addTo(size, 1);
            most = alike >= FEWEST_OF_CACHE ? Math.max(most, alike * size) : most;
        }
        for (IntCursor each : scene.bornIn(StepPhase.FORWARD)) {
            long size = scene.size(each.value);
            boolean isUnpacked = bySize.containsKey(size / 2) || bySize.containsKey(size / Float.BYTES);
            all = isUnpacked && size > MIB ? Long.MAX_VALUE : all;
        }
        return most > NEARLY_ALL * all;
    }

    /** Passes whose graph no backward pass frees: without a graph, each block would go when the next ones are there. */
    @Nullable
    Lever withoutGraph() {
        Claim claim = new Claim(scene);
        IntArrayList kept = scene.where(
                each -> scene.isDropped(each) && !scene.mayBeTrained(each) && scene.retainedBy(each) == NEVER);
        claim.shorten(kept);
        for (int i = 0; i + PeakScene.AT_ONCE < kept.size(); i++) {
            claim.isAt(kept.get(i), scene.caller(kept.get(i)));
        }
        return claim.lever(
                Kind.NO_GRAD,
                "call it under torch.no_grad() or inference_mode(): no backward pass follows, and its graph is dropped whole",
                "a pass without a graph is taken to hold " + PeakScene.AT_ONCE + " blocks at once; it may be 1 to "
                        + PeakScene.MOST_AT_ONCE);
    }

    /** Graphs over which a backward pass ran that kept them, and that the program dropped later: without {@code retain_graph=True} that pass would free them. */
    @Nullable
    Lever retainedGraphs() {
        Map<Integer, IntArrayList> byPass = new TreeMap<>();
        for (IntCursor each : scene.allocations) {
            int pass = scene.retainedBy(each.value);
            if (pass != NEVER) {
                byPass.computeIfAbsent(pass, _ -> new IntArrayList()).add(each.value);
            }
        }
        Claim claim = new Claim(scene);
        byPass.forEach((pass, kept) -> {
            int end = Math.min(scene.passes.end(pass), scene.to);
            for (int i = 0; i < kept.size(); i++) {
                int passed = pass + (int) ((long) (end - pass) * (kept.size() - i) / kept.size());
                claim.free(kept.get(i), end, passed, pass);
            }
        });
        return byPass.isEmpty()
                ? null
                : claim.lever(
                        Kind.FREE_GRAPH,
                        scene.site(scene.lifetimes.allocation(
                                byPass.keySet().iterator().next())),
                        "call backward() without retain_graph=True: nothing that it kept was used again, as far as the recording goes; where"
                                + " another pass needs an output, give this one output.detach()",
                        "a pass frees blocks as it goes, the last first: at the least they stay until its end, at the most they go at its"
                                + " begin");
    }

    /** Results of passes without a graph, kept on the device, such as feature maps of an evaluation: those of the line that keeps most. */
    @Nullable
    Lever results() {
        Map<Integer, IntArrayList> byStack = new TreeMap<>();
        IntHashSet ofProgram = new IntHashSet();
        for (IntCursor each : scene.bornIn(StepPhase.OUTSIDE)) {
            if (scene.breakdown.category(each.value) == Category.OTHER) {
                ofProgram.add(scene.lifetimes.stack(each.value));
            }
        }
        for (IntCursor each : scene.allocations) {
            boolean isKept = (scene.isResult(each.value) || ofProgram.contains(scene.lifetimes.stack(each.value)))
                    && (freed(each.value) == NEVER || scene.window.goesWithMany(freed(each.value)));
            if (isKept && !scene.isForBackward(each.value)) {
                byStack.computeIfAbsent(scene.lifetimes.stack(each.value), _ -> new IntArrayList())
                        .add(each.value);
            }
        }
        return byStack.values().stream()
                .filter(this::areOfManyPasses)
                .max(Comparator.comparingLong(scene::atPeak))
                .map(this::onHost)
                .orElse(null);
    }

    /** Returns whether those of the peak are each of a pass of its own; keys and values of layers are many of one pass. */
    private boolean areOfManyPasses(IntArrayList kept) {
        IntHashSet passes = new IntHashSet();
        int blocks = 0;
        for (IntCursor each : kept) {
            if (scene.isLiveAtPeak(each.value)) {
                passes.add(scene.steps.call(born(each.value)));
                blocks++;
            }
        }
        return blocks >= RESULTS && passes.size() == blocks;
    }

    /** Moves each to the host when the next one is there. */
    private Lever onHost(IntArrayList kept) {
        Claim claim = new Claim(scene);
        int last = kept.get(kept.size() - 1);
        long[] all = {0};
        for (int i = 0; i < kept.size(); i++) {
            int next = born(i + 1 < kept.size() ? kept.get(i + 1) : last) + 1;
            claim.free(kept.get(i), next, next, next);
            all[0] += scene.lifetimes.requested(kept.get(i));
        }
        IntArrayList joined = scene.where(each -> born(each) > born(last)
                && born(each) < scene.lifetimes.died(last)
                && scene.lifetimes.requested(each) == all[0]);
        for (IntCursor each : joined) {
            claim.takeOf(each.value, 0, scene.size(each.value), scene.size(each.value));
        }
        return claim.lever(
                Kind.RESULTS_ON_HOST,
                scene.caller(kept.get(0)),
                "keep what each pass returns in CPU memory (.cpu()), or only what is needed of it",
                "a block as large as all that was kept, made while it is there, is probably made of it, and then in CPU memory too");
    }

    /**
     * Tensors that a variable of the program holds longer than they may be used: old logits, old losses with all that they hold, until their variable is set
     * again in the next step; an output in the backward pass; a copy that the input of a model was computed from. They could go where their step ends;
     * at most, as no recording shows who reads them, as soon as the model has computed.
     */
    @Nullable
    Lever lateFrees() {
        Claim claim = new Claim(scene);
        IntHashSet held = new IntHashSet();
        for (IntCursor each : scene.allocations) {
            int stack = scene.lifetimes.stack(each.value);
            if (isHeldByProgram(each.value)) {
                held.add(stack);
                letGo(each.value, steps(each.value), claim);
            } else if (freed(each.value) == NEVER && held.contains(stack)) {
                letGo(each.value, 0, claim);
            }
        }
        return claim.lever(
                Kind.DEL_TENSOR,
                "del what is made there after its last use: the program holds it until it sets its variable again, or its function ends",
                "a recording does not show which line reads it last; what the backward pass needs does not go by that");
    }

    /** Takes a block that lives so many steps beyond its own; the last of a recording, whose end is not seen, is taken to be like those before. */
    private void letGo(int allocation, int steps, Claim claim) {
        int died = scene.lifetimes.died(allocation);
        int end = steps == 1 ? end(allocation) : died;
        int soonest = Math.min(end, soonest(allocation));
        if (soonest < died) {
            claim.free(allocation, died, end, soonest);
            if (scene.isLiveAtPeak(allocation)) {
                claim.isAt(allocation, scene.caller(allocation));
            }
        }
    }

    /** Returns whether a step's own code made it, and a line of the program freed it. Graphs that nobody needs are another change's, where steps train. */
    private boolean isHeldByProgram(int allocation) {
        return scene.isOfPass(allocation)
                && !(scene.isDropped(allocation) && scene.runs.has(StepPhase.BACKWARD))
                && !BlasWorkspace.is(scene.size(allocation))
                && scene.isFreedBy(allocation, StepPhase.OUTSIDE)
                && steps(allocation) <= 1
                && scene.runs.firstForward() < born(allocation);
    }

    /** The steps after its own that it lives on: what is kept for more than one is kept for a reason. */
    private int steps(int allocation) {
        return scene.steps.of(freed(allocation)) - scene.steps.of(born(allocation));
    }

    /** Where its step ends; without an optimizer, where the next forward pass begins. */
    private int end(int allocation) {
        return scene.steps.ends().isEmpty()
                ? scene.runs.next(StepPhase.FORWARD, scene.runs.next(StepPhase.OUTSIDE, born(allocation)))
                : scene.steps.end(born(allocation));
    }

    /** From when on it may be needed no more: an output from the backward pass on, what an input was computed from when the model computes. */
    private int soonest(int allocation) {
        int born = born(allocation);
        if (scene.isBornIn(allocation, StepPhase.FORWARD)) {
            return scene.runs.next(scene.runs.has(StepPhase.BACKWARD) ? StepPhase.BACKWARD : StepPhase.OUTSIDE, born);
        }
        return scene.window.isElementwise(allocation) ? scene.runs.next(StepPhase.FORWARD, born) : NEVER;
    }

    /**
     * Outputs of a model that computes forward only, at each token that it is given, of which the program goes on with few: what it makes next has the size of the output at
     * few tokens, or an index of each.
     */
    @Nullable
    Lever lastPosition() {
        if (scene.runs.has(StepPhase.BACKWARD) || scene.runs.has(StepPhase.OPTIMIZER)) {
            return null;
        }
        FramePredicate looksUp = scene.stacks.predicate(EmbeddingFrames::looksUp);
        Claim claim = new Claim(scene);
        long tokens = 0;
        int output = Lifetimes.NONE;
        boolean isOfTokens = false;
        for (IntCursor each : scene.allocations) {
            long requested = scene.lifetimes.requested(each.value);
            if (scene.isBornIn(each.value, StepPhase.FORWARD)) {
                isOfTokens |= looksUp.isIn(scene.lifetimes.stack(each.value));
                output = isOutput(each.value) ? each.value : output;
            } else if (scene.isBornIn(each.value, StepPhase.OUTSIDE)) {
                if (output != Lifetimes.NONE && isOfTokens) {
                    keepLast(output, tokens, requested, claim);
                }
                tokens = requested / Long.BYTES;
                output = Lifetimes.NONE;
                isOfTokens = false;
            }
        }
        return claim.lever(
                Kind.LAST_LOGITS_ONLY,
                "compute the output of the last position only, where the prompt is read: what is used of it is no more; to read the prompt in parts"
                        + " lowers what the layers make, too",
                "how much of it is used is told by the size of what is made next of it");
    }

    /** Takes of an output at so many tokens what is not made use of in the next block of the program. */
    private void keepLast(int output, long tokens, long next, Claim claim) {
        long size = scene.size(output);
        long ofToken = size / Math.max(tokens, 1);
        long used = next >= ofToken ? next / Math.max(ofToken, 1) : next / Long.BYTES;
        if (used > 0 && PROMPT * used <= tokens) {
            long unused = size - ofToken * used;
            claim.takeOf(output, 0, unused, size);
            claim.isAt(output, scene.site(output));
        }
    }

    private boolean isOutput(int allocation) {
        return !scene.isFreedBy(allocation, StepPhase.FORWARD)
                && !scene.isForBackward(allocation)
                && scene.stacks.callsModule(scene.lifetimes.stack(allocation))
                && !BlasWorkspace.is(scene.size(allocation));
    }

    /** Large logits: the loss over a vocabulary makes several blocks of their size, in one or the other precision, and so does its backward pass. */
    @Nullable
    Lever lossInParts() {
        Claim claim = new Claim(scene);
        for (IntCursor each : scene.allocations) {
            if (isOfLoss(each.value)) {
                claim.isAt(each.value, scene.site(each.value));
            }
        }
        long logits = claim.largest();
        if (logits == 0) {
            return null;
        }
        IntArrayList blocks = scene.where(each -> isLogits(scene.size(each), logits)
                && (scene.isOfPass(each) || (scene.isBornIn(each, StepPhase.BACKWARD) && !scene.isGradient(each))));
        Site maker = null;
        for (IntCursor each : blocks) {
            long size = scene.size(each.value);
            long rest = size - size / PARTS;
            boolean isOfModel = scene.isBornIn(each.value, StepPhase.FORWARD);
            boolean isLikely = isSame(size, logits) || !isOfModel;
            claim.takeOf(
                    each.value,
                    isSame(size, logits) && (isOfLoss(each.value) || scene.isBornIn(each.value, StepPhase.BACKWARD))
                            ? rest
                            : 0,
                    isLikely ? rest : 0,
                    size);
            boolean isMade = maker == null && scene.isOfPass(each.value) && !isOfLoss(each.value);
            maker = isMade ? scene.site(each.value) : maker;
        }
        return claim.lever(
                Kind.CHUNK_LOSS,
                "compute logits"
                        + (maker == null || maker.equals(claim.site()) ? "" : " (made at " + maker.inWords() + ")")
                        + " and loss in " + PARTS
                        + " parts that the backward pass computes again (a checkpointed loop over"
                        + " the positions, or a fused linear cross-entropy)",
                "at the least the loss alone is computed in parts, of logits that stay; blocks of half or twice the size may be logits in another precision; a fused loss keeps none");
    }

    private boolean isOfLoss(int allocation) {
        return born(allocation) != Lifetimes.BEFORE && overClasses.isIn(scene.lifetimes.stack(allocation));
    }

    /** Returns whether a block is as large as the logits, or twice or half as large, in another precision. */
    private static boolean isLogits(long size, long logits) {
        return isSame(size, logits) || isSame(2 * size, logits) || isSame(size, 2 * logits);
    }

    private static boolean isSame(long size, long other) {
        return Math.abs(size - other) <= SAME * other;
    }
}
